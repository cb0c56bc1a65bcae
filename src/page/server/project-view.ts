import type { Lock } from '../../core/prompt.ts'
import type { Project } from '../../features/project/project.ts'
import { relativePath } from '../../fs/paths.ts'
import type { ChangesQuery, CompareWith, ReadMode } from '../comparison-protocol.ts'
import type { Answers } from '../endpoints.ts'
import type { PageState, UseView } from '../protocol.ts'
import { type ChangeSets, createChangeSets } from './change-sets.ts'
import {
  type Comparisons,
  type ComparisonSources,
  createComparisons,
  differenceOf,
} from './comparisons.ts'
import { errorAnswer } from './error-view.ts'
import { otherKeyVariable } from './other-project.ts'
import { createReads } from './reads.ts'
import { createLockReader, type PinnedPrompts } from './pinned-prompts.ts'
import { createServiceCheck, type ServiceCheck } from './service-check.ts'
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

/** The query of a request. */
export type PageQuery = Readonly<Record<string, string>>

/** The project data for the page, with what was cached while the server runs. */
export interface ProjectView {
  readonly lock: Project['lock']
  /** The secrets that no answer may contain. */
  readonly keys: readonly string[]
  readonly answers: {
    readonly [Name in keyof Answers]: (query: PageQuery) => Promise<Answers[Name]>
  }
  /** Reads the lock ahead of the first request for it. */
  prepare(): void
  /** Reports that the app's code has changed. */
  codeChanged(): void
}

/** Creates the view without reading anything. */
export function createProjectView(source: ViewSource, sources: ComparisonSources): ProjectView {
  const { project, other } = sources
  const readPinned = createLockReader(project)
  const readLock = async (): Promise<Lock> => (await readPinned()).lock
  const parts = createParts(source, { project: { ...project, readLock }, other }, readPinned)
  return {
    lock: project.lock,
    keys: [project, other].flatMap((each) => each?.options.apiKey?.value ?? []),
    answers: {
      ...createAnswers(parts),
      async state() {
        const known = await readPinned().then((pinned) => knownOf(pinned, parts), nothingKnown)
        return { ...(await settingsOf(source, sources)), ...known }
      },
    },
    prepare: () => void readPinned().catch(() => undefined),
    codeChanged: parts.codeChanged,
  }
}

function createAnswers(parts: Parts): Omit<ProjectView['answers'], 'state'> {
  const { readPinned, service, uses, comparisons, changeSets } = parts
  /** Answers from the lock, or with something else if it can't be read. */
  const pinnedOr = <Answer>(
    instead: Answer,
    use: (pinned: PinnedPrompts) => Promise<Answer> | Answer,
  ): Promise<Answer> => readPinned().then(use, () => instead)
  return {
    list: () => pinnedOr({ revision: '', rows: [] }, (pinned) => pinned.list()),
    prompt: ({ slug = '' }) => readPinned().then((pinned) => pinned.read(slug), errorAnswer),
    search: ({ word = '' }) =>
      pinnedOr({ slugs: [], excerpts: [] }, (pinned) => pinned.search(word)),
    service: ({ fresh }) =>
      pinnedOr({ kind: 'unasked' }, async ({ lock }) => {
        await service.ask(fresh !== undefined)
        return service.view(lock)
      }),
    uses: () => pinnedOr({ kind: 'pending' }, ({ lock }) => uses.ask(lock)),
    compare: ({ slug = '', fresh, ...query }) =>
      comparisons.compare({ slug, compareWith: sideOf(query), fresh: fresh !== undefined }),
    changes: (query) => changeSets.changes(changesQuery(query), readMode(query)),
    impact: (query) => changeSets.impact(changesQuery(query)),
  }
}

function sideOf({ with: side }: PageQuery): CompareWith {
  return side === 'staging' ? side : 'service'
}

function changesQuery({ base, ...query }: PageQuery): ChangesQuery {
  return base === undefined ? { kind: sideOf(query) } : { kind: 'revision', revision: base }
}

function readMode({ read: mode }: PageQuery): ReadMode {
  return mode === 'known' || mode === 'fresh' ? mode : 'recent'
}

/** The part of the state that depends on the lock. */
type Known = Pick<PageState, 'lock' | 'changes' | 'uses' | 'service'>

/** What is known of a lock without a request or an analysis. */
function knownOf(pinned: PinnedPrompts, { service, uses, comparisons }: Parts): Known {
  return {
    lock: { kind: 'read', revision: pinned.revision },
    changes: comparisons.known(pinned),
    uses: uses.view(pinned.lock),
    service: service.view(pinned.lock),
  }
}

/** The same of a lock that can't be read. */
function nothingKnown(error: unknown): Known {
  return {
    lock: errorAnswer(error),
    changes: {},
    uses: { kind: 'pending' },
    service: { kind: 'unasked' },
  }
}

/** The part of the state that comes from the project. */
async function settingsOf(
  { editor }: ViewSource,
  { project: { options, lock }, other }: ComparisonSources,
): Promise<Omit<PageState, keyof Known>> {
  const { name: workspace, environment, root } = options
  const { findPackageManager } = await import('../../features/init/package-manager.ts')
  return {
    workspace,
    environment,
    lockPath: relativePath(root, lock.path),
    lockFile: lock.path,
    editor: editor ?? null,
    missingKey: other === undefined ? otherKeyVariable(options) : null,
    run: (await findPackageManager(root)).run,
  }
}

/** What a view caches while the server runs. */
interface Parts extends Pick<ProjectView, 'codeChanged'> {
  readonly readPinned: () => Promise<PinnedPrompts>
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
  let edited = 0
  const edits = (): number => edited
  const service = createServiceCheck(sources.project, now)
  const checks = createTypeChecks(sources.project)
  const comparisons = createComparisons(sources, { service, reads: createReads(now), checks })
  const changeSets = createChangeSets({
    sources,
    checks,
    edits,
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
  const uses = createUses({ analyse: analyseUses ?? checks.uses, edits, now })
  return { readPinned, service, uses, comparisons, changeSets, codeChanged: () => void edited++ }
}
