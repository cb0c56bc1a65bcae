import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { liveLock } from '../helpers/pinned.ts'
import type { Workspace } from '../../src/local-service/workspace.ts'
import { pageBrowser } from '../helpers/page/browser.ts'
import { choose, drawnSlugs, openPage } from '../helpers/page/open-page.ts'
import { lockFrom, playgroundWorkspace, testProject } from '../helpers/page/project.ts'

const browser = pageBrowser()
let workspace: Workspace

beforeAll(async () => {
  workspace = await playgroundWorkspace()
})

async function open(hash = ''): Promise<Page> {
  return openPage(browser(), await testProject(lockFrom(workspace)), hash)
}

describe('the list', () => {
  test('shows prompts by folder with version, model, variables and size', async () => {
    const page = await open()
    await expect(page.locator('.row.folder .name').allInnerTexts()).resolves.toEqual([
      'content',
      'engineering',
      'ops',
      'sales',
      'support',
    ])
    // The notes come after the list, and how the app uses the prompt may come after them.
    const row = page.locator('.row a', { hasText: /code-review.*notes/s })
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^code-review v14 claude-sonnet-4-5 · 4 vars · 1\.1K characters 5 notes\b/,
    )
  })

  test('searches by slug, text, variable and model', async () => {
    const page = await open()
    const search = page.getByRole('searchbox')
    for (const [query, want] of [
      ['triage', ['support-triage']],
      ['tirage', ['support-triage']],
      ['postgresql', ['sql-explainer']],
      ['glossary', ['translate-article']],
      ['model:gemini', ['translate-article']],
      ['is:note', ['code-review']],
      ['nowhere at all', []],
    ] as const) {
      await search.fill(query)
      expect(await drawnSlugs(page)).toEqual(want)
    }
    await expect(page.locator('.nothing').innerText()).resolves.toBe('No prompts found.')
    await search.press('Escape')
    expect(await drawnSlugs(page)).toHaveLength(10)
  })

  test('collapses and expands folders', async () => {
    const page = await open()
    const folder = page.getByRole('button', { name: 'content 3 prompts' })
    await folder.click()
    expect(await drawnSlugs(page)).toHaveLength(7)
    expect(await folder.getAttribute('aria-expanded')).toBe('false')
  })

  test('can be used with the keyboard only', async () => {
    const page = await open()
    await page.keyboard.press('/')
    await page.keyboard.type('mar')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'release-notes' }).waitFor()
    // The address loses the search when the typing pauses.
    await page.waitForURL(/#\/release-notes$/)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    expect(await drawnSlugs(page)).toHaveLength(7)
  })
})

