import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { prompts } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { expectAccessible, pageBrowser } from '../helpers/page/browser.ts'
import { openPage } from '../helpers/page/open-page.ts'
import { testProject, type TestProject } from '../helpers/page/project.ts'
import { liveLock } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'

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

async function app(): Promise<TestProject> {
  const project = await testProject(LOCK, { workspace: workspaceFromLock(SERVED), files: FILES })
  commitAll(project.root)
  return project
}

/** What is committed of an app. */
async function filesOf({ root }: TestProject): Promise<string[]> {
  const names = ['prompts.lock.json', 'prompts.d.ts', 'src/main.ts']
  return Promise.all(names.map((name) => readFile(join(root, name), 'utf8').catch(() => '')))
}

function button(page: Page, name: string): ReturnType<Page['getByRole']> {
  return page.getByRole('button', { name, exact: true })
}

test(
  'one change is taken, one held and one fixed and undone, with the files that the terminal writes',
  { timeout: 60_000 },
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
    page.setDefaultTimeout(30_000)
    await button(page, 'Check the 3 that your code uses · 3 reads').click()
    await page.getByRole('heading', { name: '2 lines of your app would break' }).waitFor()
    const marked = page.locator('.change', { hasText: 'follow-up' }).locator('.code mark')
    expect(await marked.innerText()).toContain('recipient')
    expect(await page.getByText(/prompts pull(?! --)/).count()).toBe(0)

    await button(page, 'Take summary').click()
    await button(page, 'Undo').waitFor()
    expect(await filesOf(project)).toEqual(await terminal('pull', 'summary'))

    await button(page, 'Hold review').click()
    await page.getByLabel('Why, for the reviewers of the lock').fill('Legal reads it.')
    await expectAccessible(page)
    await button(page, 'Hold it').click()
    const held = await terminal('hold', 'review', '--reason', 'Legal reads it.')
    await expect.poll(() => filesOf(project), SOON).toEqual(held)

    await button(page, 'Fix follow-up').click()
    await page.locator('.patch .added').getByText('contact').waitFor()
    await expectAccessible(page)
    expect(await filesOf(project)).toEqual(held)
    await button(page, 'Edit the code and take it').click()
    const rename = ['--rename', 'follow-up:recipient=contact']
    const fixed = await terminal('pull', 'follow-up', '--fix', ...rename, '--yes')
    await expect.poll(() => filesOf(project), SOON).toEqual(fixed)
    await button(page, 'Undo').click()
    await expect.poll(() => filesOf(project), SOON).toEqual(held)
    await button(page, 'Undo').waitFor({ state: 'detached' })
  },
)

test('what breaks nothing is taken at once, and an edited text is pinned and held', async () => {
  const project = await app()
  const page = await openPage(browser(), project, '')
  await button(page, 'Check the 3 that your code uses · 3 reads').click()
  await button(page, 'Take what breaks nothing').click()
  await page.locator('.change', { hasText: 'summary' }).waitFor({ state: 'detached' })
  expect(await page.locator('.change').count()).toBe(2)

  await button(page, 'Edit review').click()
  await page.getByRole('textbox', { name: 'system text' }).fill('Be {{ tone }}.')
  await button(page, 'Pin and hold these texts').click()
  await page.getByText(/review stays as it is pinned/).waitFor()
  await page.getByRole('textbox', { name: 'system text' }).fill('Be calm.')
  await button(page, 'Pin and hold these texts').click()
  await page.locator('.change', { hasText: 'review' }).waitFor({ state: 'detached' })
  expect((await filesOf(project))[0]).toContain('Be calm.')
  await page.getByRole('link', { name: /^Prompts/ }).click()
  await page.getByRole('radio', { name: '1 edited' }).check()
  await page.getByRole('link', { name: /review/ }).click()
  await button(page, 'Release review').click()
  await page.getByText('The next pull brings the text of the service back.').waitFor()
})

test('a version of the history is shown with its difference and restored', async () => {
  const project = await testProject(LOCK)
  commitAll(project.root)
  await project.writeLock(SERVED)
  commitAll(project.root)
  const page = await openPage(browser(), project, '#/summary')
  await page.getByRole('link', { name: 'History' }).click()
  await page.locator('.change summary', { hasText: 'v22' }).last().click()
  await page.locator('.diff-line.added').getByText('Be brief.').waitFor()
  await page.locator('.raw').getByText('Be kind.').waitFor()
  await expectAccessible(page)
  await button(page, 'Restore summary').click()
  await page.getByText(/^restored from [0-9a-f]{7}$/).waitFor()
})
