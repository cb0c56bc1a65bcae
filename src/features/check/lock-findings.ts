import { type FoundFault, parseLock } from '../../core/lock/parse-lock.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { isEdited, type Lock } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { suggestPull, formatCommand } from '../../errors/suggested-command.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { sha256 } from '../../fs/files.ts'
import { lockError, type LockOrigin } from '../../fs/lock-store.ts'
import { lockMismatches } from '../project/matching-lock.ts'
import type { Project } from '../project/project.ts'
import { type Finding, lineFinder } from './finding.ts'

/** What is wrong with the lock. */
export interface LockCheck {
  /** `undefined` if it is invalid. */
  readonly lock?: Lock
  readonly findings: readonly Finding[]
}

/**
 * Checks the format, the integrity and the order of the lock.
 *
 * @param text - the text of its file; `undefined` if there is none
 */
export function checkLock(
  { lock: file }: Pick<Project, 'lock'>,
  text: string | undefined,
): LockCheck {
  if (text === undefined) return { findings: [missingFinding(file)] }
  const parsed = parseLock(text, sha256)
  if (parsed.kind === 'fault') return { findings: invalidFindings(parsed, file, text) }
  const { lock, unsorted } = parsed
  return { lock, findings: unsorted ? [unsortedFinding(unsorted, file, text)] : [] }
}

function unsortedFinding(
  slugs: readonly string[],
  { path: file, workspace }: LockOrigin,
  text: string,
): Finding {
  const index = slugs.findIndex((slug, at) => compareCodePoints(slugs[at - 1] ?? '', slug) > 0)
  const slug = slugs[index] ?? ''
  return {
    kind: 'lock-unsorted',
    severity: 'drift',
    slug,
    message: `${sanitize(slug)} is out of order: the prompts of the lock must be sorted by slug.`,
    fix: `Run \`npx ${formatCommand(workspace, 'generate')}\`.`,
    file,
    line: lineFinder(text)({ slug }),
  }
}

function missingFinding({ path, workspace }: LockOrigin): Finding {
  const { why: message, fix } = new PromptsError('LOCK_MISSING', { path, workspace })
  return { kind: 'lock-missing', severity: 'fault', message, fix, file: path, line: 1 }
}

function invalidFindings(found: FoundFault, source: LockOrigin, text: string): Finding[] {
  const { why: message, fix } = lockError(found, source)
  const finding = {
    kind: 'lock-broken',
    severity: 'fault',
    message,
    fix,
    file: source.path,
  } as const
  const { code, details } = found.fault
  if (code === 'LOCK_CONFLICTED') return [{ ...finding, line: details.line }]
  if (code !== 'LOCK_EDITED') return [{ ...finding, line: 1 }]
  const lineOf = lineFinder(text)
  return details.slugs.map((slug) => ({
    ...finding,
    slug,
    message: `${sanitize(slug)} was changed by hand: its hash doesn't match.`,
    line: lineOf({ slug }),
  }))
}

/** Finds the prompts whose text was edited here. */
export function findEdited(
  { path: file, workspace }: LockOrigin,
  { prompts }: Lock,
  text: string,
): Finding[] {
  const lineOf = lineFinder(text)
  return prompts.filter(isEdited).map(({ slug, version }) => ({
    kind: 'prompt-edited',
    severity: 'drift',
    slug,
    message: `The text of ${sanitize(slug)} was edited here: ${sanitize(version)}.`,
    fix: `Run \`npx ${formatCommand(workspace, 'release')}\` with these prompts, then \`npx ${formatCommand(workspace, 'pull')}\`.`,
    file,
    line: lineOf({ slug, field: 'version' }),
  }))
}

/** Checks the lock against the options. */
export function checkOptions(
  { options, lock: { path: file, workspace } }: Pick<Project, 'options' | 'lock'>,
  lock: Lock,
  text: string,
): Finding[] {
  const lineOf = lineFinder(text)
  const fix = suggestPull(workspace)
  return lockMismatches(lock, options).map(({ slug, text: difference }) => ({
    kind: 'lock-unfit',
    severity: 'fault',
    ...(slug === undefined ? {} : { slug }),
    message: `The lock does not match the options: ${sanitize(difference)}.`,
    fix,
    file,
    line: lineOf(slug === undefined ? {} : { slug }),
  }))
}
