import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import type { UseView } from '../../src/page/protocol.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { pageBrowser } from '../helpers/page/browser.ts'
import { lookAt } from '../helpers/page/looks.ts'
import { lockFrom, playgroundWorkspace, servedPage, testProject } from '../helpers/page/project.ts'

/** The playground's prompts as pinned before the service changed. */
async function olderLock(): Promise<ReturnType<typeof lockFrom>> {
  const { environment, prompts } = lockFrom(await playgroundWorkspace())
  return {
    environment,
    prompts: prompts.map((prompt) => ({ ...prompt, ...OLDER[prompt.slug]?.(prompt) })),
  }
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

const USES: readonly UseView[] = [
  {
    file: 'src/triage.ts',
    path: '/app/src/triage.ts',
    side: null,
    escapes: [],
    mentions: { 'support-triage': [4, 9], 'support-reply': [12] },
  },
  {
    file: 'src/widget/Reply.vue',
    path: '/app/src/widget/Reply.vue',
    side: 'client',
    escapes: [],
    mentions: { 'support-reply': [31] },
  },
  {
    file: 'src/content/publish.ts',
    path: '/app/src/content/publish.ts',
    side: null,
    escapes: [],
    mentions: {
      'email-subject-lines': [8],
      'translate-article': [14, 40],
      'release-notes': [22],
      'sales-follow-up': [4],
      'incident-summary': [60],
    },
  },
  {
    file: 'src/sales/remind.ts',
    path: '/app/src/sales/remind.ts',
    side: null,
    escapes: [],
    mentions: { 'sales-follow-up': [5], 'meeting-notes': [9] },
  },
  {
    file: 'src/review.ts',
    path: '/app/src/review.ts',
    side: null,
    escapes: [],
    mentions: { 'code-review': [7] },
  },
]

/** An app that an update would break. */
const FILES = {
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

const browser = pageBrowser()

async function playgroundPage(): Promise<string> {
  const project = await testProject(await olderLock(), {
    workspace: await playgroundWorkspace(),
    env: { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test },
    files: FILES,
  })
  return (await servedPage(project, USES)).url
}

/** A screenshot: a place of the page, and the actions there. */
const PLACES: readonly {
  readonly name: string
  readonly hash: string
  readonly settled: string
  readonly act?: (page: Page) => Promise<unknown>
}[] = [
  {
    name: 'overview',
    hash: '#/',
    settled: 'text=Updates waiting',
    async act(page) {
      const offer = page.getByRole('button', { name: 'Check the app' })
      const result = page.getByText('2 lines of your app would break')
      await offer.or(result).waitFor()
      if (await offer.isVisible()) await offer.click()
      // TypeScript checks the app twice.
      await result.waitFor({ timeout: 30_000 })
    },
  },
  { name: 'prompt', hash: '#/support-triage', settled: 'text=You triage incoming tickets' },
  { name: 'notes', hash: '#/code-review', settled: 'text=Several template languages' },
  {
    name: 'try',
    hash: '#/support-reply/try',
    settled: 'text=What we know about this topic',
    async act(page) {
      await page.getByLabel('product').fill('Northwind Desk')
      await page.getByLabel('customer_name').fill('Zoë')
      await page
        .getByLabel('knowledge')
        .fill('Invitations expire after 14 days.\nAdmins can resend them under Settings → People.')
      await page.locator('[data-role="user"]', { hasText: 'resend' }).waitFor({ state: 'attached' })
    },
  },
  { name: 'changes', hash: '#/changes', settled: 'text=Without breaking changes' },
  {
    name: 'compare',
    hash: '#/sales-follow-up/compare',
    settled: 'text=2 places would fail',
    act: (page) => page.locator('.row .badge.breaking').waitFor({ state: 'attached' }),
  },
]

test.each(PLACES)(
  '$name is accessible in every window and logs nothing to the console',
  async ({ name, hash, settled, act }) => {
    const url = (await playgroundPage()) + hash
    await lookAt(browser(), {
      name,
      url,
      isKept: true,
      async settle(page) {
        await page.waitForSelector('.dot.news', { state: 'attached' })
        await page.waitForSelector(settled, { state: 'attached' })
        await act?.(page)
      },
    })
  },
)
