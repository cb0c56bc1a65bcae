import type { UsageReport } from '../../analysis/app/analyse-usage.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import type { Lock } from '../../core/prompt.ts'

export async function findUsage({
  lock,
  ...location
}: AppLocation & { readonly lock: Lock }): Promise<UsageReport> {
  const { openApp } = await import('../../analysis/app/app.ts')
  const { analyseUsage } = await import('../../analysis/app/analyse-usage.ts')
  return analyseUsage(await openApp(location), lock)
}
