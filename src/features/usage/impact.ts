import { classifySnapshots } from '../../core/classify-change.ts'
import type { Lock } from '../../core/prompt.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import type { ImpactReport, ImpactRequest } from '../../analysis/app/analyse-impact.ts'

export type { AppLocation } from '../../analysis/app/app.ts'
export type { ImpactFinding } from '../../analysis/app/explain-failure.ts'
export type { ImpactReport, ImpactRequest } from '../../analysis/app/analyse-impact.ts'

/**
 * Finds code that breaks with the incoming prompts. Writes nothing. The compiler is loaded only if
 * there is a change.
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
 * Opens an app to find what several changes break in it, one after the other.
 *
 * @throws PromptsError TSCONFIG_INVALID; the analysis throws TYPES_NOT_FOUND
 */
export async function openImpactAnalysis(
  location: AppLocation,
): Promise<(before: Lock, after: Lock) => ImpactReport> {
  const { createImpactAnalysis } = await import('../../analysis/app/analyse-impact.ts')
  return createImpactAnalysis(location)
}
