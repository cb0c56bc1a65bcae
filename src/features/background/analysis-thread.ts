/**
 * The worker of `runInThread`: a type check of an app may take seconds. It stays for a while, so that the next
 * check finds TypeScript loaded and its declarations parsed.
 */
import { parentPort } from 'node:worker_threads'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { type AnalysisTask, runAnalysis, type ThreadAnswer } from './in-thread.ts'

parentPort?.on('message', (task: AnalysisTask) => void answer(task))

async function answer(task: AnalysisTask): Promise<void> {
  const result = await runAnalysis(task).catch(asPromptsError)
  const reply: ThreadAnswer = isPromptsError(result)
    ? { kind: 'failed', code: result.code, details: result.details }
    : { kind: 'done', result }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(reply)
}
