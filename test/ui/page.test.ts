import { writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/server/answer.ts'
import { type Workspace, workspaceFromLock } from '../../src/server/workspace.ts'
import { liveLock } from '../helpers/pinned.ts'
import { launchBrowser, visit } from './helpers/browser.ts'
import { buildPage } from './helpers/built-page.ts'
import {
  lockFrom,
  playgroundWorkspace,
  servedPage,
  testProject,
  type TestProject,
} from './helpers/project.ts'

let browser: Browser
let workspace: Workspace

beforeAll(async () => {
  await buildPage()
  browser = await launchBrowser()
  workspace = await playgroundWorkspace()
})

afterAll(() => browser.close())

async function open(hash = '', project?: TestProject): Promise<Page> {
  const { url } = await servedPage(project ?? (await testProject(lockFrom(workspace))))
  const { page } = await visit(browser, url + hash)
  await page.locator('.found').waitFor()
  return page
}

const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('radio', { name, exact: true }).check()

const slugs = (page: Page): Promise<string[]> => page.locator('.row .slug').allInnerTexts()

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
    const row = page.locator('.row a', { hasText: 'code-review' })
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'code-review v14 claude-sonnet-4-5 · 4 vars · 1.1K characters 5 lints',
    )
  })

  test('finds by slug, text, variable and model', async () => {
    const page = await open()
    const search = page.getByRole('searchbox')
    for (const [query, want] of [
      ['triage', ['support-triage']],
      ['postgresql', ['sql-explainer']],
      ['glossary', ['translate-article']],
      ['model:gemini', ['translate-article']],
      ['is:lint', ['code-review']],
      ['nowhere at all', []],
    ] as const) {
      await search.fill(query)
      expect(await slugs(page)).toEqual(want)
    }
    await expect(page.locator('.nothing').innerText()).resolves.toBe('Nothing found.')
    await search.press('Escape')
    expect(await slugs(page)).toHaveLength(10)
  })

  test('closes and opens folders', async () => {
    const page = await open()
    const folder = page.getByRole('button', { name: 'content 3 prompts' })
    await folder.click()
    expect(await slugs(page)).toHaveLength(7)
    expect(await folder.getAttribute('aria-expanded')).toBe('false')
  })

  test('is used by keyboard alone', async () => {
    const page = await open()
    await page.keyboard.press('/')
    await page.keyboard.type('mar')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'release-notes' }).waitFor()
    expect(page.url()).toMatch(/#\/release-notes$/)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    expect(await slugs(page)).toHaveLength(7)
  })
})

describe('a prompt', () => {
  test('has an address, a title, its settings and its texts with the tokens marked', async () => {
    const page = await open('#/support-triage')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    expect(await page.title()).toBe('support-triage · Prompts')
    const facts = (await page.locator('.facts-line').innerText()).replaceAll(/\s+/g, ' ')
    expect(facts).toMatch(
      /Version v22 Model gpt-5\.1 Temperature 0\.2 Hash sha256-\S+… In code prompts\.supportTriage/,
    )
    await expect(page.locator('.raw .token').allInnerTexts()).resolves.toEqual([
      '{{ tone }}',
      '{{ ticket }}',
    ])
    expect(await page.locator('.raw').first().textContent()).toBe(
      `${workspace.prompts.get('support-triage')?.live.system}\n`,
    )
  })

  test('is read as Markdown when that is wanted', async () => {
    const page = await open('#/sql-explainer')
    await choose(page, 'Markdown')
    await expect(page.locator('.markdown .heading').allInnerTexts()).resolves.toEqual([
      'What it answers',
      'How it gets there',
      'Handle with care',
    ])
  })

  test('that is not in the lock says so', async () => {
    const page = await open('#/no%2Fsuch')
    await page.getByRole('heading', { name: 'Not in the lock' }).waitFor()
    await expect(page.locator('.missing code').innerText()).resolves.toBe('no/such')
  })
})

describe('trying a prompt', () => {
  async function copied(page: Page, as: string): Promise<string> {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await choose(page, as)
    await page.locator('.result').getByRole('button').click()
    await page.locator('.result').getByText('Copied').first().waitFor()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }

  test('renders live, counts, and keeps the values in the tab', async () => {
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
    await page.reload()
    await expect(page.getByLabel('tone').inputValue()).resolves.toBe('dry')
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await page.locator('.measure').innerText()).toContain('2 variables have no value')
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
    expect(await copied(page, 'OpenAI')).toContain(String.raw`ticket: "Help \"me\"",`)
    expect(await copied(page, 'Anthropic')).toContain('...toAnthropic(prompts.supportTriage, {')
    expect(await copied(page, 'AI SDK')).toContain('toAISDK(prompts.supportTriage, {')
  })
})

