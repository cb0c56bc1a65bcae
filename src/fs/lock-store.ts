import {
  type DamagedLock,
  type FormerLock,
  type WholeLock,
  wholeLock,
} from '../core/lock/former-lock.ts'
import { canonicalLock, type FaultyLock } from '../core/lock/canonical-lock.ts'
import { type Entry, entriesOf } from '../core/lock/entry.ts'
import {
  type LockEntries,
  openLock,
  parseLock,
  type ParsedLock,
  unsortedLock,
} from '../core/lock/parse-lock.ts'
import type { Lock } from '../core/prompt.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import { asPromptsError, PromptsError } from '../errors/prompts-error.ts'
import { debug } from '../debug/debug.ts'
import { decodeText, readBytes, readText, sha256 } from './files.ts'
import type { WriteState } from './write-file.ts'

/** The lock that an error is about. */
export interface LockOrigin {
  readonly path: string
  readonly workspace: string
}

/** How to read a lock. */
export interface LockRequest {
  /** Its content, if it was read before. */
  readonly text?: string | undefined
  /** Whether only what a build ships is verified. Default: everything, at once. */
  readonly production?: boolean | undefined
}

/** Reads and writes the committed lock. */
export interface LockStore extends LockOrigin {
  /**
   * Returns a hash of the content, without parsing it. Compare it with one from before a read to see
   * whether the lock has changed since.
   *
   * @returns `undefined` if there is no lock
   */
  readHash(): Promise<string | undefined>
  /**
   * Returns the content. A caller that compares it later with what it has read passes it on.
   *
   * @returns `undefined` if there is no lock
   */
  readText(): Promise<string | undefined>
  /** @returns `undefined` if there is no lock */
  read(): Promise<Lock | undefined>
  /** For a build: entries must be in order. @returns `undefined` if there is no lock */
  open(request?: LockRequest): Promise<readonly Entry[] | undefined>
  /**
   * Returns what a pull starts from.
   *
   * @throws PromptsError LOCK_TOO_NEW; FILE_FOREIGN for a file of another program; LOCK_CONFLICTED or LOCK_DUPLICATE if a
   *   merge would lose a hold
   */
  readFormer(): Promise<FormerLock>
  /**
   * Writes the lock, unless the file differs only in the white space between tokens. If it fails, the
   * lock is unchanged.
   *
   * @param text - the lock as it is printed
   * @param assertCurrent - throws if the file is not to be replaced any more
   */
  write(text: string, assertCurrent?: () => Promise<void>): Promise<WriteState>
}

/**
 * Creates the store of the lock at a path.
 *
 * @param workspace - name of the workspace
 */
export function createLockStore(
  path: string,
  root: string,
  workspace: string = DEFAULT_WORKSPACE,
): LockStore {
  let known: LockEntries = new Map()
  const readContent = async (): Promise<string | undefined> => {
    const text = await readText(path)
    debug('lock', () => `${path}: ${text === undefined ? 'missing' : 'read'}`)
    return text
  }
  const fail = (fault: FaultyLock): never => {
    throw lockError(fault, { path, workspace })
  }
  const parse = (text: string, isSorted = false): Lock => {
    const parsed = parseLock(text, sha256, known)
    if (parsed.kind === 'fault') return fail(parsed)
    if (isSorted && parsed.unsorted !== undefined) return fail(unsortedLock(parsed.unsorted))
    known = parsed.entries
    return parsed.lock
  }
  return {
    path,
    workspace,
    async readHash() {
      const bytes = await readBytes(path)
      return bytes && sha256(bytes)
    },
    readText: readContent,
    async read() {
      const text = await readContent()
      return text === undefined ? undefined : parse(text)
    },
    async open({ text: content, production = false } = {}) {
      const text = content ?? (await readContent())
      if (text === undefined) return undefined
      if (!production) return entriesOf(parse(text, true))
      const entries = openLock(text, sha256, fail)
      return 'kind' in entries ? fail(entries) : entries
    },
    async readFormer() {
      const text = await readContent()
      if (text === undefined) return { kind: 'none' }
      const parsed = parseLock(text, sha256, known)
      if (parsed.kind === 'lock') return wholeLock(parsed.lock)
      const former = await recover(path, text, parsed)
      return former.kind === 'fault' ? fail(former) : former
    },
    async write(text, assertCurrent) {
      // Mostly it is the same text, and need not be parsed again.
      const isSame = (one: string, other: string): boolean =>
        one === other || canonicalLock(one) === other
      const { writeText } = await import('./write-file.ts')
      const result = await writeText(path, text, root, { isSame, assertCurrent })
      debug('lock', () => `${path}: ${result}`)
      return result
    },
  }
}

async function recover(
  path: string,
  text: string,
  fault: FaultyLock,
): Promise<WholeLock | DamagedLock | FaultyLock> {
  const { recoverLock } = await import('../core/lock/recover-lock.ts')
  const { readCommitted } = await import('./git.ts')
  const committed = await readCommitted(path)
  const texts = [text, ...committed.earlier]
  if (isOfAnother(text) && !texts.some((one) => OWN.test(one)))
    throw new PromptsError('FILE_FOREIGN', { path })
  return recoverLock(text, fault, committed, sha256)
}

/** What no lock lacks, and no file of another program has by chance. */
const OWN = /"(?:lockVersion|slug)"/

/** Whether a text is not even what a full disk may have left of a lock: its first characters, or nothing. */
function isOfAnother(text: string): boolean {
  return !'{"lockVersion"'.startsWith(text.replaceAll(/[\s\0\uFEFF]|\}\s*$/g, ''))
}

/** Reads a lock that has to be there. */
export async function readRequiredLock(store: LockStore): Promise<Lock> {
  const { path, workspace } = store
  const lock = await store.read()
  if (lock === undefined) throw new PromptsError('LOCK_MISSING', { path, workspace })
  return lock
}

/**
 * Reads a lock as it was in a git revision.
 *
 * @param revision - a branch, tag or commit
 * @returns `undefined` if the revision has no lock
 */
export async function readLockAt(source: LockOrigin, revision: string): Promise<Lock | undefined> {
  const { readAtRevision } = await import('./git.ts')
  const bytes = await readAtRevision(source.path, revision)
  try {
    // The advice of these errors is about the lock on disk, which is another one.
    return bytes && parseBytes(bytes, { ...source, path: 'its lock' }).lock
  } catch (cause) {
    const [first = ''] = asPromptsError(cause).why.split('\n')
    const reason = first.replace(/[.:]$/, '')
    throw new PromptsError('REVISION_UNREADABLE', { revision, reason }, { cause })
  }
}

/**
 * Verifies a whole lock, also one from git.
 *
 * @param known - of an earlier text, which is mostly the same. Default: none
 */
export function parseBytes(
  bytes: Uint8Array,
  source: LockOrigin,
  known?: LockEntries,
): Exclude<ParsedLock, FaultyLock> {
  const parsed = parseLock(decodeText(bytes, source.path), sha256, known)
  if (parsed.kind === 'fault') throw lockError(parsed, source)
  return parsed
}

export function lockError(
  { fault, cause }: FaultyLock,
  { path, workspace }: LockOrigin,
): PromptsError {
  return new PromptsError(fault.code, { path, workspace, ...fault.details }, { cause })
}
