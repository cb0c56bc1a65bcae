import { type ChangedPrompt, isChanged, type PromptChange } from '../../core/compare.ts'
import { type Drift, listedValues } from '../../core/drift.ts'
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

/** One difference between the service and the lock. */
interface ServiceDifference {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly slug: string
  /** One sentence, sanitized. */
  readonly message: string
  /** The first field that differs. */
  readonly field?: string
}

/** Compares the service's list with the lock. */
export function findDrift(drift: readonly Drift[], lock: LockText): Finding[] {
  const toFinding = findingFactory(lock)
  return drift.map((each) => toFinding(differenceOf(each, lock.lock)))
}

/** Compares every prompt with the lock, including temperatures and texts. */
export function findChanges(changes: readonly PromptChange[], lock: LockText): Finding[] {
  const toFinding = findingFactory(lock)
  return changes.filter(isChanged).map((change) => toFinding(differenceOfChange(change)))
}

function differenceOf(drift: Drift, { environment }: Lock): ServiceDifference {
  const { kind, slug } = drift
  if (kind === 'added') return added(slug, listedValues(drift.entry, environment).version)
  if (kind === 'removed') return removed(slug)
  const now = listedValues(drift.entry, environment)
  const parts = drift.fields.map((field) => describeField(field, drift.pinned[field], now[field]))
  return changed(slug, parts, drift.fields.includes('version') ? 'version' : drift.fields[0])
}

function differenceOfChange(change: ChangedPrompt): ServiceDifference {
  const { kind, slug } = change
  if (kind === 'added') return added(slug, change.after.version)
  if (kind === 'removed') return removed(slug)
  const { before, after, fields } = change
  const parts = fields
    .filter((field) => field !== 'source' || fields.length === 1)
    .map((field) =>
      field === 'system' || field === 'user' || field === 'source'
        ? `the ${field} text differs`
        : describeField(field, before[field], after[field]),
    )
  return changed(slug, parts, fields.includes('version') ? 'version' : fields[0])
}

function describeField(field: string, pinned: string | number, served: string | number): string {
  return sanitize(`${field} is ${pinned} in the lock and ${served} in the service`)
}

function added(slug: string, version: string): ServiceDifference {
  return {
    kind: 'added',
    slug,
    message: sanitize(`${slug} (${version}) is in the service but not pinned.`),
  }
}

function removed(slug: string): ServiceDifference {
  return {
    kind: 'removed',
    slug,
    message: `${sanitize(slug)} was removed from the service.`,
  }
}

function changed(slug: string, parts: readonly string[], field = 'slug'): ServiceDifference {
  return { kind: 'changed', slug, message: `${sanitize(slug)}: ${parts.join('; ')}.`, field }
}

/** Creates a function that turns differences into findings with their line in the lock. */
function findingFactory({ file, text }: LockText): (difference: ServiceDifference) => Finding {
  const lineOf = lineFinder(text)
  const fix = suggestPull(file.workspace)
  return ({ kind, slug, message, field = 'slug' }) => {
    const line = lineOf({ slug, field })
    return { kind: `prompt-${kind}`, severity: 'drift', slug, message, fix, file: file.path, line }
  }
}
