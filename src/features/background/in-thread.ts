import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ErrorCode, ErrorDetails } from '../../errors/catalogue.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { findImpact } from '../usage/impact.ts'
import { findUsage } from '../usage/usage.ts'

/** The analyses of code, by name. They load the compiler when they are called. */
interface Analyses {
  readonly findImpact: typeof findImpact
  readonly findUsage: typeof findUsage
}

const ANALYSES: Analyses = { findImpact, findUsage }

/** An analysis and what it gets. */
export interface AnalysisTask {
  readonly name: keyof Analyses
  readonly request: unknown
}

/** What the worker posts. */
export type ThreadAnswer =
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'failed'
      readonly code: ErrorCode
      readonly details: ErrorDetails[ErrorCode]
    }

/**
 * Runs an analysis of code in a worker thread, so a server keeps responding.
 *
 * @param signal - terminates the thread when aborted
 * @throws PromptsError what the analysis throws; an AbortError
 */
export async function runInThread<Name extends keyof Analyses>(
  name: Name,
  request: Parameters<Analyses[Name]>[0],
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Analyses[Name]>>> {
  const task: AnalysisTask = { name, request }
  // Only the built package has the worker.
  const answer: ThreadAnswer = import.meta.url.endsWith('.ts')
    ? { kind: 'done', result: await runAnalysis(task) }
    : await ask(task, signal)
  if (answer.kind === 'failed') throw new PromptsError(answer.code, answer.details)
  return answer.result as Awaited<ReturnType<Analyses[Name]>>
}

/**
 * Runs an analysis in this thread.
 *
 * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
 */
export async function runAnalysis({ name, request }: AnalysisTask): Promise<unknown> {
  const analyse: (request: never) => Promise<unknown> = ANALYSES[name]
  return analyse(request as never)
}

/** Milliseconds after which an idle thread ends. */
const IDLE = 5 * 60_000

/** The thread that waits for the next analysis. */
let idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | undefined

async function ask(task: AnalysisTask, signal?: AbortSignal): Promise<ThreadAnswer> {
  const worker = takeIdle() ?? startThread()
  let isWarm = false
  try {
    const answered = once(worker, 'message', { signal })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(task)
    // A server that stops does not wait for it. Last, since a listener undoes it.
    worker.unref()
    const [answer] = (await answered) as [ThreadAnswer]
    isWarm = true
    return answer
  } finally {
    if (isWarm && idle === undefined) keep(worker)
    else await worker.terminate()
  }
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

function keep(worker: Worker): void {
  const timer = setTimeout(() => void takeIdle()?.terminate(), IDLE).unref()
  idle = { worker, timer }
  worker.unref()
}
