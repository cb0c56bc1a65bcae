import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import type { Source } from '../../src/page/server/store.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { expectAccessible, openPage, visit } from '../helpers/page/browser.ts'
import { appFiles, servedPage, testProject, type TestProject } from '../helpers/page/project.ts'
import { SOON } from '../helpers/soon.ts'
import { liveLock } from '../helpers/pinned.ts'
import { pinnedVersions } from '../helpers/pinned-project.ts'

const LOCK = liveLock(
  { slug: 'follow-up', user: '{{ recipient }}' },
  { slug: 'review' },
  { slug: 'summary' },
)

/** An update with a renamed variable, one with a new variable, and one that breaks no line. */
const SERVED = liveLock(
  { slug: 'follow-up', version: 'v23', user: '{{ contact }}' },
  { slug: 'review', version: 'v23', system: 'Be {{ tone }}.' },
  { slug: 'summary', version: 'v23', system: 'Be brief.' },
)

const FILES = appFiles(
  `prompts.followUp.render({ recipient: 'Zoë' })`,
  'prompts.review.render()',
  'prompts.summary.render()',
)

async function app(lock: Lock = LOCK): Promise<TestProject> {
  const project = await testProject(lock, { served: SERVED, files: FILES })
  commitAll(project.root)
  return project
}

/** What is committed of an app. */
async function filesOf({ root }: TestProject): Promise<string[]> {
  const names = ['prompts.lock.json', 'prompts.d.ts', 'src/main.ts']
  return Promise.all(names.map((name) => readFile(join(root, name), 'utf8').catch(() => '')))
}

