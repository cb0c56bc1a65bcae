import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { liveLock } from '../helpers/pinned.ts'
import { expectAccessible, pageBrowser } from '../helpers/page/browser.ts'
import { choose, openPage } from '../helpers/page/open-page.ts'
import { testProject } from '../helpers/page/project.ts'

const browser = pageBrowser()

/** A slug that is markup, and a reason that is. */
const SLUG = `a'<img src=x onerror="document.title='hacked'">`
const REASON = 'Wait for <b>legal</b>.'

const LOCK = liveLock(
  { slug: 'support-triage' },
  { slug: SLUG },
  { slug: 'held', held: { reason: REASON } },
)

const FILES = {
  'pnpm-lock.yaml': '',
  'tsconfig.json': APP_TSCONFIG,
  'src/main.ts': `import { prompts } from 'virtual:prompts'\nprompts.supportTriage.render()\n`,
}

test('the changes show every diff, what breaks, what is held, and commands to copy', async () => {
  const served = liveLock(
    { slug: 'support-triage', version: 'v23', system: 'Be {{ tone }}.' },
    { slug: SLUG, version: 'v23', system: '<script>alert(1)</script>' },
    { slug: 'held', version: 'v23' },
  )
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const project = await testProject(LOCK, {
    workspace: workspaceFromLock(served),
    env,
    files: FILES,
  })
  commitAll(project.root)
  const page = await openPage(browser(), project, '')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: '2 changes waiting' }).click()
  const impact = page.getByRole('region', { name: 'Impact' })
  await impact.getByText('src/main.ts:2').waitFor()
  await page.getByRole('region', { name: 'Without breaking changes' }).getByText('tone').waitFor()
  const change = page.getByRole('region', { name: 'support-triage', exact: true })
  await change.getByText('breaks 1 place').waitFor()
  await expect(change.locator('.diff-line.added').first().innerText()).resolves.toContain(
    '{{ tone }}',
  )
  await change.getByRole('button', { name: /pnpm prompts pull support-triage/ }).click()
  await change.getByText('Copied').first().waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe('pnpm prompts pull support-triage')
  const held = page.getByRole('region', { name: 'Held prompts' })
  await held.getByText(REASON).waitFor()
  await held.getByText('pnpm prompts release held').first().waitFor()
  await page.getByRole('heading', { name: SLUG }).waitFor()
  await page.getByText('<script>alert(1)</script>').waitFor()
  expect(await page.title()).not.toBe('hacked')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
})

test('the changes since a revision are linked to, and a wrong one is explained', async () => {
  const project = await testProject(LOCK, { files: FILES })
  commitAll(project.root)
  await project.writeLock(liveLock({ slug: 'support-triage', system: 'Be brief.' }))
  const page = await openPage(browser(), project, '#/changes?with=revision')
  await page.getByText('3 changes', { exact: true }).waitFor()
  await page.getByText('prompts restore --from HEAD support-triage').first().waitFor()
  await page.getByLabel('Branch, tag or commit').fill('no-such-branch')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('REVISION_UNREADABLE').waitFor()
  await page.waitForURL(/#\/changes\?with=revision&base=no-such-branch$/)
  await choose(page, 'Service')
  await page.getByText('2 added').waitFor()
})

test('many changes are read on request only, and nothing is guessed before', async () => {
  const slugs = Array.from({ length: 30 }, (_, index) => ({ slug: `prompt-${index}` }))
  const served = liveLock(...slugs.map((each) => ({ ...each, version: 'v23', user: 'New.' })))
  const project = await testProject(liveLock(...slugs), { workspace: workspaceFromLock(served) })
  const page = await openPage(browser(), project, '#/changes')
  await page.getByText('Class and impact are not checked yet.').waitFor()
  const reads = (): number =>
    project.service.requests.filter(({ path }) => path.startsWith('/api/v1/prompts/')).length
  expect(reads()).toBe(0)
  await page.getByRole('button', { name: 'Read 30 prompts' }).click()
  await page.getByText('30 text').waitFor()
  await page.getByText('No change can break a call.').waitFor()
  expect(reads()).toBe(30)
})
