import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import {
  asPromptsError,
  explainMissingPackage,
  isPromptsError,
  PromptsError,
} from '../../errors/prompts-error.ts'
import type { planFix as PlanFix } from '../fix/plan-fix.ts'
import { findBreaking } from '../leave-breaking.ts'
import { findImpact, findUsage } from '../../judge/impact.ts'

/** The analyses of code, by name. They load the compiler when they are called. */
interface Analyses {
  readonly findImpact: typeof findImpact
  readonly findUsage: typeof findUsage
  readonly findBreaking: typeof findBreaking
  readonly planFix: typeof PlanFix
}

const ANALYSES: Analyses = {
  findImpact,
  findUsage,
  findBreaking,
  async planFix(...args) {
    const { planFix } = await import('../fix/plan-fix.ts')
    return planFix(...args)
  },
}

export type AnalysisName = keyof Analyses

export type AnalysisArgs<Name extends AnalysisName> = Parameters<Analyses[Name]>

export type AnalysisResult<Name extends AnalysisName> = Awaited<ReturnType<Analyses[Name]>>

/** An analysis and its arguments, which are cloned for the thread. */
export interface AnalysisTask {
  readonly name: AnalysisName
  readonly args: readonly unknown[]
}

/** What the worker posts. An error of this package would lose its class on the way. */
type ThreadAnswer =
  | { readonly result: unknown }
  | { readonly error: Pick<PromptsError, 'code' | 'details'> }

/**
 * Runs an analysis of code in a worker thread, so a server keeps responding, and Ctrl-C ends a command.
 *
 * @param signal - terminates the thread when aborted
 */
export async function runInThread<Name extends AnalysisName>(
  name: Name,
  args: AnalysisArgs<Name>,
  signal?: AbortSignal,
): Promise<AnalysisResult<Name>> {
  // Only the built package has the worker.
  const run = import.meta.url.endsWith('.ts') ? runAnalysis : askThread
  const answer = await run({ name, args }, signal)
  if ('error' in answer) throw new PromptsError(answer.error.code, answer.error.details)
  return answer.result as AnalysisResult<Name>
}

export async function runAnalysis({ name, args }: AnalysisTask): Promise<ThreadAnswer> {
  const analyse: (...args: never[]) => Promise<unknown> = ANALYSES[name]
  const result = await analyse(...(args as never[])).catch((error: unknown) =>
    asPromptsError(explainMissingPackage(error)),
  )
  if (!isPromptsError(result)) return { result }
  const { code, details } = result
  return { error: { code, details } }
}

/** Milliseconds after which an idle thread ends. */
const IDLE = 5 * 60_000

/** The thread that waits for the next analysis. */
let idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | undefined

async function askThread(task: AnalysisTask, signal?: AbortSignal): Promise<ThreadAnswer> {
  const worker = takeIdle() ?? startThread()
  const message = once(worker, 'message', { signal })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker.postMessage(task)
  // A server that stops does not wait for what it cannot abort. Last, since a listener undoes it.
  if (signal === undefined) worker.unref()
  const [answer] = (await message.catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })) as [ThreadAnswer]
  keep(worker)
  return answer
}

function startThread(): Worker {
  const worker = new Worker(new URL('./analysis-thread.js', import.meta.url), { execArgv: [] })
  worker.on('exit', () => {
    if (idle?.worker === worker) takeIdle()
  })
  return worker
}

function takeIdle(): Worker | undefined {
  const worker = idle?.worker
  clearTimeout(idle?.timer)
  idle = undefined
  return worker
}

/** Keeps one thread, which has TypeScript and its declarations loaded. */
function keep(worker: Worker): void {
  if (idle !== undefined) return void worker.terminate()
  const timer = setTimeout(() => void takeIdle()?.terminate(), IDLE).unref()
  idle = { worker, timer }
  worker.unref()
}
