import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { liveLock } from '../helpers/pinned.ts'
import type { Workspace } from '../../src/local-service/workspace.ts'
import { pageBrowser, visit } from '../helpers/page/browser.ts'
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

test('the lines of uses open in the editor', async () => {
  const files = {
    'src/main.ts': `import { prompts } from 'virtual:prompts'\nprompts.supportTriage.render()\n`,
    'tsconfig.json': APP_TSCONFIG,
  }
  const project = await testProject(liveLock({}), { files })
  const opened: string[] = []
  const { url } = await servedPage(project, { launch: async (place) => opened.push(place) > 0 })
  const { page, complaints } = await visit(browser(), `${url}#/support-triage`)
  await page.getByRole('link', { name: 'src/main.ts:2' }).click()
  await expect.poll(() => opened, SOON).toEqual([join(project.root, 'src/main.ts:2:1')])
  expect(complaints).toEqual([])
})

describe('the list', () => {
  test('shows prompts by folder, each in a row of 32 pixels with what it is and one badge', async () => {
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
  })

  test('searches slugs, texts, folders and models', async () => {
    const page = await open()
    const search = page.getByRole('searchbox')
    for (const [query, want] of [
      ['triage', ['support-triage']],
      ['postgresql', ['sql-explainer']],
      ['glossary', ['translate-article']],
      ['gemini', ['translate-article']],
      ['nowhere at all', []],
    ] as const) {
      await search.fill(query)
      await expect.poll(() => shownSlugs(page), SOON).toEqual(want)
    }
    await page.getByText('No prompts found.').waitFor()
    await search.press('Escape')
    expect(await shownSlugs(page)).toHaveLength(10)
  })

  test('is sorted and filtered by a click, which stays beside a prompt', async () => {
    const page = await open()
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

  test('can be used with the keyboard only', async () => {
    const page = await open()
    await page.keyboard.press('/')
    await page.keyboard.type('mar')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'release-notes' }).waitFor()
    await page.waitForURL(/#\/release-notes$/)
    await page.locator('.row a[aria-current]').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
  })
})

describe('a prompt', () => {
  test('has a URL, a title, its settings and its texts with highlighted tokens', async () => {
    const page = await open('#/support-triage')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    expect(await page.title()).toBe('support-triage · Prompts')
    const facts = await page.locator('.facts').innerText()
    expect(facts).toMatch(/^support · v22 · gpt-5\.1 · temperature 0\.2 · 1,0\d\d characters/)
    await expect(page.locator('.access code').innerText()).resolves.toBe('prompts.supportTriage')
    await expect(page.locator('.raw .token').allTextContents()).resolves.toEqual([
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
    await page.locator('.uses').getByText('src/main.ts:2').waitFor()
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
    await choose(page, 'Code')
    await page.getByRole('searchbox').fill('support-')
    await page.waitForURL(/#\/sql-explainer\/try\?as=code&q=support-$/)
    await page.reload()
    await page.getByText('new OpenAI()').waitFor()
    expect((await shownSlugs(page)).toSorted()).toEqual(['support-reply', 'support-triage'])
    await page.locator('.row a', { hasText: 'support-triage' }).click()
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    expect(page.url()).toMatch(/#\/support-triage\/try\?as=code&q=support-$/)
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    await page.waitForURL(/#\/support-triage\?q=support-$/)
    await page.goBack()
    await page.getByText('new OpenAI()').waitFor()
    await expect(page.getByRole('searchbox').inputValue()).resolves.toBe('support-')
  })
})

describe('trying a prompt', () => {
  test('renders while typing, counts characters, and keeps the values in the browser', async () => {
    const page = await open('#/support-triage/try')
    expect(await page.locator('.measure').innerText()).toMatch(
      /1,0\d\d characters, about 2\d\d tokens\s+2 variables have no value$/,
    )
    await page.getByLabel('tone').fill('dry')
    await page.getByLabel('ticket').fill('{{ tone }}\n</script><b>bold</b>')
    const user = page.getByRole('group', { name: 'user message' })
    expect(await user.textContent()).toBe(
      'Ticket, as the customer wrote it:\n\n{{ tone }}\n</script><b>bold</b>',
    )
    expect(await page.locator('.measure').innerText()).not.toContain('no value')
    await page.reload()
    await expect(page.getByLabel('tone').inputValue()).resolves.toBe('dry')
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await page.locator('.measure').innerText()).toContain('2 variables have no value')
  })

  test('copies the messages, and code for each client with what it sends', async () => {
    const page = await open('#/support-triage/try')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = async (what: string): Promise<string> => {
      await page.evaluate('navigator.clipboard.writeText("")')
      await page.getByRole('button', { name: `Copy ${what}` }).click()
      const clipboard = (): Promise<string> =>
        page.evaluate<string>('navigator.clipboard.readText()')
      await expect.poll(clipboard, SOON).not.toBe('')
      return clipboard()
    }
    await page.getByLabel('tone').fill('dry')
    await page.getByLabel('ticket').fill('Help "me"')
    const { system = '', user = '' } = workspace.prompts.get('support-triage')?.live ?? {}
    const [systemText, userText] = [
      system.replace('{{ tone }}', 'dry'),
      user.replace('{{ ticket }}', 'Help "me"'),
    ]
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
})
