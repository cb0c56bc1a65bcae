import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { pageBrowser } from '../helpers/page/browser.ts'
import { lookAt } from '../helpers/page/looks.ts'
import { lockFrom, playgroundWorkspace, servedPage, testProject } from '../helpers/page/project.ts'

const browser = pageBrowser()

/** TypeScript checks the app. */
const COMPILED = { timeout: 30_000 }

/** Clicks a button that reads texts, unless that was done in another window, and waits for the result. */
async function read(page: Page, button: string, result: Locator): Promise<void> {
  const offer = page.getByRole('button', { name: button })
  await offer.or(result).first().waitFor(COMPILED)
  if (await offer.isVisible()) await offer.click()
  await result.waitFor(COMPILED)
}

/** A screenshot: a place of the page, and the actions there. */
const PLACES: readonly {
  readonly name: string
  readonly hash: string
  readonly act: (page: Page) => Promise<unknown>
}[] = [
  {
    name: 'changes',
    hash: '#/',
    act: (page) =>
      read(
        page,
        'Check the 1 that your code uses',
        page.getByText('2 lines of your app would break'),
      ),
  },
  {
    name: 'prompt',
    hash: '#/sales-follow-up',
    act(page) {
      const waits = page.getByRole('region', { name: 'What waits' })
      return read(page, 'Read the text', waits.getByText('src/sales/remind.ts:5').first())
    },
  },
  {
    name: 'notes',
    hash: '#/code-review',
    act: (page) => page.getByText('Several template languages').first().waitFor(),
  },
  {
    name: 'try',
    hash: '#/support-reply/try?as=code',
    async act(page) {
      await page.getByLabel('product').fill('Northwind Desk')
      await page.getByLabel('customer_name').fill('Zoë')
      await page.getByLabel('knowledge').fill('Invitations expire after 14 days.')
      await page.getByRole('group', { name: 'What is sent' }).getByText('expire').waitFor()
    },
  },
]

test.each(PLACES)(
  '$name is accessible in every window and logs nothing to the console',
  async ({ name, hash, act }) => {
    const project = await testProject(await olderLock(), {
      workspace: await playgroundWorkspace(),
      env: { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test },
      files: FILES,
    })
    const url = (await servedPage(project)).url + hash
    await lookAt(browser(), {
      name,
      url,
      isKept: true,
      async settle(page) {
        await page.waitForSelector('.dot.news', { state: 'attached' })
        await act(page)
      },
    })
  },
)

/** The playground's prompts as pinned before the service changed. */
async function olderLock(): Promise<Lock> {
  const { environment, parts } = lockFrom(await playgroundWorkspace())
  const older = (part: PinnedPrompt): Partial<PinnedPrompt> | undefined =>
    part.environment === 'live' ? OLDER[part.slug]?.(part) : undefined
  return { environment, parts: parts.map((part) => ({ ...part, ...older(part) })) }
}

/** What the lock has instead of the fields that the service serves. */
const OLDER: Readonly<Record<string, (served: PinnedPrompt) => Partial<PinnedPrompt>>> = {
  'sales-follow-up': ({ user, source }) => ({
    version: 'v10',
    temperature: 0.5,
    user: user.replace('{{ contact }}', '{{ recipient }}'),
    source: source.replace('{{ contact }}', '{{ recipient }}'),
  }),
  'release-notes': () => ({ version: 'v5', temperature: 0.2 }),
  'incident-summary': () => ({ version: 'v8', model: 'claude-sonnet-4' }),
}

/** An app that an update would break. */
const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': APP_TSCONFIG,
  'src/content/publish.ts': [
    `import { prompts } from 'virtual:prompts'`,
    '',
    `export const followUp = (recipient: string, call_notes: string) =>`,
    `  prompts.salesFollowUp.render({ product: 'Desk', recipient, call_notes }).text`,
  ].join('\n'),
  'src/sales/remind.ts': [
    `import { prompts } from 'virtual:prompts'`,
    '',
    'export function remind(recipient: string, call_notes: string) {',
    `  const product = 'Northwind Desk'`,
    '  return prompts.salesFollowUp.render({ product, recipient, call_notes }).messages',
    '}',
  ].join('\n'),
}
