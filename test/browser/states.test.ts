import { rm, writeFile } from 'node:fs/promises'
import { test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { liveLock, lockOf } from '../helpers/pinned.ts'
import { pageBrowser } from '../helpers/page/browser.ts'
import { lookAt } from '../helpers/page/looks.ts'
import { servedPage, testProject, type TestProject } from '../helpers/page/project.ts'

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

/** TypeScript checks the app. */
const COMPILED = { timeout: 30_000 }

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
  readonly hash?: string
  readonly lock?: Lock
  readonly served?: Lock
  readonly env?: Record<string, string>
  readonly prepare?: (project: TestProject) => Promise<unknown>
  /** Clicked before the text is there. */
  readonly click?: string
  /** The text that shows that the page is in the state. */
  readonly shows: string
}

const STATES: readonly State[] = [
  {
    name: 'no lock',
    prepare: ({ lockPath }) => rm(lockPath),
    shows: 'This page follows the lock',
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
    hash: '#/changes',
    shows: 'The service was not checked yet',
  },
  { name: 'changes that are not checked', served: SERVED, shows: 'Check the 1 that' },
  {
    name: 'changes that break the app',
    served: SERVED,
    click: 'Check the 1 that your code uses · 1 read',
    shows: '2 lines of your app would break',
  },
  { name: 'nothing to pull', hash: '#/changes', shows: 'Up to date, 12:00' },
  { name: 'held prompts', served: SERVED, hash: '#/prompts?show=held', shows: '1 of 3 prompts' },
  {
    name: 'many changes',
    lock: many('v22'),
    served: many('v23'),
    hash: '#/changes',
    shows: '30 changes wait',
  },
  {
    name: 'staging that no key reads',
    served: WITH_DRAFT,
    hash: '#/changes',
    shows: 'not read: needs a test key',
  },
  {
    name: 'staging',
    env: STAGING_KEY,
    served: WITH_DRAFT,
    hash: '#/changes',
    click: 'Check the 1 that your code uses · 1 read',
    shows: '1 change waits, and does not break your app',
  },
  {
    name: 'the history of a prompt',
    hash: '#/support-triage/history',
    prepare: async ({ root }) => commitAll(root),
    shows: new Date().toISOString().slice(0, 10),
  },
  {
    name: 'a history without git',
    hash: '#/support-triage/history',
    shows: 'REVISION_UNREADABLE',
  },
  { name: 'all prompts', hash: '#/prompts', shows: '3 prompts pinned' },
  {
    name: 'a prompt that the service no longer has',
    served: SERVED,
    hash: '#/gone',
    shows: 'A removal waits',
  },
  { name: 'a held prompt without a folder', hash: '#/support-reply', shows: 'Legal reads it' },
  {
    name: 'a prompt without variables',
    hash: '#/support-reply/try',
    shows: 'This prompt has none.',
  },
  { name: 'code for a client', hash: '#/support-triage/try?as=code', shows: 'new OpenAI()' },
  { name: 'a missing prompt', hash: '#/no-such-prompt', shows: 'Not in the lock' },
  {
    name: 'a search without results',
    hash: '#/prompts?q=nowhere-at-all',
    shows: 'No prompts found.',
  },
]

test.each(STATES)(
  '$name is accessible in every window',
  async ({ name, hash = '', lock = LOCK, served = lock, env = {}, prepare, click, shows }) => {
    const workspace = workspaceFromLock(served)
    const project = await testProject(lock, { workspace, env, files: FILES })
    await prepare?.(project)
    const url = (await servedPage(project)).url + hash
    await lookAt(browser(), {
      name,
      url,
      async settle(page) {
        const text = page.getByText(shows).first()
        const isShown = (): Promise<void> => text.waitFor({ state: 'attached', ...COMPILED })
        if (click !== undefined) {
          // The server remembers what was read in another window, so the button may go by itself.
          const button = page.getByRole('button', { name: click, exact: true })
          await Promise.any([isShown(), button.click(COMPILED)])
        }
        await isShown()
        // The list may show the text already, next to a prompt that is still read.
        await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached', ...COMPILED })
      },
    })
  },
)