describe('a prompt', () => {
  test('has a URL, a title, its settings and its texts with highlighted tokens', async () => {
    const page = await open('#/support-triage')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    expect(await page.title()).toBe('support-triage · Prompts')
    const facts = (await page.locator('.facts-line').innerText()).replaceAll(/\s+/g, ' ')
    expect(facts).toMatch(/^Version v22 ?Model gpt-5\.1 ?Temperature 0\.2$/i)
    await expect(page.locator('.access code').innerText()).resolves.toBe('prompts.supportTriage')
    await expect(page.locator('.inspector').innerText()).resolves.toMatch(/Hash\s+sha256-\S+…/)
    await expect(page.locator('.raw .token').allInnerTexts()).resolves.toEqual([
      '{{ tone }}',
      '{{ ticket }}',
    ])
    expect(await page.locator('.raw').first().textContent()).toBe(
      `${workspace.prompts.get('support-triage')?.live.system}\n`,
    )
  })

  test('is shown at once, and its uses once the code of the app is analysed', async () => {
    const files = {
      'tsconfig.json': APP_TSCONFIG,
      'src/main.ts': `import { prompts } from 'virtual:prompts'\nprompts.supportTriage.version\n`,
    }
    const page = await openPage(
      browser(),
      await testProject(liveLock({}, { slug: 'unused-one' }), { files }),
      '#/support-triage',
    )
    await page.locator('.raw').first().waitFor()
    await page.locator('.importers').getByText('src/main.ts:2').waitFor()
    await expect(page.locator('.row .badge').allInnerTexts()).resolves.toEqual(['unused'])
    await page.locator('.row a', { hasText: 'unused-one' }).click()
    await page.getByText('No code uses it.').waitFor()
  })

  test('is shown if the code of the app cannot be analysed, with the reason', async () => {
    const files = { 'tsconfig.json': '{ "extends": "./nothing.json" }' }
    const page = await openPage(
      browser(),
      await testProject(liveLock({}), { files }),
      '#/support-triage',
    )
    await page.locator('.inspector').getByText('TSCONFIG_INVALID').waitFor()
  })

  test('that is not in the lock shows a message, and so does an unknown view', async () => {
    const page = await open('#/no%2Fsuch')
    await page.getByRole('heading', { name: 'Not in the lock' }).waitFor()
    await expect(page.locator('.missing code').innerText()).resolves.toBe('no/such')
    await page.goto(page.url().replace(/#.*/, '#/support-triage/rewrite'))
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await expect(page.locator('.missing code').innerText()).resolves.toBe(
      '#/support-triage/rewrite',
    )
  })

  test('keeps the search and the settings of its view in the URL', async () => {
    const page = await open('#/sql-explainer/try')
    await choose(page, 'OpenAI')
    await page.getByRole('searchbox').fill('support-')
    await page.waitForURL(/#\/sql-explainer\/try\?as=openai&q=support-$/)
    await page.reload()
    await page.getByText('new OpenAI()').waitFor()
    expect(await drawnSlugs(page)).toEqual(['support-reply', 'support-triage'])
    await page.locator('.row a', { hasText: 'support-triage' }).click()
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    expect(page.url()).toMatch(/#\/support-triage\/try\?as=openai&q=support-$/)
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    await page.waitForURL(/#\/support-triage\?q=support-$/)
    await page.goBack()
    await page.getByText('new OpenAI()').waitFor()
    await expect(page.getByRole('searchbox').inputValue()).resolves.toBe('support-')
  })
})

describe('trying a prompt', () => {
  async function copied(page: Page, as: string): Promise<string> {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await choose(page, as)
    await page.evaluate('navigator.clipboard.writeText("")')
    await page.locator('.result').getByRole('button').click()
    const clipboard = (): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(clipboard, { timeout: 10_000 }).not.toBe('')
    return clipboard()
  }

  test('renders while typing, counts characters, and keeps the values in the tab', async () => {
    const page = await open('#/support-triage/try')
    const before = await page.locator('.measure').innerText()
    expect(before).toMatch(
      /^1,0\d\d characters · ≈ 2\d\d tokens \(characters ÷ 4\)\s+2 variables have no value$/,
    )
    await page.getByLabel('tone').fill('dry')
    await page.getByLabel('ticket').fill('{{ tone }}\n</script><b>bold</b>')
    const user = page.locator('[data-role="user"]')
    expect(await user.textContent()).toBe(
      'Ticket, as the customer wrote it:\n\n{{ tone }}\n</script><b>bold</b>',
    )
    expect(await page.locator('.measure').innerText()).not.toContain('no value')
    await page.getByLabel('Name for these values').fill('A dry one')
    await page.keyboard.press('Enter')
    await page.reload()
    await expect(page.getByLabel('tone').inputValue()).resolves.toBe('dry')
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await page.locator('.measure').innerText()).toContain('2 variables have no value')
    await page.getByRole('button', { name: 'A dry one', exact: true }).click()
    await expect(page.getByLabel('tone').inputValue()).resolves.toBe('dry')
    await page.getByRole('button', { name: 'Remove A dry one' }).click()
    await page.locator('.saved').waitFor({ state: 'detached' })
  })

  test('copies the text, the messages, and code for each client', async () => {
    const page = await open('#/support-triage/try')
    await page.getByLabel('tone').fill('dry')
    await page.getByLabel('ticket').fill('Help "me"')
    const { system = '', user = '' } = workspace.prompts.get('support-triage')?.live ?? {}
    const [systemText, userText] = [
      system.replace('{{ tone }}', 'dry'),
      user.replace('{{ ticket }}', 'Help "me"'),
    ]
    expect(await copied(page, 'Text')).toBe(`${systemText}\n\n${userText}`)
    expect(JSON.parse(await copied(page, 'JSON'))).toEqual([
      { role: 'system', content: systemText },
      { role: 'user', content: userText },
    ])
    expect(await copied(page, 'OpenAI')).toContain(`ticket: 'Help "me"',`)
    const sent = page.getByRole('group', { name: 'What is sent' })
    expect(JSON.parse(await sent.innerText())).toEqual({
      model: 'gpt-5.1',
      temperature: 0.2,
      messages: [
        { role: 'system', content: systemText },
        { role: 'user', content: userText },
      ],
    })
    expect(await copied(page, 'Anthropic')).toContain('toAnthropic(prompts.supportTriage, {')
    expect(JSON.parse(await sent.innerText())).toMatchObject({ system: systemText })
    expect(await copied(page, 'AI SDK')).toContain('toAISDK(prompts.supportTriage, {')
    expect(await copied(page, 'Vitest')).toContain('prompts.supportTriage.render({')
  })
})
