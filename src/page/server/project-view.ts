import { locateEntries } from '../../core/lock/lock-lines.ts'
import type { Lock } from '../../core/prompt.ts'
import { readText } from '../../fs/files.ts'
import type { Project } from '../../features/project/project.ts'
import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  ComparisonView,
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
import { otherKeyVariable } from './other-project.ts'
import { createReads } from './reads.ts'
import { createLockReader, type LockReading } from './pinned-prompts.ts'
import { createServiceCheck, type ServiceCheck } from './service-check.ts'
import { stateOf } from './state.ts'
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
  state(): Promise<PageState>
  prompt(slug: string): Promise<PromptReading>
  /** No matches if the lock can't be read. */
  search(word: string): Promise<TextMatches>
  askService(force: boolean): Promise<ServiceView>
  askUses(): Promise<UsesView>
  /** Reports that the app's code has changed. */
  codeChanged(): void
  compare(request: CompareRequest): Promise<ComparisonView>
  changes(query: ChangesQuery, fresh: boolean): Promise<ChangesView>
  impact(query: ChangesQuery): Promise<ChangesImpactView>
}

/** Creates the view without reading anything. */
export function createProjectView(source: ViewSource, sources: ComparisonSources): ProjectView {
  const { project, other } = sources
  const readLock = createLockReader(project)
  const parts = createParts(source, sources, readLock)
  const { service, uses, comparisons, changeSets } = parts
  return {
    lock: project.lock,
    keys: [project, other].flatMap((each) => each?.options.apiKey?.value ?? []),
    state: () => readState(source, sources, { ...parts, readLock }),
    async prompt(slug) {
      const reading = await readLock()
      if (reading.kind === 'error') return reading
      const prompt = reading.pinned.view(slug)
      if (prompt === undefined) return { kind: 'missing' }
      const lines = locateEntries((await readText(project.lock.path)) ?? '')
      return { kind: 'read', prompt: { ...prompt, lockLine: lines.get(slug)?.entry ?? null } }
    },
    async search(word) {
      const reading = await readLock()
      return reading.kind === 'read' ? reading.pinned.search(word) : { slugs: [], excerpts: [] }
    },
    async askService(force) {
      const reading = await readLock()
      if (reading.kind === 'error') return { kind: 'unasked' }
      await service.ask(force)
      return service.view(reading.pinned.lock)
    },
    async askUses() {
      const reading = await readLock()
      return reading.kind === 'error' ? { kind: 'pending' } : uses.ask(reading.pinned.lock)
    },
    codeChanged() {
      uses.expire()
      changeSets.expire()
    },
    compare: comparisons.compare,
    changes: changeSets.changes,
    impact: changeSets.impact,
  }
}

/** What a view caches while the server runs. */
interface Parts {
  readonly service: ServiceCheck
  readonly uses: Uses
  readonly comparisons: Comparisons
  readonly changeSets: ChangeSets
}

type ReadLock = () => Promise<LockReading>

function createParts(
  { analyseUses, now = Date.now }: ViewSource,
  sources: ComparisonSources,
  readLock: ReadLock,
): Parts {
  const service = createServiceCheck(sources.project, now)
  const checks = createTypeChecks(sources.project)
  const comparisons = createComparisons(sources, { service, reads: createReads(now), checks })
  const changeSets = createChangeSets({
    sources,
    checks,
    now,
    async revision() {
      const reading = await readLock()
      if (reading.kind === 'error') return ''
      const { lock, revision } = reading.pinned
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

async function readState(
  { editor }: ViewSource,
  { project, other }: ComparisonSources,
  { service, uses, comparisons, readLock }: Parts & { readonly readLock: ReadLock },
): Promise<PageState> {
  const reading = await readLock()
  const lock = reading.kind === 'read' ? reading.pinned.lock : undefined
  const { findPackageManager } = await import('../../features/init/package-manager.ts')
  return {
    ...stateOf(project, reading, comparisons.known),
    uses: lock === undefined ? { kind: 'pending' } : uses.view(lock),
    editor: editor ?? null,
    service: lock === undefined ? { kind: 'unasked' } : service.view(lock),
    missingKey: other === undefined ? otherKeyVariable(project.options) : null,
    run: (await findPackageManager(project.options.root)).run,
  }
}
