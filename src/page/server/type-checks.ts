import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import { applyChanges } from '../../core/apply-changes.ts'
import { classifyChanges } from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { findImpact } from '../../features/usage/impact.ts'
import type { Project } from '../../features/project/project.ts'
import { findUsage } from '../../features/usage/usage.ts'
import type { ImpactView, UseView } from '../protocol.ts'
import { errorView } from './error-view.ts'
import { usesOf } from './uses-of.ts'

/**
 * What the compiler says of the app. Each check keeps the server from answering while it runs, so
 * there is one at a time, and requests for the same check share it.
 */
export interface TypeChecks {
  /**
   * What would fail in the app if this one change were pulled. Requests share a running check.
   *
   * @returns `null` if the change can break nothing
   */
  impact(lock: Lock, change: PromptChange): Promise<ImpactView | null>
  /**
   * Who uses which prompt in the code of the app.
   *
   * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
   */
  uses(lock: Lock): Promise<readonly UseView[]>
}

/** What the checks call: both load the compiler. */
export interface Analyses {
  readonly findImpact: typeof findImpact
  readonly findUsage: typeof findUsage
}

/** Makes the checks of one project; loads nothing yet. */
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

/** Runs one piece of work after the other; between two, the server answers what has come in. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(() => nextTurn()).then(work)
    last = next.catch(() => undefined)
    return next
  }
}

/** Gives the running work to those who ask for the same. */
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
