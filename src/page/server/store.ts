/**
 * What the server knows of one project while a page is open. Everything derives from four things: the
 * lock on disk, the service's list, the texts that were read, and the code of the app.
 */
import { isSamePrompt } from '../../core/compare.ts'
import { heldPrompts } from '../../core/drift.ts'
import { locateEntries } from '../../core/lock/lock-lines.ts'
import type { Lock } from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { usedBy } from '../../core/used-by.ts'
import { originOf } from '../../config/base-url.ts'
import { toPromptsError } from '../../errors/prompts-error.ts'
import { runInThread } from '../../features/background/in-thread.ts'
import type { Project } from '../../features/project/project.ts'
import { readText, sha256 } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { fingerprintFiles } from '../../fs/watch.ts'
import {
  type Answers,
  type ErrorAnswer,
  type ErrorView,
  type ImpactView,
  type ListedPrompt,
  type PageRow,
  type PageState,
  type ReadMode,
  type ServiceView,
  type UsesView,
} from '../protocol.ts'
import { assertShown } from './access.ts'
import { createCache } from './cache.ts'
import {
  afterChanges,
  type Comparison,
  createTexts,
  type Listed,
  stagingOf,
  withRevision,
  withService,
  withStaging,
} from './changes.ts'

/** Options of {@link createStore}. */
export interface StoreOptions {
  /** Runs an analysis of the app's code; replaced in tests. */
  readonly run?: typeof runInThread
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number
}

/** What a request asks for. Not validated: only the script of the page can ask. */
export type PageQuery = Readonly<Record<string, string>>

/** The answers of one project. */
export interface Store {
  readonly answers: {
    readonly [Name in keyof Answers]: (query: PageQuery) => Promise<Answers[Name]>
  }
  /** Reports that the app's code has changed. */
  codeChanged(): void
}

/** Creates the store without reading anything. */
export function createStore(
  project: Project,
  { run = runInThread, now = Date.now }: StoreOptions = {},
): Store {
  const locks = createCache<PinnedLock>(now)
  const code = createAnalyses(project, run, now)
  const texts = createTexts(now)
  const compare = createComparisons(project, now)
  const pinned = async (): Promise<PinnedLock> => {
    const stamp = await fingerprintFiles(...lockPaths(project))
    return locks.get('', { stamp }, () => pinLock(project))
  }
  return {
    codeChanged: code.changed,
    answers: {
      state: async () => {
        const settings = await settingsOf(project)
        return pinned().then(
          ({ hash, prompts }) => ({ ...settings, hash, prompts, lockError: null }),
          (error: unknown) => ({ ...settings, hash: '', prompts: [], lockError: errorView(error) }),
        )
      },
      changes: safely(async (query) => {
        const { lock, hash } = await pinned()
        const mode = modeOf(query)
        const isMetered = mode !== 'none' && mode !== 'list'
        if (isMetered) assertShown(query['lock'], { hash, path: project.lock.path })
        const comparison = await compare(lock, query)
        if (comparison === undefined) return { kind: 'unasked' }
        if (mode === 'list') texts.forgetDrafts()
        const slugs = await slugsOf(mode, texts.rowsOf(comparison), () => code.uses(lock))
        await texts.read(comparison, slugs, mode)
        const rows = texts.rowsOf(comparison)
        return { kind: 'compared', rows, service: serviceView(comparison) }
      }),
      impact: safely(async (query) => {
        const { lock } = await pinned()
        if (query['with'] === 'lock') return code.impact('lock', undefined, lock)
        const comparison = await compare(lock, query)
        const after = comparison ? afterChanges(comparison, texts.rowsOf(comparison)) : lock
        return code.impact(`${query['with']} ${query['base']}`, comparison?.before, after)
      }),
      uses: safely(async () => code.uses((await pinned()).lock)),
    },
  }
}

type Answer<View> = (query: PageQuery) => Promise<View>

function safely<View>(answer: Answer<View>): Answer<View | ErrorAnswer> {
  return (query) => answer(query).catch((error) => ({ kind: 'error', error: errorView(error) }))
}

/** An error for the page, without cause and stack. */
export function errorView(error: unknown): ErrorView {
  const { code, why, fix } = toPromptsError(error)
  return { code, why, fix }
}

/** A project without its prompts. */
async function settingsOf({
  options,
  lock,
}: Project): Promise<Omit<PageState, 'hash' | 'prompts' | 'lockError'>> {
  const { findPackageManager } = await import('../../features/init/package-manager.ts')
  return {
    workspace: options.name,
    environment: options.environment,
    root: options.root,
    lockPath: relativePath(options.root, lock.path),
    readsAlways: options.pull === 'always',
    run: (await findPackageManager(options.root)).run,
  }
}

