import { PromptsError } from '../errors.ts'
import { type Digest, integrityOf } from './integrity.ts'
import { isRecord, readShape } from './lock-shape.ts'
import { LOCK_VERSION } from './lock.ts'
import { sortBySlug } from './order.ts'
import type { Lock } from './prompt.ts'

/** Where the text of a lock comes from, for errors. */
export interface LockSource {
  readonly path: string
  /** Name of the workspace. */
  readonly workspace: string
}

/** A lock, or why the text is none. */
export type ParsedLock =
  | { readonly kind: 'lock'; readonly lock: Lock }
  | { readonly kind: 'fault'; readonly error: PromptsError }

/**
 * Reads the text of a lock strictly: unknown keys, wrong types, doubled slugs and entries that do
 * not fit their integrity are faults, all of one kind reported together.
 *
 * @param text - the file's content; its line ends do not matter
 * @returns the lock with its prompts sorted, or the error LOCK_CONFLICTED, LOCK_SYNTAX,
 *   LOCK_TOO_NEW, LOCK_INVALID or LOCK_EDITED
 */
export function parseLock(text: string, source: LockSource, digest: Digest): ParsedLock {
  const { path } = source
  const json = parseJson(text, source)
  if (json.kind === 'fault') return json
  const version = isRecord(json.value) ? json.value['lockVersion'] : undefined
  if (isTooNew(version)) return tooNew(version, path)
  const read = readShape(json.value)
  if (read.kind === 'invalid') {
    return fault(new PromptsError('LOCK_INVALID', { ...source, problems: read.problems }))
  }
  const { environment, entries } = read.shape
  const edited = entries.filter((entry) => integrityOf(entry.prompt, digest) !== entry.integrity)
  if (edited.length > 0) {
    const slugs = edited.map(({ prompt }) => prompt.slug)
    return fault(new PromptsError('LOCK_EDITED', { ...source, slugs }))
  }
  const prompts = sortBySlug(entries.map(({ prompt }) => prompt))
  return { kind: 'lock', lock: { environment, prompts } }
}

function fault(error: PromptsError): ParsedLock & { kind: 'fault' } {
  return { kind: 'fault', error }
}

function isTooNew(version: unknown): version is number {
  return typeof version === 'number' && version > LOCK_VERSION
}

function tooNew(version: number, path: string): ParsedLock & { kind: 'fault' } {
  return fault(new PromptsError('LOCK_TOO_NEW', { path, found: `${version}`, known: LOCK_VERSION }))
}

/** What git writes around the two sides of a conflict. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/m

function parseJson(
  text: string,
  source: LockSource,
): { kind: 'json'; value: unknown } | { kind: 'fault'; error: PromptsError } {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (cause) {
    const conflict = CONFLICT.exec(text)
    if (conflict === null) return fault(new PromptsError('LOCK_SYNTAX', source, { cause }))
    // A pull writes a conflicted lock anew, which it must not do to a newer one.
    const newest = Math.max(...versionsIn(text))
    if (isTooNew(newest)) return tooNew(newest, source.path)
    const line = text.slice(0, conflict.index).split('\n').length
    return fault(new PromptsError('LOCK_CONFLICTED', { ...source, line }, { cause }))
  }
}

/** The versions that the sides of a conflict name. */
function versionsIn(text: string): number[] {
  return [...text.matchAll(/^\s*"lockVersion": *(\d+)/gm)].map(([, version]) => Number(version))
}
