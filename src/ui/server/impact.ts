import { join } from 'node:path'
import { classifyChanges } from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import { sortBySlug } from '../../core/order.ts'
import type { Lock } from '../../core/prompt.ts'
import type { Project } from '../../project.ts'
import type { ImpactView } from '../protocol.ts'
import { faultView } from './fault-view.ts'

/**
 * What would fail in the app if this one change were pulled. The compiler is only loaded for
 * changes that can break something.
 *
 * @returns `null` where the change can't
 */
export async function impactOf(project: Project, change: PromptChange): Promise<ImpactView | null> {
  const [classified] = classifyChanges([change])
  if (classified?.class !== 'breaking' && classified?.class !== 'soft') return null
  const { root, name, dts } = project.options
  try {
    const { analyseImpact } = await import('../../impact/analyse-impact.ts')
    const before = await project.readLock()
    const { findings } = analyseImpact({
      root,
      name,
      dts,
      before,
      after: withChange(before, change),
    })
    return {
      kind: 'found',
      places: findings.map(({ file, line, reason }) => ({
        file,
        path: join(root, file),
        line,
        reason,
      })),
    }
  } catch (error) {
    return { kind: 'fault', fault: faultView(error) }
  }
}

function withChange({ environment, prompts }: Lock, change: PromptChange): Lock {
  const rest = prompts.filter(({ slug }) => slug !== change.slug)
  const next = change.kind === 'removed' ? rest : [...rest, change.after]
  return { environment, prompts: sortBySlug(next) }
}
