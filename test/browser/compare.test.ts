import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { type Workspace, workspaceFromLock } from '../../src/local-service/workspace.ts'
import { liveLock } from '../helpers/pinned.ts'
import { pageBrowser } from '../helpers/page/browser.ts'
import { choose, openPage } from '../helpers/page/open-page.ts'
import {
  lockFrom,
  playgroundWorkspace,
  testProject,
  type TestProject,
} from '../helpers/page/project.ts'

const browser = pageBrowser()
let workspace: Workspace

beforeAll(async () => {
  workspace = await playgroundWorkspace()
})

async function open(hash = '', project?: TestProject): Promise<Page> {
  return openPage(browser(), project ?? (await testProject(lockFrom(workspace))), hash)
}

describe('comparing', () => {
  test('compares the lock with the service, word by word', async () => {
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
    await expect(page.locator('.changed-fields').innerText()).resolves.toMatch(
      /version\s+v10\s+v11/,
    )
    expect(reads(project)).toBe(1)
  })

  test('reads only on request if the list shows no change', async () => {
    const project = await testProject(lockFrom(workspace), { workspace })
    const page = await open('#/meeting-notes/compare', project)
    await page.getByText('The list of the service matches the lock for this prompt.').waitFor()
    expect(reads(project)).toBe(0)
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByText('Both sides are the same.').waitFor()
    expect(reads(project)).toBe(1)
  })

  test('compares live with staging if both keys are set', async () => {
    const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
    const project = await testProject(lockFrom(workspace), { workspace, env })
    const page = await open('#/sales-follow-up/compare', project)
    await choose(page, 'Live ↔ staging')
    await page.getByText('Variables were added or renamed').waitFor()
    const settings = (await page.locator('.changed-fields').innerText()).replaceAll(/\s+/g, ' ')
    expect(settings).toContain('version v11 v12')
    expect(settings).toContain('variables contact customer_name')
  })

  test('shows no answer to what was compared before', async () => {
    const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
    const project = await testProject(lockFrom(workspace), { workspace, env })
    const page = await open('#/sales-follow-up/compare', project)
    let answer = (): void => undefined
    const answered = page.waitForResponse(/compare\?.*with=service/)
    await page.route(/compare\?.*with=service/, async (route) => {
      await new Promise<void>((resolve) => (answer = resolve))
      await route.continue()
    })
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await choose(page, 'Live ↔ staging')
    await page.getByText('Variables were added or renamed').waitFor()
    answer()
    await (await answered).finished()
    await page.getByText('Variables were added or renamed').waitFor()
    expect(await page.getByText('Both sides are the same.').count()).toBe(0)
  })

  test('offers staging only with a second key, and names the variable for it', async () => {
    const page = await open('#/sales-follow-up/compare')
    await expect(page.getByRole('radio', { name: 'Live ↔ staging' }).isDisabled()).resolves.toBe(
      true,
    )
    await page.getByText('To compare live with staging, set PROMPTS_TEST_API_KEY').waitFor()
  })

  test.each([
    ['the last line end', 'a\nb', 'a\nb\n', ['bno line end'], [String.raw`b\n`]],
    ['CRLF', 'a\r\nb', 'a\nb', [String.raw`a\r`], ['a']],
  ])('shows a change of line ends alone: %s', async (_, before, after, removed, added) => {
    const project = await testProject(liveLock({ system: before }), {
      workspace: workspaceFromLock(liveLock({ system: after, version: 'v23' })),
    })
    const page = await open('#/support-triage/compare', project)
    const lines = (kind: string): Promise<string[]> =>
      page.locator(`.diff-line.${kind} .content`).allInnerTexts()
    await page.getByText('The texts differ.').waitFor()
    expect({ removed: await lines('removed'), added: await lines('added') }).toEqual({
      removed,
      added,
    })
  })

  function reads({ service }: TestProject): number {
    return service.requests.filter(({ path }) => path.startsWith('/api/v1/prompts/')).length
  }
})
