import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { liveLock } from '../helpers/pinned.ts'
import type { Workspace } from '../../src/local-service/workspace.ts'
import { expectAccessible, pageBrowser, visit } from '../helpers/page/browser.ts'
import { choose, shownSlugs, openPage } from '../helpers/page/open-page.ts'
import { lockFrom, playgroundWorkspace, servedPage, testProject } from '../helpers/page/project.ts'
import { SOON } from '../helpers/soon.ts'

const browser = pageBrowser()
let workspace: Workspace

beforeAll(async () => {
  workspace = await playgroundWorkspace()
})

async function open(hash = '#/prompts'): Promise<Page> {
  return openPage(browser(), await testProject(lockFrom(workspace)), hash)
}

test('the list shows each prompt in a row of 32 pixels, searches texts, sorts and filters by a click', async () => {
  const page = await open()
  const folders = await page.locator('.row .folder').allTextContents()
  expect([...new Set(folders)]).toEqual(['content', 'engineering', 'ops', 'sales', 'support'])
  const row = page.locator('.row', { hasText: 'code-review' })
  await row.getByText('5 notes').waitFor()
  expect((await row.boundingBox())?.height).toBe(32)
  expect(await row.locator('.badge').count()).toBe(1)
  await row.getByText('unused').waitFor()
  const cells = await row.locator('.cell').allTextContents()
  expect(cells.slice(1)).toEqual(['engineering', 'v14', 'claude-sonnet-4-5', '4', 'unused'])

  const search = page.getByRole('searchbox')
  for (const [query, want] of [
    ['triage', ['support-triage']],
    ['postgresql', ['sql-explainer']],
    ['gemini', ['translate-article']],
    ['nowhere at all', []],
  ] as const) {
    await search.fill(query)
    await expect.poll(() => shownSlugs(page), SOON).toEqual(want)
  }
  await page.getByText('No prompts found.').waitFor()
  await search.press('Escape')
  expect(await shownSlugs(page)).toHaveLength(10)

  await page.getByRole('button', { name: 'variables' }).click()
  await page.getByRole('button', { name: 'variables ↑' }).click()
  const counts = await page.locator('.row .variables').allTextContents()
  expect(counts).toEqual(counts.toSorted((a, b) => Number(b) - Number(a)))
  await choose(page, '3 staged')
  const staged = await shownSlugs(page)
  expect(staged).toHaveLength(3)
  await page.locator('.row a').first().click()
  await page.locator('#slug').waitFor()
  expect(await shownSlugs(page)).toEqual(staged)
})

