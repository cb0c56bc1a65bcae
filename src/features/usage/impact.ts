import { compareLocks } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { loaded } from '../../errors/prompts-error.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import type { UsageReport } from '../../analysis/app/analyse-usage.ts'
import { findUnnamedChanges } from './unnamed-changes.ts'

/** What is known of what an update breaks in the app. */
export type CheckedImpact =
  /** No contract changes, so nothing can break. */
  | { readonly kind: 'harmless' }
  /** The app can't be analysed. */
  | { readonly kind: 'unchecked'; readonly reason: string }
  | { readonly kind: 'checked'; readonly report: ImpactReport }

export interface ImpactRequest extends AppLocation {
  /** The lock that the app uses now; `undefined` to find all code that `after` breaks. */
  readonly before: Lock | undefined
  readonly after: Lock
}

/**
 * Finds code that breaks with the prompts of a lock. Writes nothing. The compiler is loaded only if
 * code names a prompt that changes, or may.
 */
export async function findImpact(request: ImpactRequest): Promise<ImpactReport> {
  const { before, after, ...location } = request
  const isSame = before?.environment === after.environment
  if (before && isSame && compareLocks(before, after).length === 0)
    return { findings: [], files: 0, used: [] }
  const unnamed = before && (await findUnnamedChanges({ ...request, before }))
  if (unnamed !== undefined) return unnamed
  const { openApp } = await loaded(import('../../analysis/app/app.ts'))
  const { analyseImpact } = await import('../../analysis/app/analyse-impact.ts')
  return analyseImpact(await openApp(location), { before, after })
}

export async function findUsage({
  lock,
  ...location
}: AppLocation & { readonly lock: Lock }): Promise<UsageReport> {
  const { openApp } = await import('../../analysis/app/app.ts')
  const { analyseUsage } = await import('../../analysis/app/analyse-usage.ts')
  return analyseUsage(await openApp(location), lock)
}
