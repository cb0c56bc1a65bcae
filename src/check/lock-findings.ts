import type { LockSource } from '../core/parse-lock.ts'
import type { Lock } from '../core/prompt.ts'
import { sanitize } from '../core/sanitize.ts'
import { adviceToPull } from '../core/workspace-command.ts'
import { type ErrorCode, isPromptsError, PromptsError } from '../errors.ts'
import { lockDifferences, type Project } from '../project.ts'
import { type Finding, lineFinder } from './finding.ts'

/** A lock that can be worked with, or the reasons why it can't. */
export type LockCheck =
  | { readonly kind: 'whole'; readonly lock: Lock }
  | { readonly kind: 'broken'; readonly findings: readonly Finding[] }

/** What says that the lock itself is at fault; anything else ends the check. */
const BROKEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'LOCK_CONFLICTED',
  'LOCK_SYNTAX',
  'LOCK_TOO_NEW',
  'LOCK_INVALID',
  'LOCK_EDITED',
])

/**
 * Reads the lock and its integrity.
 *
 * @param text - the content of its file, `undefined` where there is none
 * @throws PromptsError FILE_UNREADABLE
 */
export async function checkLock(
  { lock: file }: Pick<Project, 'lock'>,
  text: string | undefined,
): Promise<LockCheck> {
  try {
    const lock = await file.read()
    if (lock === undefined) return { kind: 'broken', findings: [missingFinding(file)] }
    return { kind: 'whole', lock }
  } catch (error) {
    if (!isPromptsError(error) || !BROKEN.has(error.code)) throw error
    return { kind: 'broken', findings: brokenFindings(error, file.path, text ?? '') }
  }
}

function missingFinding({ path, workspace }: LockSource): Finding {
  const { why: message, fix } = new PromptsError('LOCK_MISSING', { path, workspace })
  return { kind: 'lock-missing', severity: 'fault', message, fix, file: path, line: 1 }
}

function brokenFindings(error: PromptsError, file: string, text: string): Finding[] {
  const { why: message, fix } = error
  const finding = { kind: 'lock-broken', severity: 'fault', message, fix, file } as const
  if (isPromptsError(error, 'LOCK_CONFLICTED')) return [{ ...finding, line: error.details.line }]
  if (!isPromptsError(error, 'LOCK_EDITED')) return [{ ...finding, line: 1 }]
  const lineOf = lineFinder(text)
  return error.details.slugs.map((slug) => ({
    ...finding,
    slug,
    message: `${slug} was changed by hand: it does not fit its integrity.`,
    line: lineOf({ slug }),
  }))
}

/** How the lock does not fit the options. */
export function checkOptions(
  { options, lock: { path: file, workspace } }: Pick<Project, 'options' | 'lock'>,
  lock: Lock,
  text: string,
): Finding[] {
  const lineOf = lineFinder(text)
  const fix = adviceToPull(workspace)
  return lockDifferences(lock, options).map(({ slug, text: difference }) => ({
    kind: 'lock-unfit',
    severity: 'fault',
    ...(slug === undefined ? {} : { slug }),
    message: `The lock does not fit the options: ${sanitize(difference)}.`,
    fix,
    file,
    line: lineOf(slug === undefined ? {} : { slug }),
  }))
}