/** A lock as it is on disk. */
interface PinnedLock {
  readonly lock: Lock
  readonly hash: string
  readonly prompts: readonly ListedPrompt[]
}

/** The files that a page follows: the lock, and the test lock. */
export function lockPaths({ lock, options }: Pick<Project, 'lock' | 'options'>): string[] {
  return [...new Set([lock.path, options.testLock])]
}

async function pinLock(project: Project): Promise<PinnedLock> {
  const lock = await project.readLock()
  const lines = locateEntries((await readText(project.lock.path)) ?? '')
  // Without a test lock, or with a broken one, there is nothing to compare with.
  const testLock = await project.readTestLock().catch(() => lock)
  const staging = indexBySlug(testLock.prompts)
  const prompts = lock.prompts.map((prompt) => {
    const other = staging.get(prompt.slug)
    return {
      ...prompt,
      lockLine: lines.get(prompt.slug)?.entry ?? null,
      staging: other === undefined || isSamePrompt(prompt, other) ? null : other,
    }
  })
  return { lock, hash: sha256(JSON.stringify(prompts)), prompts }
}

/** How long a list of the service is recent, in milliseconds. */
const LIST_AGE = 50_000

/** Returns the comparison of a query; `undefined` if the project never asks its service by itself. */
function createComparisons(project: Project, now: () => number) {
  const lists = createCache<Listed>(now)
  const list = (from: Project, maxAge: number): Promise<Listed> =>
    lists.get(from.options.environment, { stamp: '', maxAge }, async () => {
      const answer = await from.withService((service) => service.list())
      return { project: from, list: answer, checkedAt: now() }
    })
  return async (lock: Lock, query: PageQuery): Promise<Comparison | undefined> => {
    const maxAge = modeOf(query) === 'list' ? 0 : LIST_AGE
    switch (query['with']) {
      case 'revision':
        return withRevision(lock, query['base'] ?? 'HEAD', project)
      case 'staging':
        return withStaging(lock, await list(stagingOf(project, lock), maxAge))
      default: {
        const { pull, environment } = project.options
        const isAsked = maxAge === 0 || pull !== 'never'
        const listed = await (isAsked ? list(project, maxAge) : lists.last(environment))
        return listed && withService(lock, listed)
      }
    }
  }
}

function modeOf(query: PageQuery): ReadMode {
  return (query['read'] ?? 'none') as ReadMode
}

/** The prompts whose texts a mode reads. */
async function slugsOf(
  mode: ReadMode,
  rows: readonly PageRow[],
  findUses: () => Promise<UsesView>,
): Promise<string[]> {
  const unread = rows.filter(({ change }) => change === null).map(({ slug }) => slug)
  if (mode === 'all') return unread
  if (mode.startsWith('slug:')) return unread.filter((slug) => mode === `slug:${slug}`)
  if (mode !== 'used') return []
  const uses = await findUses().catch(() => undefined)
  return uses?.kind === 'analysed' ? unread.filter(usedBy(uses)) : unread
}

function serviceView({ before, service }: Comparison): ServiceView | null {
  if (service === undefined) return null
  const { project, list, checkedAt } = service
  const { baseUrl, environment } = project.options
  const held = heldPrompts(before, { entries: list.prompts, environment })
  return { checkedAt, address: originOf(baseUrl) ?? '', planStatus: list.planStatus, held }
}

/** How long an analysis of code that nobody watches is reused, in milliseconds. */
const CODE_AGE = 30_000

/** The analyses of the app's code. One takes a processor for seconds, so one runs at a time. */
function createAnalyses({ locate }: Project, run: typeof runInThread, now: () => number) {
  const [uses, impacts] = [createCache<UsesView>(now), createCache<ImpactView>(now)]
  const inTurn = createQueue()
  let edits = 0
  const use = (input: unknown): { stamp: string; maxAge: number } => ({
    stamp: `${edits} ${sha256(JSON.stringify(input))}`,
    maxAge: CODE_AGE,
  })
  return {
    changed: () => void edits++,
    uses: (lock: Lock): Promise<UsesView> =>
      uses.get('', use(lock.prompts.map(({ slug }) => slug)), () =>
        inTurn(async () => {
          const { prompts, escapes } = await run('findUsage', { ...(await locate()), lock })
          return { kind: 'analysed', sites: prompts.flatMap(({ sites }) => sites), escapes }
        }),
      ),
    impact: (key: string, before: Lock | undefined, after: Lock): Promise<ImpactView> =>
      impacts.get(key, use([before, after]), () =>
        inTurn(async () => {
          const app = { ...(await locate()), before, after }
          const { findings } = await run('findImpact', app)
          return { kind: 'checked', findings }
        }),
      ),
  }
}
