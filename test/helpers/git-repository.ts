import { execFileSync, spawnSync } from 'node:child_process'

const AUTHOR = ['user.name=A', 'user.email=a@example.com', 'commit.gpgSign=false']

/** Without the user's configuration. */
const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/**
 * Runs git in a folder, as an author of its own and without the user's configuration.
 *
 * @throws Error with what git printed, if it fails
 */
export function git(cwd: string, ...args: readonly string[]): string {
  return run(cwd, args)
}

function run(cwd: string, args: readonly string[], input = ''): string {
  const author = AUTHOR.flatMap((setting) => ['-c', setting])
  return execFileSync('git', [...author, ...args], {
    cwd,
    env: ENV,
    input,
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

/** Makes a repository of a folder and commits all files. */
export function commitAll(cwd: string, message = 'commit'): void {
  git(cwd, 'init', '--quiet', '--initial-branch', 'main')
  git(cwd, 'add', '--all')
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', message)
}

/** A commit on a new branch, for {@link importBranches}. */
export function branch(
  name: string,
  files: Readonly<Record<string, string>>,
  parent?: string,
): string {
  const from = parent === undefined ? '' : `from refs/heads/${parent}\n`
  const contents = Object.entries(files).map(
    ([path, text]) => `M 644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  )
  const commit = `commit refs/heads/${name}\ncommitter A <a@example.com> 0 +0000\ndata 0\n`
  return `${commit}${from}${contents.join('')}`
}

/** Makes a repository of a folder with all branches at once. */
export function importBranches(cwd: string, branches: readonly string[]): void {
  git(cwd, 'init', '--quiet')
  run(cwd, ['fast-import', '--quiet'], branches.join(''))
}

/** The tree that `git merge` leaves, with conflict markers in its files if there are conflicts. */
export function mergeTree(cwd: string, ours: string, theirs: string): string {
  const { stdout } = spawnSync('git', ['merge-tree', '--write-tree', ours, theirs], {
    cwd,
    env: ENV,
    encoding: 'utf8',
  })
  return stdout.split('\n')[0] ?? ''
}
