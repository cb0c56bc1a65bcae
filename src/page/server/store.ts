/**
 * What the server knows of one project while a page is open. Everything derives from four things: the
 * lock on disk, the service's list, the texts that were read, and the code of the app.
 */
import { applyChanges } from '../../core/compare.ts'
import { locateParts } from '../../core/lock/lock-lines.ts'
import { type Lock, pairParts, type PartId, partKey } from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import { PromptsError, toPromptsError } from '../../errors/prompts-error.ts'
import { runInThread } from '../../features/background/in-thread.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import type { Project, ShownLock } from '../../features/project/project.ts'
import { readText, sha256 } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { fingerprintFiles } from '../../fs/watch.ts'
import {
  type Answers,
  type ErrorAnswer,
  type ErrorView,
  type HistoryView,
  type ImpactView,
  mayUse,
  type PageQuery,
  type PageState,
  readChanges,
  type ReadMode,
  type UsesView,
} from '../protocol.ts'
import { Cache } from './cache.ts'
import { changesSince, ServiceChanges } from './changes.ts'
import { createDecisions, type Screen } from './decide.ts'

/** Options of {@link createStore}. */
export interface StoreOptions {
  /** Runs an analysis of the app's code; replaced in tests. */
  readonly run?: typeof runInThread
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number
}

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
  const locks = new Cache<PinnedLock>(now)
  const code = createAnalyses(project, run, now)
  const waiting = new ServiceChanges(project, now)
  const decisions = createDecisions(project, run)
  const pinned = async (): Promise<PinnedLock> => {
    const stamp = await fingerprintFiles(project.lock.path)
    return locks.get({ stamp }, () => pinLock(project))
  }
  /** The lock, if it is the one that a window shows: nothing is written and no read spent for another. */
  const onScreen = async (query: PageQuery): Promise<PinnedLock> => {
    const lock = await pinned()
    if (query['lock'] !== lock.shown.hash)
      throw new PromptsError('LOCK_CHANGED', { path: project.lock.path })
    return lock
  }
  const screen = async (query: PageQuery): Promise<Screen> => {
    const { base, lock } = await onScreen(query)
    return { base, lock, changes: async () => readChanges(await waiting.compare(lock)) }
  }
  return {
    codeChanged: code.changed,
    answers: {
      state: async () => {
        const settings = await settingsOf(project)
        return pinned().then(
          ({ base, shown }) => {
            return { ...settings, ...shown, canUndo: decisions.canUndo(base), lockError: null }
          },
          (error: unknown) => ({ ...settings, ...NOTHING, lockError: errorView(error) }),
        )
      },
      changes: safely(async (query) => {
        if (query['with'] === 'revision')
          return changesSince(query['base'] ?? 'HEAD', (await pinned()).lock, project)
        const mode = (query['read'] ?? 'none') as ReadMode
        const isMetered = mode !== 'none' && mode !== 'list'
        const { lock } = await (isMetered ? onScreen(query) : pinned())
        const view = await waiting.compare(lock, mode === 'list')
        if (!isMetered || view.kind !== 'compared') return view
        return waiting.read(lock, await askedBy(mode, () => code.uses(lock)))
      }),
      impact: safely(async (query) => {
        const { lock } = await pinned()
        if (query['with'] === 'lock') return code.impact('lock', undefined, lock)
        const changes = readChanges(await waiting.compare(lock))
        return code.impact('changes', lock, applyChanges(lock, changes))
      }),
      uses: safely(async () => code.uses((await pinned()).lock)),
      history: safely((query) => readVersions(project, query)),
      fix: safely(async (query) => decisions.planFix(await screen(query), query)),
      write: safely(async (query) => decisions.write(await screen(query), query)),
    },
  }
}

/** The highest number of commits that the page lists. */
const VERSIONS = 50

async function readVersions({ lock }: Project, { slug }: PageQuery): Promise<HistoryView> {
  const { readHistory } = await import('../../features/log/read-history.ts')
  return { kind: 'read', ...(await readHistory(lock, { slug, limit: VERSIONS })) }
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
}: Project): Promise<Omit<PageState, keyof LockState | 'canUndo' | 'lockError'>> {
  const { findPackageManager } = await import('../../features/init/package-manager.ts')
  return {
    workspace: options.name,
    root: options.root,
    lockPath: relativePath(options.root, lock.path),
    readsAlways: options.pull === 'always',
    canWrite: options.page === true,
    run: (await findPackageManager(options.root)).run,
  }
}

/** A lock as it is on disk. */
interface PinnedLock extends ShownLock {
  readonly shown: LockState
}

/** What of it the page shows. */
type LockState = Pick<PageState, 'environment' | 'hash' | 'prompts'>

const NOTHING = { environment: null, hash: '', prompts: [], canUndo: false }

async function pinLock(project: Project): Promise<PinnedLock> {
  const { base, lock } = await project.show()
  const lineOf = locateParts((await readText(project.lock.path)) ?? '')
  const prompts = pairParts(lock).map(({ prompt, staging }) => {
    return { ...prompt, lockLine: lineOf(prompt) ?? null, staging }
  })
  const [environment, hash] = [project.servedView(lock), sha256(JSON.stringify(prompts))]
  return { base, lock, shown: { environment, hash, prompts } }
}

/** The parts whose texts a mode reads. */
async function askedBy(
  mode: ReadMode,
  findUses: () => Promise<UsesView>,
): Promise<(part: PartId) => boolean> {
  if (mode === 'all') return () => true
  if (mode !== 'used') return (part) => mode === `part:${partKey(part)}`
  return mayUse(await findUses().catch(() => undefined))
}

/** How long an analysis of code that nobody watches is reused, in milliseconds. */
const CODE_AGE = 30_000

/** The analyses of the app's code. One takes a processor for seconds, so one runs at a time. */
function createAnalyses({ locate }: Project, run: typeof runInThread, now: () => number) {
  const usage = new Cache<UsesView>(now)
  const impacts = { lock: new Cache<ImpactView>(now), changes: new Cache<ImpactView>(now) }
  const inTurn = createQueue()
  let edits = 0
  const keep = <View>(
    cache: Cache<View>,
    input: unknown,
    analyse: (location: AppLocation) => Promise<View>,
  ): Promise<View> => {
    const stamp = `${edits} ${sha256(JSON.stringify(input))}`
    return cache.get({ stamp, maxAge: CODE_AGE }, () => inTurn(async () => analyse(await locate())))
  }
  return {
    changed: () => void edits++,
    uses: (lock: Lock): Promise<UsesView> =>
      keep(usage, lock.parts.map(partKey), async (location) => {
        const { prompts, escapes } = await run('findUsage', [{ ...location, lock }])
        return { kind: 'analysed', sites: prompts.flatMap(({ sites }) => sites), escapes }
      }),
    impact: (
      of: keyof typeof impacts,
      before: Lock | undefined,
      after: Lock,
    ): Promise<ImpactView> =>
      keep(impacts[of], [before, after], async (location) => {
        const { findings } = await run('findImpact', [{ ...location, before, after }])
        return { kind: 'checked', findings }
      }),
  }
}