async function click(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function shows(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor()
}

const CHECK = 'Fetch the 3 that your code uses'

test('a change is taken, one held, and one fixed and undone, with all files', async () => {
  const project = await app()
  const page = await openPage(project, '')
  await shows(page, CHECK)
  expect(await page.locator('main .bad, main .primary:has-text("Update")').count()).toBe(0)
  await click(page, CHECK)
  await shows(page, '2 lines stop compiling')
  expect(await page.locator('.code mark').first().textContent()).toContain('recipient')

  await click(page, 'Update summary')
  await shows(page, 'Updated summary v23')
  expect(await pinnedVersions(project.root)).toContain('summary@v23')

  await click(page, 'Hold review')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hold it' }).waitFor({ state: 'hidden' })
  await click(page, 'Hold review')
  await page.keyboard.type('Legal reads it.')
  await expectAccessible(page)
  await click(page, 'Hold it')
  await shows(page, 'Held review v22')
  const held = ['follow-up@v22', 'review@v22 (Legal reads it.)', 'summary@v23']
  expect(await pinnedVersions(project.root)).toEqual(held)

  const before = await filesOf(project)
  await click(page, 'Fix follow-up')
  await page.locator('.change .diff-line.added').getByText('contact').first().waitFor()
  await expectAccessible(page)
  expect(await filesOf(project)).toEqual(before)
  await click(page, 'Edit the code and update')
  await shows(page, 'Updated follow-up v23')
  await shows(page, 'Edited 1 file: src/main.ts')
  for (const text of await filesOf(project)) expect(text).toContain('contact')
  await click(page, 'Undo')
  await shows(page, 'Undone. Pinned again: follow-up v22')
  expect(await filesOf(project)).toEqual(before)
})

test('a row stays where it is when a check ends, until somebody asks for the groups', async () => {
  const project = await app()
  const page = await openPage(project, 'changes')
  const rowsOf = (group: string): Promise<string[]> =>
    page.locator(`#${group} .bar .slug`).allTextContents()
  await click(page, CHECK)
  await page.getByText('breaks src/main.ts').first().waitFor()
  expect(await rowsOf('unknown')).toEqual(['follow-up', 'review', 'summary'])
  expect(await page.locator('.count').allTextContents()).toEqual(['3', '3', '2', '1', '0'])
  await page.getByRole('link', { name: 'Show its result' }).click()
  await expect.poll(() => rowsOf('breaks'), SOON).toEqual(['follow-up', 'review'])
  expect(await rowsOf('safe')).toEqual(['summary'])
  await page.locator('#moved').waitFor({ state: 'hidden' })
})

test('what is safe is taken at once, and a wording is tried, refused, pinned and unheld', async () => {
  const page = await openPage(await app(), 'changes')
  await click(page, CHECK)
  await click(page, 'Update 1')
  await shows(page, 'Updated summary v23')
  const slugs = await page.locator('.change .bar .slug').allTextContents()
  expect(slugs).toEqual(['follow-up', 'review'])

  await page.getByRole('link', { name: 'Edit review' }).click()
  await page.getByLabel('System text').fill('Be {{ tone }}.')
  await click(page, 'Preview')
  await shows(page, '1 variable has no value')
  await page.getByLabel('tone', { exact: true }).fill('<b> $& {{ tone }}')
  await click(page, 'Preview')
  const message = page.getByRole('group', { name: 'system message' })
  await message.getByText('Be <b> $& {{ tone }}.').waitFor()
  await shows(page, '21 characters, about 6 tokens')
  await click(page, 'Pin and hold')
  await shows(page, 'Nothing was written. 1 line stops compiling.')
  await page.getByLabel('System text').fill('Be calm.')
  await click(page, 'Pin and hold')
  await shows(page, 'Pinned and held review v22-edited')
  await click(page, 'Unhold review')
  await shows(page, 'The next pull brings the text of the service back.')
})

test(
  'a text that comes back untouched pins nothing, whatever is in it',
  { timeout: 120_000 },
  async () => {
    const texts = [...HOSTILE, HOSTILE.join('\n'), '\n<system>\nb', '\n\n', 'a\rb', ' \r\n ']
    const pairs = texts.flatMap((system, index) =>
      index % 2 === 0 ? { slug: `p${index}`, system, user: texts[index + 1] ?? 'x\rx' } : [],
    )
    const project = await testProject(liveLock(...pairs))
    const run = (async () => ({
      skipped: [],
      prompts: [],
      escapes: [],
    })) as unknown as Source['run']
    const { url } = await servedPage(project, { run })
    const { page } = await visit('about:blank', { javaScriptEnabled: false })
    const before = await project.readLock()
    for (const { slug, user } of pairs) {
      await page.goto(`${url}prompts/${slug}/edit`)
      await click(page, 'Pin and hold')
      await shows(page, 'Nothing was changed')
      if (!/[\r\0]/.test(user)) continue
      await click(page, 'Preview')
      await page.locator('#preview').waitFor()
      await click(page, 'Pin and hold')
      await shows(page, 'Nothing was changed')
      await page.getByLabel('User text').fill('Other.')
      await click(page, 'Pin and hold')
      await shows(page, `prompts edit ${slug}`)
    }
    expect(await project.readLock()).toBe(before)
  },
)

test('two windows never contradict each other, and a text that is refused stays', async () => {
  const { url } = await servedPage(await app())
  const { page: first } = await visit(`${url}prompts/review`)
  const { page: second } = await visit(`${url}prompts/review/edit`)
  await second.getByLabel('System text').fill('Mine.')
  await click(first, 'Hold review')
  await click(first, 'Hold it')
  await shows(first, 'Held review v22')
  await first.getByRole('link', { name: /^Changes/ }).click()
  await first.waitForURL(/\/changes/)
  await first.getByRole('button', { name: 'Undo' }).waitFor()
  await click(second, 'Pin and hold')
  await shows(second, 'changed since you began, so nothing was written')
  expect(await second.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect(await first.locator('.outcome').innerText()).toMatch(/^Held review v22/)
  expect(await second.getByLabel('System text').inputValue()).toBe('Mine.')
})

test('what is typed is not lost without a question: for a link, another form, or after a preview', async () => {
  const { url } = await servedPage(await app())
  const { page } = await visit(`${url}prompts/review/edit`)
  const field = page.getByLabel('System text')
  const answer = (how: 'accept' | 'dismiss'): Promise<void> =>
    page.waitForEvent('dialog').then((dialog) => dialog[how]())
  await field.fill('Mine.')
  let asked = answer('dismiss')
  await click(page, 'Check now')
  await asked
  asked = answer('dismiss')
  await page.getByRole('searchbox').fill('summary')
  await page.keyboard.press('Enter')
  await asked
  expect(await field.inputValue()).toBe('Mine.')
  await click(page, 'Preview')
  await page.locator('#preview').waitFor()
  asked = answer('accept')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await asked
  await page.waitForURL(/\/prompts\/review$/)
})

test('a commit of the history is shown with what it changed, and its version is restored after it was shown', async () => {
  const project = await app()
  await project.writeLock(SERVED)
  commitAll(project.root, 'feat: shorter summaries')
  const page = await openPage(project, 'prompts/summary/history')
  await page.locator('.history a', { hasText: 'feat: shorter summaries' }).click()
  const changed = page.locator('.diff-line.added')
  await changed.getByText('Be brief.').waitFor()
  await shows(page, 'The lock has this version.')
  await page.locator('.history a', { hasText: 'v22' }).last().click()
  await changed.getByText('Be kind.').first().waitFor()
  await page.getByText('Restore v22 …').click()
  await page.locator('.diff-line.removed').getByText('Be brief.').waitFor()
  await expectAccessible(page)
  await click(page, 'Restore summary')
  await shows(page, /^Reason: restored from [0-9a-f]{7}$/)
  await shows(page, 'Restored summary v22')
})

test('code that does not compile with the lock is named, until it is fixed', async () => {
  const project = await app(SERVED)
  const page = await openPage(project, 'changes')
  await shows(page, '2 places do not compile with the lock')
  await page.goto(new URL('/prompts/review', page.url()).href)
  await shows(page, 'src/main.ts:3')
  await project.writeLock(LOCK)
  await page.locator('#broken').waitFor({ state: 'detached' })
})
