/** What can be wrong with the lock: by itself, beside the options, or beside the service. */
import type { ChangeRow } from '../../core/change-row.ts'
import { describeEffects, describeVersion } from '../../core/describe-change.ts'
import { type FaultyLock, parseLock } from '../../core/lock/parse-lock.ts'
import { describePart, isEdited, type Lock } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { suggestPull, formatCommand } from '../../core/suggested-command.ts'
import { sha256 } from '../../fs/files.ts'
import { lockError, type LockOrigin } from '../../fs/lock-store.ts'
import { describeExcluded, excludedParts, type Project } from '../project/project.ts'
import type { Finding, LocateFinding } from './step.ts'

/**
 * Checks the format, the integrity and the order of the lock.
 *
 * @param text - the text of its file; `undefined` if there is none
 * @returns also the lock; `undefined` if it is invalid
 */
export function checkLock(
  source: LockOrigin,
  text: string | undefined,
  locate: LocateFinding,
): { readonly lock?: Lock; readonly findings: readonly Finding[] } {
  const { path, workspace } = source
  if (text === undefined) {
    const { code, why, fix } = new PromptsError('LOCK_MISSING', { path, workspace })
    const message = `[${code}] ${why}`
    return { findings: [locate({ kind: 'lock-missing', severity: 'fault', message, fix })] }
  }
  const parsed = parseLock(text, sha256)
  if (parsed.kind === 'fault') return { findings: brokenFindings(parsed, source, locate) }
  const { lock, unsorted: slug } = parsed
  if (slug === undefined) return { lock, findings: [] }
  const message = `${sanitize(slug)} is out of order: the prompts of the lock must be sorted by slug.`
  const fix = `Run \`npx ${formatCommand(workspace, 'generate')}\`.`
  const finding = locate({ kind: 'lock-unsorted', severity: 'drift', slug, message, fix })
  return { lock, findings: [finding] }
}

function brokenFindings(broken: FaultyLock, source: LockOrigin, locate: LocateFinding): Finding[] {
  const { why, fix } = lockError(broken, source)
  const { code, details } = broken.fault
  const message = `[${code}] ${why}`
  const finding = { kind: 'lock-broken', severity: 'fault', message, fix } as const
  if (code === 'LOCK_CONFLICTED') return [{ ...locate(finding), line: details.line }]
  if (code !== 'LOCK_EDITED') return [locate(finding)]
  return (broken.parts ?? []).map(({ slug, environment }) => {
    const name = describePart({ slug, environment }, sanitize)
    const edited = `[${code}] ${name} was changed by hand: its hash doesn't match.`
    return locate({ ...finding, slug, environment, message: edited })
  })
}

export function findEdited(
  { workspace }: LockOrigin,
  { parts }: Lock,
  locate: LocateFinding,
): Finding[] {
  const [release, pull] = ['release', 'pull'].map((name) => formatCommand(workspace, name))
  const fix = `Run \`npx ${release}\` with these prompts, then \`npx ${pull}\`.`
  return parts.filter(isEdited).map(({ slug, environment, version }) => {
    const name = describePart({ slug, environment }, sanitize)
    const message = `The text of ${name} was edited here: ${sanitize(version)}.`
    const finding = { kind: 'prompt-edited', severity: 'drift', slug, environment } as const
    return locate({ ...finding, message, fix }, 'version')
  })
}

export function checkOptions(
  { options, lock: { workspace } }: Pick<Project, 'options' | 'lock'>,
  lock: Lock,
  locate: LocateFinding,
): Finding[] {
  const fix = suggestPull(workspace)
  return excludedParts(lock, options).map(({ slug, environment }) => {
    const text = describeExcluded({ slug, environment })
    const message = `The lock does not match the options: ${sanitize(text)}.`
    return locate({ kind: 'lock-unfit', severity: 'fault', slug, environment, message, fix })
  })
}

export function driftFindings(
  rows: readonly ChangeRow[],
  { workspace }: LockOrigin,
  locate: LocateFinding,
): Finding[] {
  const fix = suggestPull(workspace)
  return rows.map((row) => {
    const { slug, environment, kind } = row
    const message = `${describePart(row, sanitize)} ${describeDrift(row)}.`
    const finding = { kind: `prompt-${kind}`, severity: 'drift', slug, environment } as const
    return locate({ ...finding, message, fix }, fieldOf(row))
  })
}

function describeDrift(row: ChangeRow): string {
  if (row.kind === 'removed') return 'was removed from the service'
  const version = describeVersion(row, sanitize)
  if (row.kind === 'added') return `(${version}) is in the service but not pinned`
  // That no text was read is true of all rows or of none.
  const effects = row.effects.filter(({ kind }) => kind !== 'unread')
  const words = effects.length > 0 ? [describeEffects({ ...row, effects }, sanitize)] : []
  return `differs in the service: ${[...(isRelabelled(row) ? [version] : []), ...words].join(', ')}`
}

function isRelabelled({ version }: ChangeRow): boolean {
  return version.before !== version.after
}

/** The field of the lock to point at. A list of the service shows the version and settings. */
function fieldOf(row: ChangeRow): string | undefined {
  if (row.kind !== 'updated') return undefined
  const setting = row.effects.find((effect) => effect.kind === 'setting')
  return isRelabelled(row) ? 'version' : setting?.field
}
