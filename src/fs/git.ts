import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { ConflictSides } from '../core/lock/conflict.ts'
import { PromptsError } from '../errors/prompts-error.ts'

/**
 * Reads a file as it was in a git revision, also if it was renamed since.
 *
 * @param path - absolute
 * @param revision - a branch, tag or commit
 * @returns `undefined` if the revision does not have the file
 * @throws PromptsError REVISION_UNREADABLE
 */
export async function readAtRevision(path: string, revision: string): Promise<string | undefined> {
  const folder = dirname(path)
  const commit = await resolveCommit(folder, revision)
  const current = await tryGit(folder, ['show', `${commit}:./${basename(path)}`])
  if (current !== undefined) return current
  const former = await formerPath(path, commit)
  return former === undefined ? undefined : git(folder, ['show', `${commit}:${former}`])
}

/**
 * The sides of a file's merge conflict as they were committed. In the file itself, git has merged
 * the lines outside of its markers.
 *
 * @param path - absolute
 * @returns `undefined` without git, or if git knows of no conflict or of one side only
 */
export async function readConflictSides(path: string): Promise<ConflictSides | undefined> {
  const read = (stage: number): Promise<string | undefined> =>
    tryGit(dirname(path), ['show', `:${stage}:./${basename(path)}`])
  const [base, ours, theirs] = await Promise.all([1, 2, 3].map(read))
  return ours === undefined || theirs === undefined ? undefined : { ours, theirs, base }
}

async function resolveCommit(folder: string, revision: string): Promise<string> {
  const query = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  try {
    return (await git(folder, query)).trim()
  } catch (cause) {
    throw new PromptsError('REVISION_UNREADABLE', { revision, reason: reasonOf(cause) }, { cause })
  }
}

/** The path that a renamed file had in a commit, from the top of the repository. */
async function formerPath(path: string, commit: string): Promise<string | undefined> {
  const folder = dirname(path)
  const prefix = (await git(folder, ['rev-parse', '--show-prefix'])).trimEnd()
  const renames = ['diff', '--name-status', '-z', '--find-renames', '--diff-filter=R', commit]
  // Each rename is three fields: the similarity, the old and the new path.
  const fields = (await git(folder, renames)).split('\0')
  return fields[fields.indexOf(prefix + basename(path)) - 1]
}

const run = promisify(execFile)

async function git(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: folder, maxBuffer: Number.POSITIVE_INFINITY })
  return stdout
}

async function tryGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  return git(folder, args).catch(() => undefined)
}

function reasonOf(cause: unknown): string {
  const { code, stderr = '' } = cause as { readonly code?: unknown; readonly stderr?: string }
  if (code === 'ENOENT') return 'git is not installed'
  const [line = ''] = stderr.split('\n')
  return line === '' ? 'this repository has no such revision' : line.replace(/^fatal: /, '')
}
