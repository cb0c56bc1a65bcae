/** The questions about code that plans and commands ask. The compiler is loaded only where an answer needs it. */
import { compareLocks } from '../core/compare.ts'
import type { Lock } from '../core/prompt.ts'
import type { ImpactReport } from './analyse-impact.ts'
import type { UsageReport } from './analyse-usage.ts'
import type { AppLocation } from './app.ts'
import { findUnnamedChanges } from './named-uses.ts'

/** What an update breaks in the app. */
export type Breaks =
  /** No contract changes, so no line can stop compiling. */
  | { readonly kind: 'harmless' }
  /** The app can't be analysed. */
  | { readonly kind: 'unchecked'; readonly reason: string }
  | { readonly kind: 'checked'; readonly report: ImpactReport }

const NOTHING: ImpactReport = { findings: [], files: 0, ignored: [], strays: [], used: [] }

/** What a type check has found; nothing without one. */
export function reportOf(breaks: Breaks): ImpactReport {
  return breaks.kind === 'checked' ? breaks.report : NOTHING
}

/** Whether no line stops compiling and each was checked, or none has to be. */
export function isSafe(breaks: Breaks): boolean {
  return breaks.kind !== 'unchecked' && reportOf(breaks).findings.length === 0
}

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
  if (before && compareLocks(before, after).length === 0) return NOTHING
  const unnamed = before && (await findUnnamedChanges({ ...request, before }))
  if (unnamed !== undefined) return unnamed
  const { openApp } = await import('./app.ts')
  const { analyseImpact } = await import('./analyse-impact.ts')
  return analyseImpact(await openApp(location), { before, after })
}

export async function findUsage({
  lock,
  ...location
}: AppLocation & { readonly lock: Lock }): Promise<UsageReport> {
  const { openApp } = await import('./app.ts')
  const { analyseUsage } = await import('./analyse-usage.ts')
  return analyseUsage(await openApp(location), lock)
}
