import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ErrorCode, ErrorDetails } from '../../errors/catalogue.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { AnalysisInput, AnalysisResult, AnalysisTask } from './analysis-tasks.ts'

/** What the worker posts. */
export type ThreadAnswer =
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'failed'
      readonly code: ErrorCode
      readonly details: ErrorDetails[ErrorCode]
    }

/**
 * Runs an analysis of the app's code in a worker thread, so a server keeps responding.
 *
 * @param signal - terminates the thread when aborted
 * @throws PromptsError what the analysis throws; an AbortError
 */
export async function runInThread<Name extends AnalysisTask['name']>(
  name: Name,
  input: AnalysisInput<Name>,
  signal?: AbortSignal,
): Promise<AnalysisResult<Name>> {
  const task: AnalysisTask = { name, input }
  const answer = import.meta.url.endsWith('.ts') ? await runHere(task) : await ask(task, signal)
  if (answer.kind === 'failed') throw new PromptsError(answer.code, answer.details)
  return answer.result as AnalysisResult<Name>
}

/** Only the built package has the worker. */
async function runHere(task: AnalysisTask): Promise<ThreadAnswer> {
  const { runAnalysis } = await import('./analysis-tasks.ts')
  return { kind: 'done', result: await runAnalysis(task) }
}

async function ask(workerData: AnalysisTask, signal?: AbortSignal): Promise<ThreadAnswer> {
  const thread = new URL('./analysis-thread.js', import.meta.url)
  const worker = new Worker(thread, { workerData, execArgv: [] })
  try {
    const answered = once(worker, 'message', { signal })
    // A server that stops does not wait for it. Last, since a listener undoes it.
    worker.unref()
    const [answer] = (await answered) as [ThreadAnswer]
    return answer
  } finally {
    await worker.terminate()
  }
}
