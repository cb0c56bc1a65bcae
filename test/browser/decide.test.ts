import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { prompts } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { expectAccessible, pageBrowser, visit } from '../helpers/page/browser.ts'
import { openPage } from '../helpers/page/open-page.ts'
import { servedPage, testProject, type TestProject } from '../helpers/page/project.ts'
import { liveLock } from '../helpers/pinned.ts'

const browser = pageBrowser()

const LOCK = liveLock(
  { slug: 'follow-up', user: '{{ recipient }}' },
  { slug: 'review' },
  { slug: 'summary' },
)

/** An update that breaks nothing, one that lacks a variable of a call, and one with a renamed variable. */
const SERVED = liveLock(
  { slug: 'follow-up', version: 'v23', user: '{{ contact }}' },
  { slug: 'review', version: 'v23', system: 'Be {{ tone }}.' },
  { slug: 'summary', version: 'v23', system: 'Be brief.' },
)

const FILES = {
  'tsconfig.json': APP_TSCONFIG,
  'src/main.ts': [
    `import { prompts } from 'virtual:prompts'`,
    '',
    `prompts.followUp.render({ recipient: 'Zoë' })`,
    'prompts.review.render()',
    'prompts.summary.render()',
    '',
  ].join('\n'),
}

async function app(lock: Lock = LOCK): Promise<TestProject> {
  const project = await testProject(lock, { workspace: workspaceFromLock(SERVED), files: FILES })
  commitAll(project.root)
  return project
}

/** What is committed of an app. */
async function filesOf({ root }: TestProject): Promise<string[]> {
  const names = ['prompts.lock.json', 'prompts.d.ts', 'src/main.ts']
  return Promise.all(names.map((name) => readFile(join(root, name), 'utf8').catch(() => '')))
}

function readsOf({ service }: TestProject): number {
  return service.requests.filter(({ path }) => path.startsWith('/api/v1/prompts/')).length
}

function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true })
}

const slugs = (page: Page): Promise<string[]> =>
  page.locator('.change .bar .slug').allTextContents()

const CHECK = 'Check the 3 that your code uses · 3 reads'

test(
  'one change is taken, one held and one fixed and undone, with the files that the terminal writes',
  { timeout: 120_000 },
  async () => {
    const [project, twin] = [await app(), await app()]
    const terminal = async (...args: string[]): Promise<string[]> => {
      const { url } = twin.service
      const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live }
      const { code, stderr } = await prompts(args, { cwd: twin.root, env })
      expect({ code, stderr }).toMatchObject({ code: 0 })
      return filesOf(twin)
    }
    const page = await openPage(browser(), project, '')
    await button(page, CHECK).waitFor()
    expect(readsOf(project)).toBe(0)
    expect(await page.locator('main .bad, main .primary:has-text("Take")').count()).toBe(0)
    await button(page, CHECK).click()
    await page.getByRole('heading', { name: '2 lines of your app would break' }).waitFor()
    expect(readsOf(project)).toBe(3)
    expect(await slugs(page)).toEqual(['follow-up', 'review', 'summary'])
    const marked = page.locator('#live-follow-up .code mark')
    expect(await marked.textContent()).toContain('recipient')

    await button(page, 'Take summary').click()
    await page.getByText('Took summary v23').waitFor()
    await button(page, 'Undo').waitFor()
    expect(await filesOf(project)).toEqual(await terminal('pull', 'summary'))

    await button(page, 'Hold review').click()
    await page.keyboard.press('Escape')
    await button(page, 'Hold it').waitFor({ state: 'hidden' })
    await button(page, 'Hold review').click()
    await page.keyboard.type('Legal reads it.')
    await expectAccessible(page)
    await button(page, 'Hold it').click()
    await page.getByText('Held review v22').waitFor()
    const held = await terminal('hold', 'review', '--reason', 'Legal reads it.')
    expect(await filesOf(project)).toEqual(held)

    await button(page, 'Fix follow-up').click()
    await page.locator('.patch .added').getByText('contact').waitFor()
    await expectAccessible(page)
    expect(await filesOf(project)).toEqual(held)
    await button(page, 'Edit the code and take it').click()
    await page.getByText('Took follow-up v23, edited 1 file: src/main.ts').waitFor()
    const rename = ['--rename', 'follow-up:recipient=contact']
    expect(await filesOf(project)).toEqual(
      await terminal('pull', 'follow-up', '--fix', ...rename, '--yes'),
    )
    await button(page, 'Undo').click()
    await page.getByText('Undone. Pinned again: follow-up v22').waitFor()
    expect(await filesOf(project)).toEqual(held)
    expect(await button(page, 'Undo').count()).toBe(0)
  },
)

