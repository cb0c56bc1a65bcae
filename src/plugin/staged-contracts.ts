import type { UsedNames } from './by-use/used-names.ts'
import type { LockPlan } from '../codegen/plan-module.ts'
import { type ChangeRow, changeRows } from '../core/change-row.ts'
import { isOfContract } from '../core/classify-change.ts'
import { comparePrompts } from '../core/compare.ts'
import { describeEffects } from '../core/describe-change.ts'
import { lockOf } from '../core/lock/entry.ts'
import { viewOf } from '../core/prompt.ts'
import { sanitize } from '../core/text/sanitize.ts'
import type { Project } from '../features/project/project.ts'

/**
 * Describes the used staging prompts whose contract is not that of the live version, which the declarations
 * have if only a variable selects staging.
 */
export function listStagedContracts(
  { options }: Pick<Project, 'options'>,
  { environment, prompts }: LockPlan,
  used: UsedNames,
): string[] {
  if (environment === 'live' || options.environment === 'test') return []
  const isUsed = (name: string): boolean => used === 'all' || used.has(name)
  const entries = prompts.filter(({ names }) => names.some(isUsed)).map(({ entry }) => entry)
  const lock = lockOf(entries)
  const changes = comparePrompts(viewOf(lock, 'live').prompts, viewOf(lock, 'test').prompts)
  return changeRows(changes.filter(({ kind }) => kind === 'updated'))
    .map((row) => ({ ...row, effects: row.effects.filter(isOfContract) }))
    .filter(({ effects }) => effects.length > 0)
    .map(describeStaged)
}

/** What a build with another contract than the declarations has to expect. */
function describeStaged(row: ChangeRow): string {
  const needed = row.effects.flatMap((effect) => {
    if (effect.kind === 'variable-added') return effect.name
    return effect.kind === 'variable-renamed' ? effect.to : []
  })
  const served = `This build serves staging: ${sanitize(`${row.slug} ${row.version.after}`)}`
  if (needed.length === 0)
    return `${served} has another contract than the declarations: ${describeEffects(row, sanitize)}.`
  const names = needed.map((name) => `\`${name}\``).join(', ')
  const them = needed.length === 1 ? 'it' : 'them'
  return `${served} also needs ${names}. Calls that do not pass ${them} throw.`
}
