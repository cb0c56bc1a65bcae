import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { liveLock } from '../helpers/pinned.ts'
import { expectAccessible, pageBrowser } from '../helpers/page/browser.ts'
import { choose, openPage } from '../helpers/page/open-page.ts'
import { SOON } from '../helpers/soon.ts'
import { testProject, type TestProject } from '../helpers/page/project.ts'

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

const SERVED = liveLock(
  { slug: 'support-triage', version: 'v23', system: 'Be {{ tone }}.' },
  { slug: SLUG, version: 'v23', system: '<script>alert(1)</script>' },
  { slug: 'held', version: 'v23' },
)

function reads({ service }: TestProject): number {
  return service.requests.filter(({ path }) => path.startsWith('/api/v1/prompts/')).length
}

async function app(served = SERVED, env: Record<string, string> = {}): Promise<TestProject> {
  return testProject(LOCK, { workspace: workspaceFromLock(served), env, files: FILES })
}

const CHECK = 'Check the 1 that your code uses · 1 read'

test('what waits opens first, is checked for its price, and is read one by one', async () => {
  const project = await app(SERVED, { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test })
  const page = await openPage(browser(), project, '')
  await page.getByRole('heading', { name: '2 changes wait' }).waitFor()
  await page.getByRole('link', { name: 'Changes 2' }).waitFor()
  const [first, other] = [page.locator('.change').first(), page.locator('.change').nth(1)]
  expect(await page.locator('main .bad').count()).toBe(0)
  await page.getByRole('button', { name: CHECK }).click()
  const headline = page.getByRole('heading', { name: '1 line of your app would break' })
  await headline.waitFor()
  expect(reads(project)).toBe(1)
  await first.getByText('src/main.ts:2', { exact: true }).waitFor()
  expect(await first.locator('.diff-line.added').first().innerText()).toContain('{{ tone }}')
  await other.getByText('not used').waitFor()

  const focused = (): Promise<string> =>
    page.locator('.change summary:focus .slug').innerText({ timeout: 5000 })
  for (const [key, slug] of [
    ['j', 'support-triage'],
    ['j', SLUG],
    ['k', 'support-triage'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await focused()).toBe(slug)
  }
  await other.locator('summary').click()
  await other.getByRole('button', { name: 'Read the text · 1 read' }).click()
  await other.getByText('<script>alert(1)</script>').waitFor()
  expect(reads(project)).toBe(2)
  expect(await page.title()).not.toBe('hacked')

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await first.getByText('Command', { exact: true }).click()
  await first.getByRole('button', { name: /pnpm prompts pull --fix support-triage/ }).click()
  await first.getByText('Copied').first().waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe('pnpm prompts pull --fix support-triage')

  // Never answered: the headline is the same over a reload, while the code is checked again.
  await page.route(/api\/(?:uses|impact)$/, () => undefined)
  await page.reload()
  await headline.waitFor()
  await page.getByRole('link', { name: 'Prompts 3' }).click()
  await choose(page, '1 held')
  await page.locator('.row a').click()
  await page.getByText(REASON).waitFor()
  await page.getByText('Waits: v22 → v23').waitFor()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
})

test('a project that pulls at every start reads what waits by itself', async () => {
  const project = await app(SERVED, { PROMPTS_PULL: 'always' })
  const page = await openPage(browser(), project, '')
  await page.getByRole('heading', { name: '1 line of your app would break' }).waitFor()
  expect(reads(project)).toBe(2)
})

test('changes that break nothing are called so once that is proven', async () => {
  const served = [{ slug: 'support-triage', version: 'v23', system: 'Be brief.' }, { slug: SLUG }]
  const page = await openPage(browser(), await app(liveLock(...served)), '')
  await page.getByRole('button', { name: CHECK }).click()
  await page.getByRole('heading', { name: '1 change waits, and does not break your app' }).waitFor()
  await page.getByText('breaks nothing', { exact: true }).waitFor()
  expect(await page.locator('main .bad').count()).toBe(0)
})

test('a prompt says what waits for it, and shows it after one read', async () => {
  const project = await app()
  const page = await openPage(browser(), project, '#/support-triage')
  const strip = page.getByRole('region', { name: 'What waits' })
  await strip.getByText('v23 waits').waitFor()
  expect(reads(project)).toBe(0)
  await strip.getByRole('button', { name: 'Read the text · 1 read' }).click()
  await strip.getByText('v23 waits: +tone, system text').waitFor()
  await strip.getByText('src/main.ts:2').waitFor()
  await strip.getByText('What changes').click()
  await strip.locator('.diff-line.added').first().waitFor()
  await page.getByRole('link', { name: 'Try', exact: true }).click()
  await choose(page, 'Both')
  await page.getByLabel('tone').fill('kind')
  const text = page.getByRole('group', { name: 'system message, the same' })
  await expect.poll(() => text.allInnerTexts(), SOON).toEqual(['Be kind.'])
  expect(reads(project)).toBe(1)
})

test('the diff of a text shows an appended line, a line end at the end, and CRLF that became LF', async () => {
  const texts: Readonly<Record<string, readonly [before: string, after: string]>> = {
    more: ['a\nb', 'a\nb\nc'],
    tail: ['a\nb', 'a\nb\n'],
    line: ['a\r\nb', 'a\nb'],
  }
  const before = Object.entries(texts).map(([slug, [system]]) => ({ slug, system }))
  const after = Object.entries(texts).map(([slug, [, system]]) => ({ slug, system, version: 'v9' }))
  const workspace = workspaceFromLock(liveLock(...after))
  const project = await testProject(liveLock(...before), { workspace })
  const page = await openPage(browser(), project, '#/changes')
  await page.getByRole('button', { name: 'Read all 3 · 3 reads' }).click()
  const changed: unknown[] = []
  for (const slug of Object.keys(texts)) {
    const change = page.locator('.change', { hasText: slug })
    await change.locator('summary').first().click()
    await change.locator('.diff-line.added').first().waitFor()
    const lines = (kind: string): Promise<string[]> =>
      change.locator(`.diff-line.${kind} .content`).allInnerTexts()
    changed.push([await lines('removed'), await lines('added')])
  }
  expect(changed).toEqual([
    [[], ['c']],
    [[], ['']],
    [[String.raw`a\r`], ['a']],
  ])
})

test('among 1,000 changes, the one that breaks the code is first after one read', async () => {
  const names = Array.from({ length: 999 }, (_, index) => ({ slug: `prompt-${index}` }))
  const waiting = names.map((prompt) => ({ ...prompt, version: 'v23' }))
  const served = liveLock({ version: 'v23', system: 'Be {{ tone }}.' }, ...waiting)
  const workspace = workspaceFromLock(served)
  const project = await testProject(liveLock({}, ...names), { workspace, files: FILES })
  const page = await openPage(browser(), project, '')
  // TypeScript checks the app.
  page.setDefaultTimeout(40_000)
  await page.getByRole('heading', { name: '1,000 changes wait' }).waitFor()
  await page.getByRole('button', { name: CHECK }).click()
  const broken = page.locator('.change').first()
  await broken.getByText('src/main.ts:2', { exact: true }).waitFor()
  expect(reads(project)).toBe(1)
})

test('code that does not compile with the lock is named, until it is fixed', async () => {
  const project = await testProject(SERVED, { files: FILES })
  const page = await openPage(browser(), project, '#/changes')
  const strip = page.getByRole('region', { name: 'Broken code' })
  await strip.getByText('1 place does not compile with the lock').waitFor()
  await strip.getByText('src/main.ts:2', { exact: true }).waitFor()
  await page.goto(page.url().replace(/#.*/, '#/support-triage'))
  await strip.getByText('src/main.ts:2', { exact: true }).waitFor()
  await expectAccessible(page)
  await project.writeLock(LOCK)
  await strip.waitFor({ state: 'detached' })
})
