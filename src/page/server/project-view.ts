import type { PinnedPrompt } from '../../core/prompt.ts'
import type { Project } from '../../features/project/project.ts'
import type {
  ComparisonClass,
  CompareWith,
  ComparisonView,
  PageState,
  ServiceView,
  UsesView,
  UseView,
} from '../protocol.ts'
import { type ComparisonSources, comparePrompt } from './comparison.ts'
import { errorView } from './error-view.ts'
import { otherKeyVariable } from './other-project.ts'
import { createReads } from './reads.ts'
import { createServiceCheck } from './service-check.ts'
import { readLock, stateOf } from './state.ts'
import { createTypeChecks } from './type-checks.ts'
import { createUses } from './uses.ts'

/** Options of {@link createProjectView}. */
export interface ViewSource {
  /** The modules loaded by a dev server that import prompts. */
  readonly uses?: () => Promise<readonly UseView[]>
  /** URL prefix that opens a file in the editor; the path is appended. */
  readonly editor?: string
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number
}

/** The prompt to compare, and the side to compare it with. */
export interface CompareRequest {
  readonly slug: string
  readonly compareWith: CompareWith
  /** Whether to ignore recent reads. */
  readonly fresh: boolean
}

/** The project data for the page, with what was cached while the server runs. */
export interface ProjectView {
  readonly lock: Project['lock']
  /** The secrets that no answer may contain. */
  readonly keys: readonly string[]
  state(): Promise<PageState>
  askService(force: boolean): Promise<ServiceView>
  askUses(): Promise<UsesView>
  compare(request: CompareRequest): Promise<ComparisonView>
}

/** Creates the view without reading anything. */
export function createProjectView(source: ViewSource, sources: ComparisonSources): ProjectView {
  const { editor, now = Date.now } = source
  const { project, other } = sources
  const service = createServiceCheck(project, now)
  const reads = createReads(now)
  const checks = createTypeChecks(project)
  const uses = createUses({ loaded: source.uses, analyse: checks.uses, now })
  const changes = new Map<string, FoundChange>()
  const known = (prompt: PinnedPrompt): ComparisonClass | null => {
    const found = changes.get(prompt.slug)
    const isCurrent = found?.listed === service.listed(prompt.slug) && isSame(found.pinned, prompt)
    return isCurrent ? found.class : null
  }
  return {
    lock: project.lock,
    keys: [project, other].flatMap((each) => each?.options.apiKey?.value ?? []),
    async state() {
      const reading = await readLock(project)
      return {
        ...stateOf(project, reading, known),
        uses: reading.kind === 'read' ? await uses.view(reading.lock) : { kind: 'pending' },
        editor: editor ?? null,
        service: reading.kind === 'read' ? service.view(reading.lock) : { kind: 'unasked' },
        missingKey: other === undefined ? otherKeyVariable(project.options) : null,
      }
    },
    async askService(force) {
      const reading = await readLock(project)
      if (reading.kind === 'error') return { kind: 'unasked' }
      await service.ask(force)
      return service.view(reading.lock)
    },
    async askUses() {
      const reading = await readLock(project)
      return reading.kind === 'error' ? { kind: 'pending' } : uses.ask(reading.lock)
    },
    async compare({ slug, compareWith, fresh }) {
      const listed = service.listed(slug)
      const read = (from: Project): Promise<PinnedPrompt | undefined> =>
        reads.read(from, { slug, listed, fresh })
      try {
        const tools = { read, impact: checks.impact }
        const found = await comparePrompt(sources, { slug, compareWith }, tools)
        if (compareWith === 'service')
          changes.set(slug, { class: found.class, pinned: found.before, listed })
        return found
      } catch (error) {
        return { kind: 'error', error: errorView(error) }
      }
    },
  }
}

/** The result of a comparison with the service, for one pinned prompt and one list. */
interface FoundChange {
  readonly class: ComparisonClass
  readonly pinned: PinnedPrompt | null
  readonly listed: string
}

function isSame(pinned: PinnedPrompt | null, prompt: PinnedPrompt): boolean {
  return JSON.stringify(pinned) === JSON.stringify(prompt)
}
