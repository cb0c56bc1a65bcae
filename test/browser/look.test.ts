import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { pageBrowser } from '../helpers/page/browser.ts'
import { FILES, olderLock } from '../helpers/page/look-app.ts'
import { lookAt } from '../helpers/page/looks.ts'
import { playgroundWorkspace, servedPage, testProject } from '../helpers/page/project.ts'

const browser = pageBrowser()

async function playgroundPage(): Promise<string> {
  const project = await testProject(await olderLock(), {
    workspace: await playgroundWorkspace(),
    env: { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test },
    files: FILES,
  })
  return (await servedPage(project)).url
}

/** TypeScript checks the app. */
const COMPILED = { timeout: 30_000 }

/** Reads what the app uses, unless that was done in another window. */
async function checkApp(page: Page): Promise<void> {
  const offer = page.getByRole('button', { name: /^Check the 1 that your code uses/ })
  const result = page.getByText('2 lines of your app would break')
  await offer.or(result).waitFor(COMPILED)
  if (await offer.isVisible()) await offer.click()
  await result.waitFor(COMPILED)
}

/** A screenshot: a place of the page, and the actions there. */
const PLACES: readonly {
  readonly name: string
  readonly hash: string
  readonly act: (page: Page) => Promise<unknown>
}[] = [
  { name: 'changes', hash: '#/', act: checkApp },
  {
    name: 'prompt',
    hash: '#/sales-follow-up',
    async act(page) {
      const offer = page.getByRole('button', { name: 'Read the text · 1 read' })
      const result = page
        .getByRole('region', { name: 'What waits' })
        .getByText('src/sales/remind.ts:5')
        .first()
      await offer.or(result).waitFor(COMPILED)
      if (await offer.isVisible()) await offer.click()
      await result.waitFor(COMPILED)
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
    const url = (await playgroundPage()) + hash
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
