import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { CommittedTexts } from '../core/lock/recover-lock.ts'
import { NO_GIT, SHALLOW } from '../errors/catalogue.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { decodeText, resolveLinks } from './files.ts'
import { ancestorFolders, CODE_PATTERNS, toForwardSlashes } from './paths.ts'

/**
 * Reads a file in a git revision, even if it was renamed later.
 *
 * @param path - absolute
 * @param revision - a branch, tag or commit
 * @returns `undefined` if the revision does not have the file
 */
export async function readAtRevision(path: string, revision: string): Promise<Buffer | undefined> {
  const { folder, file } = await locate(path)
  const commit = await resolveCommit(folder, revision)
  const current = await readBlob(folder, `${commit}:${file}`).catch(() => undefined)
  if (current !== undefined) return current
  const former = await formerPath(folder, file, commit)
  return former === undefined ? undefined : readBlob(folder, `${commit}:${former}`)
}

/** Whether a revision is the commit that is checked out. */
export async function isHead(path: string, revision: string): Promise<boolean> {
  const { folder } = await locate(path)
  return (await resolveCommit(folder, revision)) === (await resolveCommit(folder, 'HEAD'))
}

/**
 * Finds the commit where the current branch left another revision. In GitHub's checkout of a merge it
 * is the tip of the base branch.
 *
 * @param path - absolute; a file of the repository
 */
export async function findMergeBase(path: string, revision: string): Promise<string> {
  const { folder } = await locate(path)
  const commit = await resolveCommit(folder, revision)
  const base = await tryGit(folder, ['merge-base', 'HEAD', commit])
  if (base !== undefined) return base.trim()
  const reason = (await isShallow(folder))
    ? `${SHALLOW} and lacks the commit where this branch left it`
    : 'it has no commit in common with this branch'
  throw new PromptsError('REVISION_UNREADABLE', { revision, reason })
}

/**
 * Reads what git has of a file: in a merge the committed sides, since git has merged the lines outside of the markers
 * already.
 *
 * @param path - absolute
 */
export async function readCommitted(path: string): Promise<CommittedTexts> {
  const { folder, file } = await locate(path)
  if (findRepository(folder) === undefined) return { earlier: [] }
  const read = async (tree: string): Promise<string | undefined> => {
    const bytes = await readBlob(folder, `${tree}:${file}`).catch(() => undefined)
    try {
      return bytes && decodeText(bytes, path)
    } catch {
      return undefined
    }
  }
  const trees = [':0', ':1', ':2', ':3', 'HEAD', 'AUTO_MERGE']
  const [staged, base, ours, theirs, head, left] = await Promise.all(trees.map(read))
  const earlier = [ours ?? staged, head].filter((text) => text !== undefined)
  if (ours === undefined || theirs === undefined) return { earlier }
  return { sides: { ours, theirs, base }, left, earlier }
}

export interface Revision {
  readonly commit: string
  /** When it was committed, in ISO 8601. */
  readonly date: string
  readonly author: string
  /** The first line of the message. */
  readonly subject: string
  /**
   * The file in each parent whose commits are listed, as the name of a blob; `null` where there is none.
   * Empty where a shallow clone ends: nobody knows what that commit changed.
   */
  readonly before: readonly (string | null)[]
  readonly after: string | null
}

/**
 * Lists the commits that made a file what it is in HEAD, also under its former names, newest first. What a
 * merge discarded is left out; a merge is listed if its file is that of none of its parents.
 *
 * @param path - absolute
 */
export async function listRevisions(path: string): Promise<Revision[]> {
  const { folder, file } = await locate(path)
  await resolveCommit(folder, 'HEAD')
  const [log, head, shallow] = await Promise.all([
    git(folder, [...LOG.split(' '), RECORD, '--', file]),
    tryGit(folder, ['rev-parse', '--verify', '--quiet', `HEAD:${file}`]),
    isShallow(folder),
  ])
  const [, ...records] = log.split('\0')
  const wanted = new Set([head?.trim() ?? null])
  const revisions = records
    .flatMap((record) => parseRevision(record, shallow))
    .filter(({ before, after }) => {
      if (!wanted.has(after)) return false
      for (const blob of before) wanted.add(blob)
      return true
    })
  // Git follows one name at a time, so it may not list what a branch did under a former name.
  const listed = new Set(revisions.map(({ after }) => after))
  return revisions.map((revision) => {
    const before = revision.before.filter((blob) => listed.has(blob))
    return before.length > 0 ? { ...revision, before } : revision
  })
}

/** Without what the user's configuration changes. `-c` shows merges, and each parent of them. */
const LOG =
  'log --follow --date-order -c --raw --root --no-abbrev --no-relative --no-show-signature --encoding=UTF-8'
const RECORD = '--format=%x00%H%n%P%n%cI%n%aN%n%s'

