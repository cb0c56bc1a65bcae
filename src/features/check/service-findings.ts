import { type Drift, listedValues } from '../../core/drift.ts'
import type { Environment, Lock } from '../../core/prompt.ts'
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

/** One difference between the service and the lock. */
interface ServiceDifference {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly slug: string
  /** What is said about the slug, sanitized. */
  readonly message: string
  /** The fields that differ. */
  readonly fields?: readonly string[]
}

/** Compares the service's list with the lock. */
export function findDrift(drift: readonly Drift[], lock: LockText): Finding[] {
  const { environment } = lock.lock
  return toFindings(
    lock,
    drift.map((each) => differenceOf(each, environment)),
  )
}

function differenceOf(drift: Drift, environment: Environment): ServiceDifference {
  const { kind, slug } = drift
  if (kind === 'removed') return { kind, slug, message: REMOVED }
  const now = listedValues(drift.entry, environment)
  if (kind === 'added') return { kind, slug, message: addedMessage(now.version) }
  const { fields, pinned } = drift
  const parts = fields.map((field) => describeField(field, pinned[field], now[field]))
  return { kind, slug, message: `: ${parts.join('; ')}.`, fields }
}

const REMOVED = ' was removed from the service.'

function addedMessage(version: string): string {
  return ` (${sanitize(version)}) is in the service but not pinned.`
}

function describeField(field: string, pinned: string | number, served: string | number): string {
  return sanitize(`${field} is ${pinned} in the lock and ${served} in the service`)
}

function toFindings(
  { file, text }: LockText,
  differences: readonly ServiceDifference[],
): Finding[] {
  const lineOf = lineFinder(text)
  const fix = suggestPull(file.workspace)
  return differences.map(({ kind, slug, message, fields: [first = 'slug', ...others] = [] }) => ({
    kind: `prompt-${kind}`,
    severity: 'drift',
    slug,
    message: sanitize(slug) + message,
    fix,
    file: file.path,
    line: lineOf({ slug, field: others.includes('version') ? 'version' : first }),
  }))
}
