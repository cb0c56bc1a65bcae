import { rm, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { liveLock, lockOf } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'
import { expectAccessible, keepScreenshot, pageBrowser, visit } from '../helpers/page/browser.ts'
import {
  lockFrom,
  playgroundWorkspace,
  servedPage,
  testProject,
  type TestProject,
} from '../helpers/page/project.ts'

const browser = pageBrowser()

const LOCK = liveLock(
  { slug: 'support-triage', system: 'Be {{ tone }}. {{#if}}', user: '{{ ticket }}' },
  { slug: 'support-reply', folder: '', held: { reason: 'Legal reads it until the end of May.' } },
  { slug: 'gone', folder: 'sales' },
)

/** One update that breaks a call, one that is held, one prompt that is gone and one that is new. */
const SERVED = liveLock(
  { slug: 'support-triage', version: 'v23', system: 'Be {{ voice }}.', user: '{{ ticket }}' },
  { slug: 'support-reply', version: 'v23' },
  { slug: 'a-new-prompt-with-a-long-name' },
)

const FILES = {
  'tsconfig.json': APP_TSCONFIG,
  'src/main.ts': [
    `import { prompts } from 'virtual:prompts'`,
    `prompts.supportTriage.render({ tone: 'calm', ticket: 'It beeps.' })`,
    'prompts.gone.render()',
  ].join('\n'),
}

const STAGING_KEY = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
const REFUSED_KEY = { PROMPTS_API_KEY: 'svc_live_Canary0123456789abcdefXYZ' }

const ATTACHED = { ...SOON, state: 'attached' } as const

const LIVE = LOCK.parts.find(({ slug }) => slug === 'support-triage')
const DRAFT = { ...LIVE, version: 'v30', user: '{{ ticket }} {{ extra }}' }

/** The service with a draft of a prompt. */
const WITH_DRAFT = lockOf({ live: LOCK.parts, staging: [DRAFT] })

function many(version: string): Lock {
  return liveLock(
    ...Array.from({ length: 30 }, (_, index) => ({ slug: `prompt-${index}`, version })),
  )
}

/** A state of the page: a project, what is done to it and to the page, and what is shown then. */
interface State {
  readonly name: string
  /** Whether it is the playground with an older lock, of which `npm run screenshots` keeps pictures. */
  readonly isPlayground?: boolean
  readonly path?: string
  readonly lock?: Lock
  readonly served?: Lock
  readonly env?: Record<string, string>
  readonly prepare?: (project: TestProject) => Promise<unknown>
  /** Clicked before the text is there. */
  readonly click?: string
  /** Typed before the click, by label. */
  readonly fill?: Readonly<Record<string, string>>
  /** Whether the document is asked for again: what breaks is open from the beginning. */
  readonly isReloaded?: boolean
  /** The text that shows that the page is in the state. */
  readonly shows: string
}

const CHECK = 'Check the 1 that your code uses · 1 read'

const STATES: readonly State[] = [
  {
    name: 'no lock',
    prepare: ({ lockPath }) => rm(lockPath),
    shows: 'page follows the lock',
  },
  {
    name: 'a conflicted lock',
    prepare: ({ lockPath }) => writeFile(lockPath, '<<<<<<< HEAD\n'),
    shows: 'LOCK_CONFLICTED',
  },
  { name: 'a refused key', env: REFUSED_KEY, shows: 'KEY_REFUSED' },
  { name: 'no service', env: { PROMPTS_BASE_URL: '' }, shows: 'BASE_URL_MISSING' },
  {
    name: 'a service that is not asked',
    env: { PROMPTS_PULL: 'never' },
    shows: 'The service was not checked yet',
  },
  { name: 'changes that are not checked', served: SERVED, shows: 'Check the 1 that' },
  { name: 'nothing to pull', path: 'changes', shows: 'Up to date, 12:00' },
  { name: 'a search', served: SERVED, path: 'prompts?q=support', shows: '2 of 3 prompts' },
  { name: 'many changes', lock: many('v22'), served: many('v23'), shows: '30 changes wait' },
  {
    name: 'staging that no key reads',
    served: WITH_DRAFT,
    path: 'changes',
    shows: 'not read: needs a test key',
  },
  {
    name: 'staging',
    env: STAGING_KEY,
    served: WITH_DRAFT,
    click: CHECK,
    shows: '1 change waits, and does not break your app',
  },
  {
    name: 'the history of a prompt',
    path: 'prompts/support-triage/history',
    prepare: async ({ root }) => commitAll(root),
    shows: new Date().toISOString().slice(0, 10),
  },
  { name: 'all prompts', path: 'prompts', shows: '3 prompts pinned' },
  {
    name: 'a prompt that the service no longer has',
    served: SERVED,
    path: 'prompts/gone',
    shows: 'v22 → gone',
  },
  { name: 'a held prompt', path: 'prompts/support-reply', shows: 'Legal reads it' },
  { name: 'a missing prompt', path: 'prompts/no-such-prompt', shows: 'Page not found' },
  { name: 'a search without results', path: 'prompts?q=nowhere', shows: 'No prompts found.' },
  {
    name: 'changes',
    isPlayground: true,
    click: CHECK,
    isReloaded: true,
    shows: '2 lines of your app would break',
  },
  {
    name: 'prompt',
    isPlayground: true,
    path: 'prompts/sales-follow-up',
    click: 'Read the text · 1 read',
    shows: 'Waits in the service',
  },
  {
    name: 'notes',
    isPlayground: true,
    path: 'prompts/code-review',
    shows: 'Several template languages',
  },
  {
    name: 'try',
    isPlayground: true,
    path: 'prompts/support-reply/edit',
    fill: {
      product: 'Northwind Desk',
      customer_name: 'Zoë',
      knowledge: 'Invitations expire after 14 days.',
    },
    click: 'Preview',
    shows: '1 variable has no value',
  },
]

test.each(STATES)(
  '$name is accessible, whole and logs nothing: dark, light and on a phone',
  async (state) => {
    const { name, path = '', isPlayground = false } = state
    const project = await (isPlayground ? playground() : projectOf(state))
    await state.prepare?.(project)
    const url = (await servedPage(project)).url + path
    const viewport = { width: 1440, height: 900 }
    const { page, complaints } = await visit(browser(), url, { viewport, colorScheme: 'dark' })
    const expectGood = async (look: string, rules?: 'colours'): Promise<void> => {
      if (isPlayground) await keepScreenshot(page, `${name}-${look}`)
      await expectAccessible(page, rules)
      // The console names the status of what is not there.
      const others = complaints.filter((text) => !text.includes('404 (Not Found)'))
      expect({ look, others }).toEqual({ look, others: [] })
    }
    await settle(page, state)
    await expectGood('dark')
    await expectNothingWraps(page)
    await page.emulateMedia({ colorScheme: 'light' })
    await expectNothingWraps(page)
    // Nothing but `light-dark()` depends on the scheme.
    await expectGood('light', 'colours')
    await makeNarrow(page)
    await expectGood('narrow')
    await expectNothingCutOff(page)
  },
)

function projectOf({ lock = LOCK, served = lock, env = {} }: State): Promise<TestProject> {
  return testProject(lock, { workspace: workspaceFromLock(served), env, files: FILES })
}

/** Brings an opened page into its state. */
async function settle(page: Page, { click, fill = {}, isReloaded, shows }: State): Promise<void> {
  for (const [label, value] of Object.entries(fill))
    await page.getByLabel(label, { exact: true }).fill(value)
  if (click !== undefined)
    await page.getByRole('button', { name: click, exact: true }).first().click(SOON)
  await page.getByText(shows).first().waitFor(ATTACHED)
  if (isReloaded) await page.reload()
  // The list may show the text already, while the code is still analysed.
  await page.locator('main [aria-busy="true"]').waitFor({ ...SOON, state: 'detached' })
}

/** What has one line at 1280 pixels: bars, rows and buttons. */
const LINES = '.header, .bar, .change .actions, .views, .row > a, .button, .facts'

async function expectNothingWraps(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1280, height: 800 })
  const wrapped = await page.evaluate<string[]>(`
    [...document.querySelectorAll(${JSON.stringify(LINES)})].flatMap((element) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const rects = []
      while (texts.nextNode()) {
        if (texts.currentNode.parentElement.closest('.offscreen, [popover]')) continue
        const range = document.createRange()
        range.selectNode(texts.currentNode)
        rects.push(...range.getClientRects())
      }
      const bottom = Math.min(...rects.map((rect) => rect.bottom))
      return rects.some(({ top }) => top >= bottom) ? [element.innerText] : []
    })`)
  expect(wrapped).toEqual([])
  if (size) await page.setViewportSize(size)
}

async function makeNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 375, height: 667 })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  expect(await page.evaluate(`matchMedia('(pointer: coarse)').matches`)).toBe(true)
}

/** WCAG 1.4.10: 320 pixels are the width of a window of 1280 at 400 % zoom. */
async function expectNothingCutOff(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 568 })
  const cutOff = `[...document.querySelectorAll('html, body, main, .header, .body')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ className, id }) => id || className)`
  expect(await page.evaluate(cutOff)).toEqual([])
}

/** An app that an update would break, with the playground's prompts as pinned before the service changed. */
async function playground(): Promise<TestProject> {
  return testProject(await olderLock(), {
    workspace: await playgroundWorkspace(),
    env: STAGING_KEY,
    files: PLAYGROUND_FILES,
  })
}

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

const PLAYGROUND_FILES: Readonly<Record<string, string>> = {
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
