import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { classifySnapshots } from '../../core/classify-change.ts'
import type { ImpactReport, ImpactRequest } from '../../analysis/app/analyse-impact.ts'

export type { AppLocation } from '../../analysis/app/app.ts'
export type { ImpactFinding } from '../../analysis/app/explain-failure.ts'
export type { ImpactReport, ImpactRequest } from '../../analysis/app/analyse-impact.ts'

/**
 * Finds what in the app stops working with incoming prompts. Nothing is written. The compiler is
 * loaded only when there is a change.
 *
 * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
 */
export async function findImpact(request: ImpactRequest): Promise<ImpactReport> {
  const { before, after } = request
  const changes = classifySnapshots(before.prompts, after.prompts)
  if (changes.length === 0) return { findings: [], files: 0 }
  const { analyseImpact } = await import('../../analysis/app/analyse-impact.ts')
  return analyseImpact(request)
}

/**
 * The same in a thread of its own, so that a dev server answers meanwhile.
 *
 * @param signal - ends the thread
 * @throws Error with the message of what {@link findImpact} throws; an AbortError
 */
export async function findImpactInThread(
  request: ImpactRequest,
  signal: AbortSignal,
): Promise<ImpactReport> {
  const thread = new URL('./impact-thread.js', import.meta.url)
  const worker = new Worker(thread, { workerData: request, execArgv: [] })
  try {
    const [report] = (await once(worker, 'message', { signal })) as [ImpactReport]
    return report
  } finally {
    await worker.terminate()
  }
}
