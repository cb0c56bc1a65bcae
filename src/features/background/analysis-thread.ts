/** The worker of {@link runInThread}: a type check of an app may take seconds. */
import { parentPort, workerData } from 'node:worker_threads'
import { isPromptsError } from '../../errors/prompts-error.ts'
import { type AnalysisTask, runAnalysis } from './analysis-tasks.ts'
import type { ThreadAnswer } from './in-thread.ts'

async function answer(task: AnalysisTask): Promise<ThreadAnswer> {
  try {
    return { kind: 'done', result: await runAnalysis(task) }
  } catch (error) {
    if (!isPromptsError(error)) throw error
    const { code, details } = error
    return { kind: 'failed', code, details }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(await answer(workerData as AnalysisTask))
