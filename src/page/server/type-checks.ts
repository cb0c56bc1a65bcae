import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import { applyChanges } from '../../core/apply-changes.ts'
import { classifyChanges } from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { findImpact } from '../../features/usage/impact.ts'
import type { Project } from '../../features/project/project.ts'
import { findUsage, type Place, type UsageReport } from '../../features/usage/usage.ts'
import type { ImpactView, UseView } from '../protocol.ts'
import { errorView } from './error-view.ts'

/**
 * Checks the app with the TypeScript compiler. A check blocks the server while it runs, so checks run
 * one at a time, and requests for the same check share it.
 */
export interface TypeChecks {
  /**
   * Finds what would fail in the app if this one change were pulled.
   *
   * @returns `null` if the change can't break anything
   */
  impact(lock: Lock, change: PromptChange): Promise<ImpactView | null>
  /**
   * Finds which modules of the app use which prompts.
   *
   * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
   */
  uses(lock: Lock): Promise<readonly UseView[]>
}

/** The functions that the checks call. Both load the compiler. */
export interface Analyses {
  readonly findImpact: typeof findImpact
  readonly findUsage: typeof findUsage
}

/** Creates the checks of one project without loading the compiler. */
export function createTypeChecks(
  project: Project,
  analyses: Analyses = { findImpact, findUsage },
): TypeChecks {
  const enqueue = createQueue()
  const impacts = createShared<ImpactView>()
  const { root, name, dts } = project.options
  const app = { root, name, dts }
  return {
    async impact(lock, change) {
      const [classified] = classifyChanges([change])
      if (classified?.class !== 'breaking' && classified?.class !== 'soft') return null
      const after = { ...lock, prompts: applyChanges(lock.prompts, [change]) }
      const check = (): Promise<ImpactView> => findPlaces(analyses, { ...app, before: lock, after })
      return impacts(JSON.stringify(change), () => enqueue(check))
    },
    uses: (lock) => enqueue(async () => usesOf(await analyses.findUsage({ ...app, lock }), root)),
  }
}

async function findPlaces(
  analyses: Analyses,
  request: Parameters<typeof findImpact>[0],
): Promise<ImpactView> {
  try {
    const { findings } = await analyses.findImpact(request)
    const places = findings.map(({ file, line, reason }) => ({
      file,
      path: join(request.root, file),
      line,
      reason,
    }))
    return { kind: 'found', places }
  } catch (error) {
    return { kind: 'error', error: errorView(error) }
  }
}

/** Runs one task after the other. Between two tasks the server answers pending requests. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(() => nextTurn()).then(work)
    last = next.catch(() => undefined)
    return next
  }
}

/** Shares a running task between callers that ask for the same. */
function createShared<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Promise<Result>>()
  return (key, work) => {
    const shared = running.get(key)
    if (shared !== undefined) return shared
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
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
