/**
 * What the server knows of one project while a page is open. Everything derives from four things: the
 * lock on disk, the service's list, the texts that were read, and the code of the app.
 */
import { readFile } from 'node:fs/promises'
import { printBytes } from '../../core/lock/print-lock.ts'
import { isSamePrompt } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptList as ServiceList } from '../../core/service.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { usedBy } from '../../core/used-by.ts'
import { originOf } from '../../config/base-url.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import { runInThread } from '../../features/background/in-thread.ts'
import { driftReport } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { fingerprintFiles } from '../../fs/watch.ts'
import {
  type Answers,
  type ChangesView,
  type ImpactView,
  OPEN,
  type PageState,
  type PromptList,
  type ReadMode,
  type ServiceView,
  type UsesView,
} from '../protocol.ts'
import { createCache } from './cache.ts'
import {
  afterChanges,
  type Comparison,
  createReadings,
  type Readings,
  withRevision,
  withService,
  otherKeyVariable,
  compareWithStaging,
} from './changes.ts'
import { errorAnswer, errorView } from './error-view.ts'

/** Options of {@link createStore}. */
export interface StoreOptions {
  /** Runs an analysis of the app's code; replaced in tests. */
  readonly run?: typeof runInThread
  /** URL prefix that opens a file in the editor; the path is appended. Default: {@link OPEN}. */
  readonly editor?: string
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number
}

/** The query of a request. */
export type PageQuery = Readonly<Record<string, string>>

/** The answers of one project. */
export interface Store {
  readonly answers: {
    readonly [Name in keyof Answers]: (query: PageQuery) => Promise<Answers[Name]>
  }
  /** Reports that the app's code has changed. */
  codeChanged(): void
}

/** How long a list of the service, and an analysis of code that nobody watches, is reused. */
const LIST_AGE = 50_000
const CODE_AGE = 30_000

/** Codes that mean that no service is configured, not that a request failed. */
const OFF: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['KEY_MISSING', 'BASE_URL_MISSING'])

/** The last answer of the service. */
type Listed =
  | { readonly kind: 'listed'; readonly checkedAt: number; readonly list: ServiceList }
  | (ServiceView & { readonly kind: 'off' | 'failed' })

/** Creates the store without reading anything. */
export function createStore(
  project: Project,
  { run = runInThread, editor = `${OPEN}?file=`, now = Date.now }: StoreOptions = {},
): Store {
  const locks = createCache<PinnedLock>()
  const code = createCodeAnalyses(project, run, now)
  const service = createServiceList(project, now)
  const readings = { service: createReadings(now), staging: createReadings(now) }
  const readPinned = async (): Promise<PinnedLock> => {
    const stamp = await fingerprintFiles(...lockPaths(project))
    return locks.get('', { stamp }, () => pinLock(project, stamp))
  }
  const { read, checkImpact } = createComparisons(project, { code, service, readings })
  const whatIsPinned = (): Promise<Pick<PageState, 'lock' | 'service'>> =>
    readPinned().then(
      ({ lock, revision }) => ({
        lock: { kind: 'read', revision },
        service: serviceView(project, lock, service.last(), readings.service),
      }),
      (error: unknown) => ({ lock: errorAnswer(error), service: { kind: 'unasked' } }),
    )
  return {
    codeChanged: code.changed,
    answers: {
      state: async () => ({ ...(await settingsOf(project, editor)), ...(await whatIsPinned()) }),
      list: () =>
        readPinned()
          .catch(() => ({ revision: '', prompts: [] }))
          .then(toList),
      async service({ fresh }) {
        const { lock } = await readPinned()
        await service.ask(fresh !== undefined)
        return serviceView(project, lock, service.last(), readings.service)
      },
      uses: () => readPinned().then(({ lock }) => code.uses(lock), errorAnswer),
      changes: (query) =>
        readPinned()
          .then((pinned) => read(pinned, query))
          .catch(errorAnswer),
      impact: (query) =>
        readPinned()
          .then((pinned) => checkImpact(pinned, query))
          .catch(errorAnswer),
    },
  }
}

