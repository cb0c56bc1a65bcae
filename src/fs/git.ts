import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { ConflictSides } from '../core/lock/conflict.ts'

const run = promisify(execFile)

/** Bytes of a file in git, at most: far more than a lock has. */
const LARGEST = 1024 ** 3

/**
 * A file as git has it at a revision, or in its index.
 *
 * @param revision - such as a commit's hash; `:2` is our side of a merge conflict
 * @throws Error with what git prints, if there is no such file, revision, repository or git
 */
async function readBlob(path: string, revision: string): Promise<string> {
  const target = await realpath(path).catch(() => path)
  const object = `${revision}:./${basename(target)}`
  return git(dirname(target), ['cat-file', 'blob', object])
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd, maxBuffer: LARGEST, encoding: 'utf8' })
  return stdout
}

/**
 * The sides of a file's merge conflict as they were committed. In the file itself, git has merged
 * the lines outside of its markers.
 *
 * @returns `undefined` without git, or if git knows of no conflict or of one side only
 */
export async function readConflictSides(path: string): Promise<ConflictSides | undefined> {
  const read = (stage: number): Promise<string | undefined> =>
    readBlob(path, `:${stage}`).catch(() => undefined)
  const [base, ours, theirs] = await Promise.all([1, 2, 3].map(read))
  return ours === undefined || theirs === undefined ? undefined : { ours, theirs, base }
}
