/** The worker of {@link runInThread}: a type check of an app may take seconds. */
import { parentPort, workerData } from 'node:worker_threads'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { type AnalysisTask, runAnalysis } from './analysis-tasks.ts'
import type { ThreadAnswer } from './in-thread.ts'

const result = await runAnalysis(workerData as AnalysisTask).catch(asPromptsError)
const answer: ThreadAnswer = isPromptsError(result)
  ? { kind: 'failed', code: result.code, details: result.details }
  : { kind: 'done', result }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(answer)
