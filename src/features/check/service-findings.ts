import type { ChangeRow } from '../../core/change-row.ts'
import { describeEffects, describeVersion } from '../../core/describe-change.ts'
import type { Lock } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { suggestPull } from '../../errors/suggested-command.ts'
import type { LockOrigin } from '../../fs/lock-store.ts'
import { type Finding, lineFinder } from './finding.ts'

/** The lock that findings refer to. */
export interface LockText {
  /** With an absolute path. */
  readonly file: LockOrigin
  readonly text: string
  readonly lock: Lock
}

/** The differences between the service and the lock as findings. */
export function serviceFindings(rows: readonly ChangeRow[], { file, text }: LockText): Finding[] {
  const lineOf = lineFinder(text)
  const fix = suggestPull(file.workspace)
  return rows.map((row) => ({
    kind: `prompt-${row.kind}`,
    severity: 'drift',
    slug: row.slug,
    message: messageOf(row),
    fix,
    file: file.path,
    line: lineOf({ slug: row.slug, field: fieldOf(row) }),
  }))
}

function messageOf(row: ChangeRow): string {
  const slug = sanitize(row.slug)
  if (row.kind === 'removed') return `${slug} was removed from the service.`
  const version = describeVersion(row, sanitize).join('')
  if (row.kind === 'added') return `${slug} (${version}) is in the service but not pinned.`
  // That no text was read is true of all rows or of none.
  const effects = row.effects.filter(({ kind }) => kind !== 'unread')
  const words = describeEffects({ ...row, effects }, sanitize).join('')
  const isRelabelled = row.version.before !== row.version.after
  const differences = [isRelabelled ? version : '', effects.length > 0 ? words : '']
  return `${slug} differs in the service: ${differences.filter(Boolean).join(', ')}.`
}

/** The field of the lock to point at. */
function fieldOf({ kind, version, effects }: ChangeRow): string {
  if (kind !== 'updated') return 'slug'
  if (version.before !== version.after) return 'version'
  const fields = effects.flatMap((effect) =>
    effect.kind === 'setting' ? effect.field : effect.kind === 'text' ? effect.fields : [],
  )
  return fields[0] ?? 'slug'
}
