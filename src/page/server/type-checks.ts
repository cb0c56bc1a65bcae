import { join } from 'node:path'
import { riskyChanges } from '../../core/classify-change.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import type { ImpactRequest } from '../../features/usage/impact.ts'
import { runInThread } from '../../features/background/in-thread.ts'
import type { Project } from '../../features/project/project.ts'
import type { Place, UsageReport } from '../../features/usage/usage.ts'
import type { ImpactView, SkippedView } from '../comparison-protocol.ts'
import type { UseView } from '../protocol.ts'
import { createCache } from './cache.ts'
import { errorAnswer } from './error-view.ts'

/**
 * Checks the app with the TypeScript compiler, in another thread. A check takes a processor for
 * seconds, so checks run one at a time, and requests for the same check share it.
 */
export interface TypeChecks {
  /**
   * Finds what would fail in the app with these changes of a lock.
   *
   * @returns `null` if no change can break anything
   */
  impact(lock: Lock, changes: readonly PromptChange[]): Promise<ImpactView | null>
  /** Finds the changes that a pull with `--skip-breaking` leaves out. */
  skipped(lock: Lock, changes: readonly PromptChange[]): Promise<readonly SkippedView[]>
  /**
   * Finds which modules of the app use which prompts.
   *
   * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
   */
  uses(lock: Lock): Promise<readonly UseView[]>
}

/** Runs an analysis; replaced in tests. */
export type RunAnalysis = typeof runInThread

/** Creates the checks of one project without loading the compiler. */
export function createTypeChecks(project: Project, run: RunAnalysis = runInThread): TypeChecks {
  const enqueue = createQueue()
  const impacts = createCache<ImpactView>()
  const { root, name, dts } = project.options
  const app = { root, name, dts }
  return {
    async impact(lock, changes) {
      if (riskyChanges(changes).length === 0) return null
      const after = { ...lock, prompts: applyChanges(lock.prompts, changes) }
      const check = (): Promise<ImpactView> => findPlaces(run, { ...app, before: lock, after })
      const use = { stamp: JSON.stringify(changes), maxAge: 0 }
      return impacts.get('', use, () => enqueue(check)).value
    },
    skipped: (lock, changes) =>
      enqueue(async () => {
        const skipped = await run('skipBreaking', [{ before: lock, changes }, app])
        return skipped.map(({ change, reason }) => ({ slug: change.slug, reason }))
      }),
    uses: (lock) => enqueue(async () => usesOf(await run('findUsage', [{ ...app, lock }]), root)),
  }
}

async function findPlaces(run: RunAnalysis, request: ImpactRequest): Promise<ImpactView> {
  try {
    const { findings } = await run('findImpact', [request])
    const places = findings.map(({ file, line, slug, reason }) => ({
      file,
      path: join(request.root, file),
      line,
      slug,
      reason,
    }))
    return { kind: 'found', places }
  } catch (error) {
    return errorAnswer(error)
  }
}

/** Runs one task after the other. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}

/** The uses of prompts by file. `root` is the folder of the app. */
function usesOf({ prompts, escapes }: UsageReport, root: string): UseView[] {
  const sites = prompts.flatMap((prompt) => prompt.sites)
  const files = new Set([...sites, ...escapes].map(({ file }) => file))
  return [...files].toSorted(compareCodePoints).map((file): UseView => {
    const isHere = (place: Place): boolean => place.file === file
    const mentioned = prompts.filter((prompt) => prompt.sites.some(isHere))
    return {
      file,
      path: join(root, file),
      // A file that no client code imports does not necessarily run on a server.
      side: sites.some((site) => isHere(site) && site.client !== undefined) ? 'client' : null,
      mentions: Object.fromEntries(
        mentioned.map((prompt) => [prompt.slug, linesOf(prompt.sites.filter(isHere))]),
      ),
      escapes: linesOf(escapes.filter(isHere)),
    }
  })
}

/** Sorted and without duplicates. */
function linesOf(places: readonly Place[]): number[] {
  return [...new Set(places.map(({ line }) => line))].toSorted((a, b) => a - b)
}