/** Reads a record of such a log; one of a merge that took the file of a parent has no change. */
function parseRevision(record: string, shallow: boolean): Revision[] {
  const [commit = '', parents, date = '', author = '', subject = '', , change = ''] =
    record.split('\n')
  // Modes, the blobs of the parents and of the commit, and what happened: `:100644 100644 1f… 2e… M`.
  const names = change.split('\t', 1)[0]?.match(/[\da-f]{40,}/g) ?? []
  const before = names.map((blob) => (/^0+$/.test(blob) ? null : blob))
  const after = before.pop()
  if (after === undefined) return []
  const isCut = shallow && parents === ''
  return [{ commit, date, author, subject, before: isCut ? [] : before, after }]
}

/** @param blob - a hash, or a name such as `HEAD:./file` */
export async function readBlob(folder: string, blob: string): Promise<Buffer> {
  const { printBytes } = await loadGit(folder)
  return (await printBytes(['cat-file', 'blob', blob])).stdout
}

/**
 * Lists the files below a folder that git tracks, and whether git knows each as unchanged. A change that
 * is staged counts, even if it was undone later, and so does a file that git does not compare
 * (assume-unchanged, skip-worktree).
 *
 * @param folder - absolute
 * @returns by absolute path; `undefined` without git or outside of a repository
 */
export async function listTrackedFiles(
  folder: string,
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const list = async (args: readonly string[]): Promise<string[] | undefined> =>
    (await tryGit(folder, [...args, '-z', '--', '.']))?.split('\0').filter((path) => path !== '')
  const diff = ['diff', '--relative', '--name-only', '--no-renames']
  const [tracked, changed, staged] = await Promise.all([
    list(['ls-files', '-v']),
    list([...diff, 'HEAD']),
    list([...diff, '--cached', 'HEAD']),
  ])
  if (tracked === undefined || changed === undefined || staged === undefined) return undefined
  const dirty = new Set([...changed, ...staged])
  return new Map(
    tracked.map((entry) => {
      // A letter for the state, where `H` is the usual one, a space, and the path.
      const path = entry.slice(2)
      return [join(folder, path), entry.startsWith('H') && !dirty.has(path)]
    }),
  )
}

/** Whether git has a file, also if it was deleted in the folder. */
export async function isTracked(path: string): Promise<boolean> {
  const { folder, file } = await locate(path)
  const files = await tryGit(folder, ['ls-files', '--', file])
  return files !== undefined && files !== ''
}

/** The tracked files of the whole repository that have the name of a path; absolute. */
export async function findNamesakes(path: string): Promise<string[]> {
  const repository = findRepository(dirname(path))
  if (repository === undefined) return []
  const output = await tryGit(repository, ['ls-files', '-z', '--', `:(glob)**/${basename(path)}`])
  return (output ?? '').split('\0').flatMap((file) => (file === '' ? [] : join(repository, file)))
}

/**
 * Lists the files below a folder that git does not ignore, without installed packages; also those of
 * submodules and of repositories inside.
 *
 * @param folder - absolute
 * @returns absolute paths; `undefined` without git, or if git ignores the folder
 */
export async function listFiles(folder: string): Promise<string[] | undefined> {
  const args = ['ls-files', '-z', '--stage', '--cached', '--others', '--exclude-standard']
  const entries = (await tryGit(folder, args))?.split('\0') ?? []
  const own = entries.filter((entry) => entry !== '' && !INSTALLED.test(entry.replace(STAGE, '')))
  if (own.length === 0) return undefined
  const files = own.map(async (entry) => {
    // Of a tracked file its mode, hash, stage and a tab come first.
    const path = toForwardSlashes(join(folder, entry.replace(STAGE, '')))
    const isRepository = entry.startsWith(SUBMODULE) || entry.endsWith('/')
    if (!isRepository) return path
    return existsSync(join(path, '.git')) ? ((await listFiles(path)) ?? []) : []
  })
  return (await Promise.all(files)).flat()
}

const STAGE = /^\d{6} [\da-f]+ \d\t/
const SUBMODULE = '160000 '

/**
 * Finds a regular expression in the files of a repository, without installed packages. Each match is no longer
 * than a line.
 *
 * @param files - `listed`: those that git does not ignore, without submodules and repositories inside. `code`:
 *   all code that the folder has. Default: `listed`
 * @returns absolute paths; `undefined` if git can't search, such as in a folder of another user
 */
export async function findText(
  folder: string,
  pattern: string,
  files: 'listed' | 'code' = 'listed',
): Promise<{ path: string; match: string }[] | undefined> {
  if (findRepository(folder) === undefined) return undefined
  const scope = files === 'listed' ? ['--untracked', '--'] : ['--no-index', '--', ...CODE_ON_DISK]
  const args = [...GREP.split(' '), pattern, ...scope]
  const output = await git(folder, args).catch((error: unknown) =>
    Object(error).code === NONE_FOUND ? '' : undefined,
  )
  const top = toForwardSlashes(join(folder, '/'))
  return output?.split('\n').flatMap((line) => {
    const [path = '', match = ''] = line.split('\0')
    return path === '' || INSTALLED.test(path) ? [] : { path: top + path, match }
  })
}

/**
 * The options that begin with `--no-` undo what the user's configuration may say. `-a` also searches files whose
 * differences git does not show.
 */
const GREP =
  'grep -ozaE --no-line-number --no-column --no-color --no-full-name --no-recurse-submodules -e'