/** What comparisons are made with. */
interface ComparisonTools {
  readonly code: CodeAnalyses
  readonly service: AskedService
  readonly readings: { readonly service: Readings; readonly staging: Readings }
}

/** The changes of a query, after its reads, and what they break. */
interface Comparisons {
  read(pinned: PinnedLock, query: PageQuery): Promise<ChangesView>
  checkImpact(pinned: PinnedLock, query: PageQuery): Promise<ImpactView>
}

function createComparisons(
  project: Project,
  { code, service, readings }: ComparisonTools,
): Comparisons {
  const compare = async ({ lock }: PinnedLock, query: PageQuery): Promise<Comparison> => {
    if (query['with'] === 'revision') return withRevision(lock, project, query['base'] ?? 'HEAD')
    if (query['with'] === 'staging') return compareWithStaging(lock, project)
    await service.ask(false)
    const listed = service.last()
    if (listed?.kind === 'listed') return withService(lock, listed.list, project)
    return { before: lock, rows: [], project, stamps: new Map() }
  }
  const readingsOf = (query: PageQuery): Readings =>
    readings[query['with'] === 'staging' ? 'staging' : 'service']
  return {
    async read(pinned, query) {
      const comparison = await compare(pinned, query)
      const mode = (query['read'] ?? 'none') as ReadMode
      const slugs = await slugsOf(mode, comparison, () => code.uses(pinned.lock))
      await readingsOf(query).read(comparison, slugs, mode)
      return { kind: 'compared', ...readingsOf(query).known(comparison) }
    },
    async checkImpact(pinned, query) {
      if (query['with'] === 'lock') return code.impact('impact lock', undefined, pinned.lock)
      const comparison = await compare(pinned, query)
      const { rows } = readingsOf(query).known(comparison)
      const key = `impact ${query['with']} ${query['base']}`
      return code.impact(key, comparison.before, afterChanges(comparison, rows))
    },
  }
}

function toList({ revision, prompts }: PromptList): PromptList {
  return { revision, prompts }
}

/** The part of the state that does not depend on the lock. */
async function settingsOf(
  { options, lock }: Project,
  editor: string,
): Promise<Omit<PageState, 'lock' | 'service'>> {
  const { findPackageManager } = await import('../../features/init/package-manager.ts')
  return {
    workspace: options.name,
    environment: options.environment,
    root: options.root,
    lockPath: relativePath(options.root, lock.path),
    editor,
    missingKey: options.otherKey === undefined ? otherKeyVariable(options) : null,
    readsAlways: options.pull === 'always',
    run: (await findPackageManager(options.root)).run,
  }
}

function serviceView(
  project: Project,
  lock: Lock,
  listed: Listed | undefined,
  readings: Readings,
): ServiceView {
  if (listed?.kind !== 'listed') return listed ?? { kind: 'unasked' }
  const { list, checkedAt } = listed
  const { isSelected, baseUrl } = project.options
  const { rows } = readings.known(withService(lock, list, project))
  const { held, planStatus } = driftReport(lock, list, isSelected)
  const address = originOf(baseUrl) ?? ''
  return { kind: 'reached', checkedAt, address, planStatus, changes: rows, held }
}

/** The service's list, which is asked for at most once at a time. */
interface AskedService {
  readonly last: () => Listed | undefined
  /** Unless the last answer is recent, or the project never pulls by itself. */
  readonly ask: (isForced: boolean) => Promise<void>
}

function createServiceList(project: Project, now: () => number): AskedService {
  let last: Listed | undefined
  let asking: Promise<void> | undefined
  const ask = async (): Promise<void> => {
    last = await listService(project, now)
    asking = undefined
  }
  return {
    last: () => last,
    async ask(isForced) {
      const isFresh = last !== undefined && 'checkedAt' in last && now() - last.checkedAt < LIST_AGE
      if (isForced || (!isFresh && project.options.pull !== 'never')) await (asking ??= ask())
    },
  }
}

/** The analyses of the app's code. One takes a processor for seconds, so one runs at a time. */
interface CodeAnalyses {
  uses(lock: Lock): Promise<UsesView>
  impact(key: string, before: Lock | undefined, after: Lock): Promise<ImpactView>
  changed(): void
}

