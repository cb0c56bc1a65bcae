import { classifySnapshots } from './core/classify-change.ts'
import type { ImpactReport, ImpactRequest } from './impact/analyse-impact.ts'

export type { AppLocation } from './impact/app.ts'
export type { ImpactFinding } from './impact/explain-failure.ts'
export type { ImpactReport, ImpactRequest } from './impact/analyse-impact.ts'

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
  const { analyseImpact } = await import('./impact/analyse-impact.ts')
  return analyseImpact(request)
}