test('what breaks nothing is taken at once, and a wording is tried, refused, pinned and released', async () => {
  const project = await app()
  const page = await openPage(browser(), project, 'changes')
  await button(page, CHECK).click()
  await button(page, 'Take what breaks nothing').click()
  await page.getByText('Took summary v23').waitFor()
  expect(await slugs(page)).toEqual(['follow-up', 'review'])

  await page.getByRole('link', { name: 'Edit review' }).click()
  await page.getByLabel('System text').fill('Be {{ tone }}.')
  await button(page, 'Preview').click()
  await page.getByText('1 variable has no value').waitFor()
  await page.getByLabel('tone', { exact: true }).fill('calm & <b>')
  await button(page, 'Preview').click()
  const message = page.getByRole('group', { name: 'system message' })
  await message.getByText('Be calm & <b>.').waitFor()
  await page.getByText('14 characters, about 4 tokens').waitFor()
  const [before] = await filesOf(project)
  await button(page, 'Pin and hold').click()
  await page.getByText(/review stays as it is pinned/).waitFor()
  expect((await filesOf(project))[0]).toBe(before)
  expect(await page.getByLabel('System text').inputValue()).toBe('Be {{ tone }}.')
  await page.getByLabel('System text').fill('Be calm.')
  await button(page, 'Pin and hold').click()
  await page.getByText('Pinned and held review v22-edited').waitFor()
  await button(page, 'Release review').click()
  await page.getByText('The next pull brings the text of the service back.').waitFor()
})

test(
  'a text that comes back untouched pins nothing, whatever is in it',
  { timeout: 120_000 },
  async () => {
    const texts = [...HOSTILE, HOSTILE.join('\n'), '\n<system>\nb', '\n\n', 'a\rb', ' \r\n ']
    const pairs = texts.flatMap((system, index) =>
      index % 2 === 0 ? { slug: `p${index}`, system, user: texts[index + 1] ?? 'x\rx' } : [],
    )
    const lock = liveLock(...pairs)
    const project = await testProject(lock)
    const { url } = await servedPage(project)
    const { page } = await visit(browser(), 'about:blank')
    const [before] = await filesOf(project)
    for (const { slug, user } of lock.parts) {
      await page.goto(`${url}prompts/${slug}/edit`)
      await button(page, 'Pin and hold').click()
      await page.locator('.outcome').getByText('Nothing was written: the lock has this').waitFor()
      if (!/[\r\0]/.test(user)) continue
      await button(page, 'Preview').click()
      await page.locator('#preview').waitFor()
      await button(page, 'Pin and hold').click()
      await page.locator('.outcome').getByText('Nothing was written: the lock has this').waitFor()
      await page.getByLabel('User text').fill('Other.')
      await button(page, 'Pin and hold').click()
      await page.locator('.outcome').getByText(`prompts edit ${slug}`).waitFor()
    }
    expect((await filesOf(project))[0]).toBe(before)
  },
)

test('two windows never contradict each other, and typed text is not lost without a question', async () => {
  const project = await app()
  const { url } = await servedPage(project)
  const { page: first } = await visit(browser(), `${url}prompts/review`)
  const { page: second } = await visit(browser(), `${url}prompts/review/edit`)
  await second.getByLabel('System text').fill('Mine.')
  await button(first, 'Hold review').click()
  await button(first, 'Hold it').click()
  await first.getByText('Held review v22').waitFor()
  await button(second, 'Pin and hold').click()
  await second.getByText('LOCK_CHANGED').waitFor()
  expect(await second.locator('.outcome').innerText()).not.toContain('Held')
  expect(await first.locator('.outcome').innerText()).not.toContain('LOCK_CHANGED')
  expect(await second.getByLabel('System text').inputValue()).toBe('Mine.')
  await second.getByLabel('System text').fill('Mine, too.')
  let asked = 0
  second.on('dialog', (dialog) => {
    asked++
    void dialog.accept()
  })
  await second.getByRole('link', { name: 'Cancel' }).click()
  await second.waitForURL(/\/prompts\/review$/)
  expect(asked).toBe(1)
})

test('without a script, texts are read and checked, and a change is taken, held and undone', async () => {
  const project = await app()
  const page = await openPage(browser(), project, 'changes', { javaScriptEnabled: false })
  const [before] = await filesOf(project)
  await button(page, 'Check now').click()
  await button(page, CHECK).click()
  await button(page, 'Take summary').click()
  await page.getByText('Took summary v23').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('Undone. Pinned again: summary v22').waitFor()
  expect((await filesOf(project))[0]).toBe(before)
  await button(page, 'Hold review').click()
  await button(page, 'Hold it').click()
  await page.getByText('Held review v22').waitFor()
  expect((await filesOf(project))[0]).toContain('"held"')
})

test('a version of the history is shown with its difference and restored', async () => {
  const project = await app()
  await project.writeLock(SERVED)
  commitAll(project.root)
  const page = await openPage(browser(), project, 'prompts/summary')
  await page.getByRole('link', { name: 'History' }).click()
  await page.locator('.history a', { hasText: 'v22' }).last().click()
  await page.locator('.diff-line.added').getByText('Be brief.').waitFor()
  await page.locator('.raw').getByText('Be kind.').waitFor()
  await expectAccessible(page)
  await button(page, 'Restore summary').click()
  await page
    .locator('.strip')
    .getByText(/^restored from [0-9a-f]{7}$/)
    .waitFor()
  await page.getByText('Restored and held summary v22').waitFor()
})

test('code that does not compile with the lock is named, until it is fixed', async () => {
  const project = await app(SERVED)
  const page = await openPage(browser(), project, 'changes')
  const strip = page.getByRole('region', { name: 'Broken code' })
  await strip.getByText('2 places do not compile with the lock').waitFor()
  await page.goto(new URL('/prompts/review', page.url()).href)
  await strip.getByText('src/main.ts:4', { exact: true }).waitFor()
  await project.writeLock(LOCK)
  await strip.waitFor({ state: 'detached' })
})