function createCodeAnalyses(
  { locate }: Project,
  run: typeof runInThread,
  now: () => number,
): CodeAnalyses {
  const analyses = createCache<UsesView | ImpactView>(now)
  let edits = 0
  let last: Promise<unknown> = Promise.resolve()
  const analyse = async <View extends UsesView | ImpactView>(
    key: string,
    stamp: string,
    work: () => Promise<View>,
  ): Promise<View> => {
    const use = { stamp: `${edits} ${stamp}`, maxAge: CODE_AGE }
    const started = edits
    const view = await analyses.get(key, use, () => {
      const next = last.then(work).catch(errorAnswer)
      last = next
      return next
    })
    // A change during an analysis needs another one.
    return started === edits ? (view as View) : analyse(key, stamp, work)
  }
  return {
    changed: () => void edits++,
    uses: (lock) =>
      analyse('uses', JSON.stringify(lock.prompts.map(({ slug }) => slug)), async () => {
        const { prompts, escapes } = await run('findUsage', { ...(await locate()), lock })
        return { kind: 'analysed', sites: prompts.flatMap(({ sites }) => sites), escapes }
      }),
    impact: (key, before, after) =>
      analyse(key, sha256(JSON.stringify([before, after])), async () => {
        const app = { ...(await locate()), before, after }
        const { findings } = await run('findImpact', app)
        return { kind: 'checked', findings }
      }),
  }
}

/** A lock as it is on disk. */
interface PinnedLock extends PromptList {
  readonly lock: Lock
}

/** The files that a page follows: the lock, and the test lock. */
export function lockPaths({ lock, options }: Pick<Project, 'lock' | 'options'>): string[] {
  return [...new Set([lock.path, options.testLock])]
}

async function pinLock(project: Project, revision: string): Promise<PinnedLock> {
  const lock = await project.readLock()
  const lines = slugLines(await readFile(project.lock.path, 'utf8').catch(() => ''))
  // Without a test lock, or with a broken one, there is nothing to compare with.
  const testLock = await project.readTestLock().catch(() => lock)
  const staging = indexBySlug(testLock.prompts)
  const prompts = lock.prompts.map((prompt) => {
    const hash = sha256(printBytes(prompt))
    const other = staging.get(prompt.slug)
    return {
      ...prompt,
      integrity: hash,
      lockLine: lines.get(prompt.slug) ?? null,
      staging: other === undefined || isSamePrompt(prompt, other) ? null : other,
    }
  })
  return { lock, revision, prompts }
}

/** The lines of a lock with slugs, counted from 1. In a text, the quotes would be escaped. */
function slugLines(text: string): Map<string, number> {
  const lines = text.split('\n').map((line, index): [string, number][] => {
    const slug = /^\s*"slug": ("(?:[^"\\]|\\.)*"),?\s*$/.exec(line)?.[1]
    return slug === undefined ? [] : [[JSON.parse(slug) as string, index + 1]]
  })
  return new Map(lines.flat())
}

async function listService({ withService: use }: Project, now: () => number): Promise<Listed> {
  try {
    const list = await use((service) => service.list())
    return { kind: 'listed', checkedAt: now(), list }
  } catch (error) {
    const view = errorView(error)
    if (isPromptsError(error) && OFF.has(error.code)) return { kind: 'off', error: view }
    return { kind: 'failed', checkedAt: now(), error: view }
  }
}

/** The prompts whose texts a mode reads. */
async function slugsOf(
  mode: ReadMode,
  { rows }: Comparison,
  findUses: () => Promise<UsesView>,
): Promise<string[]> {
  const unread = rows.filter(({ change }) => change === null).map(({ slug }) => slug)
  if (mode === 'all') return unread
  if (mode.startsWith('slug:')) return unread.filter((slug) => mode === `slug:${slug}`)
  if (mode !== 'used') return []
  const uses = await findUses()
  return uses.kind === 'analysed' ? unread.filter(usedBy(uses)) : unread
}