/** Git does not read the folders that are excluded. */
const CODE_ON_DISK = [...CODE_PATTERNS, ':(exclude,glob)**/node_modules/**']

/** The folder of the repository that a folder is in, without a process. */
export function findRepository(from: string): string | undefined {
  for (const folder of ancestorFolders(from)) if (existsSync(join(folder, '.git'))) return folder
  return undefined
}

const INSTALLED = /(?:^|\/)node_modules\//

/** The exit code of `git grep` without a match, and of `git check-ignore` if no path is ignored. */
const NONE_FOUND = 1

/**
 * Returns the paths that git ignores. A committed file is not ignored, even if a pattern matches, and neither is one
 * outside of the repository.
 *
 * @param root - a folder of the repository, absolute
 * @param paths - absolute, or relative to `root`; they need not exist
 * @returns the paths as given; `undefined` without git or outside of a repository
 */
export async function findIgnored(
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const folder = await resolveLinks(root)
  const repository = findRepository(folder)
  if (repository === undefined) return undefined
  const names = await Promise.all(
    paths.map(async (path) => {
      const absolute = resolve(root, path)
      // Git knows a link, and nothing behind it. For one path that it can't know, it refuses all.
      const parent = await resolveLinks(dirname(absolute))
      if (findRepository(parent) !== repository) return undefined
      return relative(folder, join(parent, basename(absolute)))
    }),
  )
  const { print } = await loadGit(folder)
  const checking = print(['check-ignore', '-z', '--stdin'])
  const input = names.filter((name) => name !== undefined).join('\0')
  // Without git, writing fails too, and so does the process.
  checking.child.stdin?.on('error', () => undefined).end(input)
  try {
    const ignored = new Set<string | undefined>((await checking).stdout.split('\0'))
    return new Set(paths.filter((_, index) => ignored.has(names[index])))
  } catch (error) {
    return Object(error).code === NONE_FOUND ? new Set() : undefined
  }
}

/** Where git has a file: of a link, it has the path that it leads to. */
async function locate(path: string): Promise<{ folder: string; file: string }> {
  const target = await resolveLinks(path)
  return { folder: dirname(target), file: `./${basename(target)}` }
}

async function resolveCommit(folder: string, revision: string): Promise<string> {
  const query = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  try {
    return (await git(folder, query)).trim()
  } catch (cause) {
    const reason = (await isShallow(folder))
      ? `${SHALLOW} and has no such revision`
      : describeGitError(cause, folder)
    throw new PromptsError('REVISION_UNREADABLE', { revision, reason }, { cause })
  }
}

async function isShallow(folder: string): Promise<boolean> {
  return (await tryGit(folder, ['rev-parse', '--is-shallow-repository']))?.trim() === 'true'
}

/** Returns the path of a renamed file in a commit, relative to the repository: as its history follows it, or by its content. */
async function formerPath(
  folder: string,
  file: string,
  commit: string,
): Promise<string | undefined> {
  // Each rename is three fields: the similarity, the old and the new path.
  const list = async (command: string, ...more: string[]): Promise<string[]> => {
    const args = [...command.split(' '), ...RENAMES.split(' '), ...more]
    return (await git(folder, args)).split('\0').filter((field) => field !== '')
  }
  const oldest = (await list('log --follow --format=', `${commit}..HEAD`, '--', file)).at(-2)
  if (oldest !== undefined) return oldest
  const prefix = (await git(folder, ['rev-parse', '--show-prefix'])).trimEnd()
  const fields = await list('diff', commit)
  return fields[fields.indexOf(prefix + basename(file)) - 1]
}

const RENAMES = '--name-status -z --find-renames --diff-filter=R --no-relative'

/** Loaded on use: most commands start no process, and Node takes 4 ms to load this. */
async function loadGit(cwd: string) {
  const { execFile } = await import('node:child_process')
  // Git sets these for hooks of a linked worktree. It would then take `cwd` for the top of the repository.
  const unset = { GIT_DIR: undefined, GIT_WORK_TREE: undefined }
  // What helps is chosen by git's words, so they are English. Unlike LC_ALL, this leaves the encoding alone.
  const env = { ...process.env, ...unset, LANGUAGE: 'en' }
  const options = { cwd, env, maxBuffer: Number.POSITIVE_INFINITY }
  const run = promisify(execFile)
  return {
    print: (args: readonly string[]) => run('git', args, options),
    printBytes: (args: readonly string[]) => run('git', args, { ...options, encoding: 'buffer' }),
  }
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  const { print } = await loadGit(folder)
  return (await print(args)).stdout
}

async function tryGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  if (findRepository(folder) === undefined) return undefined
  return git(folder, args).catch(() => undefined)
}

function describeGitError(cause: unknown, folder: string): string {
  const { code, stderr = '' } = cause as { readonly code?: unknown; readonly stderr?: string }
  // Node reports a missing folder as it reports a missing program.
  if (code === 'ENOENT') return existsSync(folder) ? NO_GIT : `there is no folder ${folder}`
  const [line = ''] = stderr.split('\n')
  return line === '' ? 'this repository has no such revision' : line.replace(/^fatal: /, '')
}