test('the page can be used with the keyboard only', async () => {
  const page = await open()
  const isOpen = (name: string): Promise<void> =>
    page.getByRole('heading', { level: 1, name }).waitFor()
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  for (const key of ['Control+k', '/']) {
    await press(key)
    await page.keyboard.type('support-t')
    await press('Enter')
    await isOpen('support-triage')
    expect(await page.getByRole('searchbox').count()).toBe(1)
    await press('Escape')
    await page.locator('h1').click()
  }
  await press('g', 'c')
  await page.getByRole('heading', { name: /^Up to date/ }).waitFor()
  await press('g', 'p', '/')
  await page.keyboard.type('mar')
  await press('Escape', 'ArrowDown', 'ArrowDown', 'Enter')
  await isOpen('release-notes')
  await page.waitForURL(/#\/release-notes$/)
  await page.locator('.row a[aria-current]').focus()
  await press('End', 'Enter')
  await isOpen('support-triage')
})

/** Types and resets a search on the changes before the browser tells the page that its address is another one. */
const SEARCH_AT_ONCE = `(async () => {
  const search = document.querySelector('[type=search]')
  for (const text of ['m', 'ma', 'mar']) {
    search.value = text
    search.dispatchEvent(new Event('input', { bubbles: true }))
    await null
  }
  const { value } = search
  search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  return value
})()`

test('no key is lost while the address changes', async () => {
  const page = await open('#/changes')
  expect(await page.evaluate(SEARCH_AT_ONCE)).toBe('mar')
  await page.waitForURL(/#\/prompts$/)
  expect(await page.getByRole('searchbox').inputValue()).toBe('')
  expect(await shownSlugs(page)).toHaveLength(10)
})

test('a prompt has a URL, a title, its settings, its texts with tokens, and messages and code to copy', async () => {
  const page = await open('#/support-triage')
  const { system = '', user = '' } = workspace.prompts.get('support-triage')?.live ?? {}
  await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
  expect(await page.title()).toBe('support-triage · Prompts')
  expect(await page.locator('.facts').innerText()).toMatch(
    /^support · v22 · gpt-5\.1 · temperature 0\.2 · 1,0\d\d characters/,
  )
  expect(await page.locator('.access code').innerText()).toBe('prompts.supportTriage')
  const tokens = await page.locator('.raw .token').allTextContents()
  expect(tokens).toEqual(['{{ tone }}', '{{ ticket }}'])
  expect(await page.locator('.raw').first().textContent()).toBe(`${system}\n`)

  await page.getByRole('link', { name: 'Try', exact: true }).click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = async (what: string): Promise<string> => {
    await page.evaluate('navigator.clipboard.writeText("")')
    await page.getByRole('button', { name: `Copy ${what}` }).click()
    const clipboard = (): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(clipboard, SOON).not.toBe('')
    return clipboard()
  }
  await page.getByLabel('tone').fill('dry')
  await page.getByLabel('ticket').fill('Help "me"')
  const systemText = system.replace('{{ tone }}', 'dry')
  const userText = user.replace('{{ ticket }}', 'Help "me"')
  expect(await copied('system message')).toBe(systemText)
  expect(await copied('user message')).toBe(userText)
  await choose(page, 'Code')
  expect(await copied('code')).toContain(`ticket: 'Help "me"',`)
  expect(JSON.parse(await copied('what is sent'))).toMatchObject({
    messages: [
      { role: 'system', content: systemText },
      { role: 'user', content: userText },
    ],
  })
  await choose(page, 'Anthropic')
  expect(await copied('code')).toContain('toAnthropic(prompts.supportTriage, {')
  expect(JSON.parse(await copied('what is sent'))).toMatchObject({ system: systemText })
  await choose(page, 'AI SDK')
  expect(await copied('code')).toContain('toAISDK(prompts.supportTriage, {')
})

test('a prompt is rendered while typing, with its values kept in the browser and its settings in the URL', async () => {
  const page = await open('#/support-triage/try')
  const measure = page.locator('.measure')
  expect(await measure.innerText()).toMatch(
    /1,0\d\d characters, about 2\d\d tokens\s+2 variables have no value$/,
  )
  await page.getByLabel('tone').fill('dry')
  await page.getByLabel('ticket').fill('{{ tone }}\n</script><b>bold</b>')
  expect(await page.getByRole('group', { name: 'user message' }).textContent()).toBe(
    'Ticket, as the customer wrote it:\n\n{{ tone }}\n</script><b>bold</b>',
  )
  expect(await measure.innerText()).not.toContain('no value')
  await choose(page, 'Code')
  await page.getByRole('searchbox').fill('support-')
  await page.waitForURL(/#\/support-triage\/try\?as=code&q=support-$/)
  await page.reload()
  await page.getByText('new OpenAI()').waitFor()
  expect(await page.getByLabel('tone').inputValue()).toBe('dry')
  await page.getByRole('button', { name: 'Clear' }).click()
  expect(await measure.innerText()).toContain('2 variables have no value')
  expect((await shownSlugs(page)).toSorted()).toEqual(['support-reply', 'support-triage'])
  await page.locator('.row a', { hasText: 'support-reply' }).click()
  await page.getByRole('heading', { level: 1, name: 'support-reply' }).waitFor()
  expect(page.url()).toMatch(/#\/support-reply\/try\?as=code&q=support-$/)
  await page.getByRole('link', { name: 'Text', exact: true }).click()
  await page.waitForURL(/#\/support-reply\?q=support-$/)
  await page.goBack()
  await page.getByText('new OpenAI()').waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('support-')
})

test('the lines that use a prompt open in the editor, and what is not in the lock is named', async () => {
  const files = {
    'src/main.ts': `import { prompts } from 'virtual:prompts'\nprompts.supportTriage.render()\n`,
    'tsconfig.json': APP_TSCONFIG,
  }
  const project = await testProject(
    liveLock({}, { slug: '3d' }, { slug: 'check', system: '{{ uses }}' }),
    { files },
  )
  const opened: string[] = []
  const { url } = await servedPage(project, { launch: async (place) => opened.push(place) > 0 })
  const { page, complaints } = await visit(browser(), `${url}#/support-triage`)
  await page.getByRole('link', { name: 'src/main.ts:2' }).click()
  await expect.poll(() => opened, SOON).toEqual([join(project.root, 'src/main.ts:2:1')])
  await page.locator('.row a', { hasText: '3d' }).click()
  await page.getByText('No code uses it.').waitFor()
  expect(await page.locator('.access code').innerText()).toBe(`prompts['3d']`)
  await page.goto(`${url}#/check/try`)
  expect(await page.getByLabel('uses').inputValue()).toBe('')
  for (const [hash, title, name] of [
    ['#/no%2Fsuch', 'Not in the lock', 'no/such'],
    ['#/support-triage/rewrite', 'Page not found', '#/support-triage/rewrite'],
  ] as const) {
    await page.goto(url + hash)
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await page.locator('.missing code').innerText()).toBe(name)
  }
  expect(complaints).toEqual([])
})

test('a prompt is shown if the code of the app cannot be analysed, with the reason', async () => {
  const files = { 'tsconfig.json': '{ "extends": "./nothing.json" }' }
  const project = await testProject(liveLock({}), { files })
  const page = await openPage(browser(), project, '#/support-triage')
  await page.locator('.raw').first().waitFor()
  await page.locator('.inspector').getByText('TSCONFIG_INVALID').waitFor()
})

test('a long text jumps to its tokens and notes', async () => {
  const sections = Array.from(
    { length: 60 },
    (_, index) => `## Case ${index}\n\nRefund-cases, as {{ agent }} decides.\n\n- one\n- two\n\n`,
  )
  const system = `# Handbook\n\n${sections.join('')}See {{#if}} and {{ ticket }}.`
  const page = await openPage(
    browser(),
    await testProject(liveLock({ system })),
    '#/support-triage',
  )
  for (const [button, text] of [
    ['ticket', '{{ ticket }}'],
    ['agent', '## Case 0'],
    ['{{#if}}', '{{#if}}'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    const isSeen = `[...document.querySelectorAll('.line')].some((line) => {
      const { top, bottom } = line.getBoundingClientRect()
      return line.textContent.includes(${JSON.stringify(text)}) && top >= 0 && bottom <= innerHeight
    })`
    await expect.poll(() => page.evaluate(isSeen), SOON).toBe(true)
  }
  const style = `getComputedStyle(document.querySelector('.raw .note-text'))`
  expect(await page.evaluate(`${style}.textDecorationLine`)).toBe('underline')
  expect(await page.evaluate('document.scrollingElement.scrollTop')).toBe(0)
  await expectAccessible(page)
})
