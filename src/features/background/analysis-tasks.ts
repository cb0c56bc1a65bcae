import { findImpact } from '../usage/impact.ts'
import { findUsage } from '../usage/usage.ts'

/** The analyses of an app's code, by name. */
interface Analyses {
  readonly findImpact: typeof findImpact
  readonly findUsage: typeof findUsage
}

const ANALYSES: Analyses = { findImpact, findUsage }

/** An analysis and its arguments. */
export interface AnalysisTask {
  readonly name: keyof Analyses
  readonly input: readonly unknown[]
}

/** The result of an analysis. */
export type AnalysisResult<Name extends keyof Analyses> = Awaited<ReturnType<Analyses[Name]>>

/** The arguments of an analysis. */
export type AnalysisInput<Name extends keyof Analyses> = Parameters<Analyses[Name]>

/**
 * Runs an analysis in this thread.
 *
 * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
 */
export async function runAnalysis({ name, input }: AnalysisTask): Promise<unknown> {
  const analyse = ANALYSES[name] as (...input: readonly unknown[]) => Promise<unknown>
  return analyse(...input)
}
