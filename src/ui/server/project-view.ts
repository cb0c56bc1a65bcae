import type { PinnedPrompt } from '../../core/prompt.ts'
import type { Project } from '../../project.ts'
import type {
  ChangeVerdict,
  CompareWith,
  ComparisonView,
  PageState,
  ServiceView,
} from '../protocol.ts'
import { type Comparable, compareOne } from './comparison.ts'
import { faultView } from './fault-view.ts'
import type { PageSource } from './page.ts'
import { createServiceCheck } from './service-check.ts'
import { readState } from './state.ts'

/** One project as the page sees it, with what was learned of it while the server runs. */
export interface ProjectView {
  readonly lock: Project['lock']
  /** What must never leave. */
  readonly keys: readonly string[]
  state(): Promise<PageState>
  askService(force: boolean): Promise<ServiceView>
  compare(slug: string, compareWith: CompareWith): Promise<ComparisonView>
}

/** Makes the view; reads nothing yet. */
export function createProjectView(
  { uses, editor, now = Date.now }: Pick<PageSource, 'uses' | 'editor' | 'now'>,
  sources: Comparable,
): ProjectView {
  const { project, other } = sources
  const service = createServiceCheck(project, now)
  const changes = new Map<string, FoundChange>()
  const known = (prompt: PinnedPrompt): ChangeVerdict | null => {
    const found = changes.get(prompt.slug)
    return found !== undefined && isOf(found, prompt) ? found.class : null
  }
  return {
    lock: project.lock,
    keys: [project, other].flatMap((each) => each?.options.apiKey?.value ?? []),
    state: async () => ({
      ...(await readState(project, known)),
      uses: (await uses?.()) ?? null,
      editor: editor ?? null,
      service: service.view(),
      bothKeys: other !== undefined,
    }),
    askService: service.ask,
    async compare(slug, compareWith) {
      try {
        const found = await compareOne(sources, slug, compareWith)
        if (compareWith === 'service')
          changes.set(slug, { class: found.class, pinned: found.before })
        return found
      } catch (error) {
        return { kind: 'fault', fault: faultView(error) }
      }
    },
  }
}

/** What a comparison with the service found, and for which pinned prompt. */
interface FoundChange {
  readonly class: ChangeVerdict
  readonly pinned: PinnedPrompt | null
}

function isOf({ pinned }: FoundChange, prompt: PinnedPrompt): boolean {
  return JSON.stringify(pinned) === JSON.stringify(prompt)
}
