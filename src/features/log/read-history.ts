/**
 * The history of the lock from git: each commit is compared with its parents, whose locks are parsed as
 * usual.
 */
import { dirname } from 'node:path'
import {
  type ChangeRow,
  changeRows,
  type ComparedRow,
  withoutTexts,
} from '../../core/change-row.ts'
import { compareLocks, type PromptChange } from '../../core/compare.ts'
import type { LockEntries } from '../../core/lock/parse-lock.ts'
import { type Lock, partKey, type PinnedPrompt } from '../../core/prompt.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { asPromptsError } from '../../errors/prompts-error.ts'
import { readBytes } from '../../fs/files.ts'
import { listRevisions, readBlob, type Revision } from '../../fs/git.ts'
import { type LockOrigin, parseBytes } from '../../fs/lock-store.ts'

/** A commit that changed prompts of the lock. Author and subject are as in git: escape them before showing them. */
interface HistoryEntry extends Pick<Revision, 'commit' | 'date' | 'author' | 'subject'> {
  /**
   * Of a merge: what none of its branches had. `null` if the lock of the commit is not valid; the next
   * valid one has its changes.
   */
  readonly rows: readonly ChangeRow[] | null
}

export interface History {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[]
  /** Where it ends: at the first commit, at the limit, or where a shallow clone is cut. */
  readonly end: 'start' | 'limit' | 'shallow'
}

interface HistoryRequest {
  /** Only this prompt. Default: all. */
  readonly slug?: string | undefined
  /** The highest number of entries; older commits are not read. */
  readonly limit: number
  /** The commit whose rows are also returned with their texts. Default: none. */
  readonly commit?: string | null | undefined
}

/** Reads the commits that changed prompts. What they broke at that time is not known. */
export async function readHistory(
  source: LockOrigin,
  { slug, limit, commit: wanted }: HistoryRequest,
): Promise<History & { readonly chosen: readonly ComparedRow[] }> {
  const revisions = await listRevisions(source.path)
  const prompts = new Map<string, PinnedPrompt>()
  const read = createReader(source, prompts)
  const entries: HistoryEntry[] = []
  let [end, chosen]: [History['end'], readonly ComparedRow[]] = ['start', []]
  for (const [index, { before, after, ...commit }] of revisions.entries()) {
    if (entries.length === limit) return { entries, end: 'limit', chosen }
    const lock = await read(after)
    const older = revisions.slice(index + 1)
    const formers = await Promise.all(before.map((blob) => findFormer(blob, older, read)))
    const rows = lock && rowsOf(formers.flat(), lock, slug)
    if (formers.flat().length === 0) end = 'shallow'
    else if (rows?.length !== 0) entries.push({ ...commit, rows: rows?.map(withoutTexts) ?? null })
    if (commit.commit === wanted) chosen = rows ?? []
  }
  if (slug !== undefined) {
    // One that was pinned and never committed has no history yet.
    await read((await readBytes(source.path)) ?? null)
    findKnownPrompt(slug, [...prompts.values()], 'prompt in the lock or its history')
  }
  return { entries, end, chosen }
}

/** Returns the lock of a blob, or of bytes; `undefined` if it is not valid. */
type Read = (blob: string | Uint8Array | null) => Promise<Lock | undefined>

/**
 * Reads each lock once. Those of two commits are mostly the same.
 *
 * @param prompts - collects one of each slug
 */
function createReader(source: LockOrigin, prompts: Map<string, PinnedPrompt>): Read {
  let known: LockEntries | undefined
  const locks = new Map<Parameters<Read>[0], Lock | undefined>([[null, { parts: [] }]])
  const parse = (bytes: Uint8Array): Lock | undefined => {
    try {
      const { lock, entries } = parseBytes(bytes, source, known)
      known = entries
      return lock
    } catch (error) {
      asPromptsError(error)
      return undefined
    }
  }
  return async (blob) => {
    if (blob === null || locks.has(blob)) return locks.get(blob)
    const lock = parse(typeof blob === 'string' ? await readBlob(dirname(source.path), blob) : blob)
    for (const prompt of lock?.parts ?? []) prompts.set(prompt.slug, prompt)
    locks.set(blob, lock)
    return lock
  }
}

/** The lock of a parent, or the last valid one before it; none where a shallow clone ends. */
async function findFormer(
  blob: string | null | undefined,
  older: readonly Revision[],
  read: Read,
): Promise<Lock[]> {
  if (blob === undefined) return []
  const lock = await read(blob)
  if (lock !== undefined) return [lock]
  const index = older.findIndex(({ after }) => after === blob)
  return findFormer(older[index]?.before[0], older.slice(index + 1), read)
}

/** What a commit changed: the parts that differ from those of every parent. */
function rowsOf(formers: readonly Lock[], after: Lock, slug: string | undefined): ComparedRow[] {
  const [first = [], ...others] = formers.map((lock) => compareLocks(lock, after))
  const keys = others.map((changes) => new Set(changes.map(partKey)))
  const isNew = (change: PromptChange): boolean => keys.every((key) => key.has(partKey(change)))
  const changes = first.filter((change) => isNew(change) && change.slug === (slug ?? change.slug))
  return changeRows(changes)
}
