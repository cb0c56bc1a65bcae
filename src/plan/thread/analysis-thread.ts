/**
 * The worker of `runInThread`: a type check of an app may take seconds. It stays for a while, so that
 * the next check finds TypeScript loaded and its declarations parsed.
 */
import { parentPort } from 'node:worker_threads'
import { type AnalysisTask, runAnalysis } from './in-thread.ts'

parentPort?.on('message', async (task: AnalysisTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(await runAnalysis(task))
})