describe('comparing', () => {
  test('holds the lock against what is served now, word by word', async () => {
    const prompts = lockFrom(workspace).prompts.map((prompt) =>
      prompt.slug === 'sales-follow-up'
        ? {
            ...prompt,
            version: 'v10',
            system: prompt.system.replace('At most 130 words', 'At most 90 words'),
            source: prompt.source.replace('At most 130 words', 'At most 90 words'),
          }
        : prompt,
    )
    const project = await testProject({ environment: 'live', prompts }, { workspace })
    const page = await open('#/sales-follow-up/compare', project)
    await page.getByText('The texts differ.').waitFor()
    const marks = page.locator('.diff-line mark:not(.token)')
    await expect(marks.allInnerTexts()).resolves.toEqual(['90', '130'])
    await choose(page, 'Inline')
    await expect(page.locator('.diff-line.removed').innerText()).resolves.toContain(
      'At most 90 words',
    )
    await expect(page.locator('.settings').innerText()).resolves.toMatch(/version\s+v10\s+v11/)
    expect(reads(project)).toBe(1)
  })

  test('spends no read unasked where the list says the same', async () => {
    const project = await testProject(lockFrom(workspace), { workspace })
    const page = await open('#/meeting-notes/compare', project)
    await page.getByText('The service lists this prompt as the lock has it.').waitFor()
    expect(reads(project)).toBe(0)
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByText('Both sides are the same.').waitFor()
    expect(reads(project)).toBe(1)
  })

  test('holds live against staging where both keys are there', async () => {
    const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
    const project = await testProject(lockFrom(workspace), { workspace, env })
    const page = await open('#/sales-follow-up/compare', project)
    await choose(page, 'Live ↔ staging')
    await page.getByText('Variables are new or renamed').waitFor()
    const settings = (await page.locator('.settings').innerText()).replaceAll(/\s+/g, ' ')
    expect(settings).toContain('version v11 v12')
    expect(settings).toContain('variables contact customer_name')
  })

  test('offers staging only with a second key', async () => {
    const page = await open('#/sales-follow-up/compare')
    await expect(page.getByRole('radio', { name: 'Live ↔ staging' }).isDisabled()).resolves.toBe(
      true,
    )
  })

  function reads({ service }: TestProject): number {
    return service.requests.filter(({ path }) => path.startsWith('/api/v1/prompts/')).length
  }
})

describe('live', () => {
  test('follows the lock, and shows what keeps it from being read', async () => {
    const project = await testProject(liveLock({ system: 'Before.' }))
    const page = await open('#/support-triage', project)
    await page.getByText('Before.').waitFor()
    await project.writeLock(liveLock({ system: 'After.' }, { slug: 'another' }))
    await page.getByText('After.').waitFor()
    expect(await slugs(page)).toEqual(['another', 'support-triage'])
    await writeFile(project.lockPath, '<<<<<<< HEAD\n')
    await page.getByText('LOCK_CONFLICTED').waitFor()
    await project.writeLock(liveLock({ system: 'Mended.' }))
    await page.getByText('Mended.').waitFor()
  })

  test('shows the state of the service and asks again', async () => {
    const project = await testProject(liveLock({}))
    const page = await open('', project)
    const state = page.locator('.service [role="status"]')
    await page.getByText('In step with the service').waitFor()
    expect((await state.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^In step with the service ?, checked at 12:00$/,
    )
    await project.serve(workspaceFromLock(liveLock({ version: 'v23' }, { slug: 'new' })))
    await page.getByRole('button', { name: 'Check the service now' }).click()
    await page.getByText('2 changes waiting').waitFor()
    await expect(page.locator('.row .badge').allInnerTexts()).resolves.toEqual(['→ v23'])
    await page.getByText('1 prompt of the service not pinned yet').waitFor()
  })

  test('says that the service refuses the key, without the key', async () => {
    const key = 'svc_live_Canary0123456789abcdefXYZ'
    const page = await open('', await testProject(liveLock({}), { env: { PROMPTS_API_KEY: key } }))
    await page.getByText('refused the key from PROMPTS_API_KEY').waitFor()
    expect(await page.content()).not.toContain(key)
  })

  test('works from the lock alone without a key', async () => {
    const page = await open('', await testProject(liveLock({}), { env: { PROMPTS_API_KEY: '' } }))
    await page.getByText('No service: the lock alone').waitFor()
    expect(await slugs(page)).toEqual(['support-triage'])
  })

  test('says when the server is gone', async () => {
    const { url, close } = await servedPage(await testProject(liveLock({})))
    const { page } = await visit(browser, url)
    await page.getByText('In step with the service').waitFor()
    await close()
    await page.getByRole('alert').getByText('does not answer').waitFor()
    expect(await slugs(page)).toEqual(['support-triage'])
  })
})
