import { setImmediate } from 'node:timers'
import type { Lock } from '../../core/prompt.ts'
import type { Project } from '../../features/project/project.ts'
import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  ComparisonView,
  ReadMode,
} from '../comparison-protocol.ts'
import type {
  ListedPrompt,
  PackedList,
  PackedPrompt,
  PageState,
  PromptReading,
  ServiceView,
  TextMatches,
  UsesView,
  UseView,
} from '../protocol.ts'
import { type ChangeSets, createChangeSets } from './change-sets.ts'
import { type ComparisonSources, differenceOf } from './comparison.ts'
import { type CompareRequest, type Comparisons, createComparisons } from './comparisons.ts'
import { errorView } from './error-view.ts'
import { lockLine } from './lock-line.ts'
import { createReads } from './reads.ts'
import { createLockReader, type PinnedPrompts } from './pinned-prompts.ts'
import { createServiceCheck, type ServiceCheck } from './service-check.ts'
import { knownOf, nothingKnown, settingsOf } from './state.ts'
import { createTypeChecks } from './type-checks.ts'
import { createUses, type Uses } from './uses.ts'

/** Options of {@link createProjectView}. */
export interface ViewSource {
  /** Finds the uses of prompts; replaced in tests. */
  readonly analyseUses?: (lock: Lock) => Promise<readonly UseView[]>
  /** URL prefix that opens a file in the editor; the path is appended. */
  readonly editor?: string
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number
}

/** The project data for the page, with what was cached while the server runs. */
export interface ProjectView {
  readonly lock: Project['lock']
  /** The secrets that no answer may contain. */
  readonly keys: readonly string[]
  /** Reads the lock ahead of the first request for it. */
  prepare(): void
  state(): Promise<PageState>
  list(): Promise<PackedList>
  prompt(slug: string): Promise<PromptReading>
  /** No matches if the lock can't be read. */
  search(word: string): Promise<TextMatches>
  askService(force: boolean): Promise<ServiceView>
  askUses(): Promise<UsesView>
  /** Reports that the app's code has changed. */
  codeChanged(): void
  compare(request: CompareRequest): Promise<ComparisonView>
  changes(query: ChangesQuery, mode: ReadMode): Promise<ChangesView>
  /** Of the changes that were read last. */
  impact(query: ChangesQuery): Promise<ChangesImpactView>
}

/** Creates the view without reading anything. */
export function createProjectView(source: ViewSource, sources: ComparisonSources): ProjectView {
  const { project, other } = sources
  const readPinned = createLockReader(project)
  const readLock = async (): Promise<Lock> => (await readPinned()).lock
  const parts = createParts(source, { project: { ...project, readLock }, other }, readPinned)
  const { service, uses, comparisons, changeSets } = parts
  const pinnedOr = createGuard(readPinned)
  return {
    lock: project.lock,
    keys: [project, other].flatMap((each) => each?.options.apiKey?.value ?? []),
    prepare: () => void readPinned().catch(() => undefined),
    async state() {
      const known = await pinnedOr((pinned) => knownOf(pinned, parts), nothingKnown)
      return { ...(await settingsOf(source, sources)), ...known }
    },
    list: () => pinnedOr(listOf, () => ({ revision: '', rows: [] })),
    prompt: (slug) =>
      pinnedOr(
        (pinned) => readPrompt(pinned, slug, project.lock.path),
        (error) => ({ kind: 'error', error: errorView(error) }),
      ),
    search: (word) =>
      pinnedOr(
        (pinned) => pinned.search(word),
        () => ({ slugs: [], excerpts: [] }),
      ),
    askService: (force) =>
      pinnedOr(
        async ({ lock }) => {
          await service.ask(force)
          return service.view(lock)
        },
        () => ({ kind: 'unasked' }),
      ),
    askUses: () =>
      pinnedOr(
        ({ lock }) => uses.ask(lock),
        () => ({ kind: 'pending' }),
      ),
    codeChanged() {
      uses.expire()
      changeSets.expire()
    },
    compare: comparisons.compare,
    changes: changeSets.changes,
    impact: changeSets.impact,
  }
}

type Guard = <Result, Instead>(
  use: (pinned: PinnedPrompts) => Promise<Result> | Result,
  instead: (error: unknown) => Instead,
) => Promise<Result | Instead>

/** Creates a function that answers from the lock, or with something else if it can't be read. */
function createGuard(readPinned: () => Promise<PinnedPrompts>): Guard {
  return async (use, instead) => {
    const pinned = await readPinned().catch((error: unknown) => ({ error }))
    return 'error' in pinned ? instead(pinned.error) : use(pinned)
  }
}

function listOf({ revision, listed, search }: PinnedPrompts): PackedList {
  // After the answer: the first search would wait for it.
  setImmediate(() => void search(''))
  return { revision, rows: listed.map(packed) }
}

function packed(prompt: ListedPrompt): PackedPrompt {
  const { slug, folder, model, version, variables, lintCount, characters, held } = prompt
  const row = [slug, folder, model, version, variables, lintCount, characters] as const
  return held === undefined ? row : [...row, held]
}

async function readPrompt(
  pinned: PinnedPrompts,
  slug: string,
  lockPath: string,
): Promise<PromptReading> {
  const prompt = pinned.view(slug)
  if (prompt === undefined) return { kind: 'missing' }
  return { kind: 'read', prompt: { ...prompt, lockLine: await lockLine(lockPath, slug) } }
}

/** What a view caches while the server runs. */
interface Parts {
  readonly service: ServiceCheck
  readonly uses: Uses
  readonly comparisons: Comparisons
  readonly changeSets: ChangeSets
}

function createParts(
  { analyseUses, now = Date.now }: ViewSource,
  sources: ComparisonSources,
  readPinned: () => Promise<PinnedPrompts>,
): Parts {
  const service = createServiceCheck(sources.project, now)
  const checks = createTypeChecks(sources.project)
  const comparisons = createComparisons(sources, { service, reads: createReads(now), checks })
  const changeSets = createChangeSets({
    sources,
    checks,
    now,
    async revision() {
      const { lock, revision } = await readPinned()
      const view = service.view(lock)
      return JSON.stringify([revision, view.kind === 'reached' ? view.drift : []])
    },
    onRead({ changes }, query) {
      if (query.kind !== 'service') return
      for (const change of changes) comparisons.remember(change.slug, differenceOf(change))
    },
  })
  return {
    service,
    uses: createUses({ analyse: analyseUses ?? checks.uses, now }),
    comparisons,
    changeSets,
  }
}
