import { execFileSync } from 'node:child_process'

/** Without the user's configuration, and without a maintenance that runs after the test. */
const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

/**
 * Runs git in a folder, as an author of its own and without the user's configuration.
 *
 * @throws Error with what git printed, if it fails
 */
export function git(cwd: string, ...args: readonly string[]): string {
  return run(cwd, ['git', ...args]).toString()
}

/**
 * Runs shell commands. Several calls of git are one script, since a process that has loaded a
 * compiler takes 20 ms to start another one.
 */
function shell(
  cwd: string,
  script: string,
  { args = [] as readonly string[], input = '' },
): Buffer {
  return run(cwd, ['sh', '-c', script, 'sh', ...args], input)
}

function run(cwd: string, [file = '', ...args]: readonly string[], input = ''): Buffer {
  return execFileSync(file, args, { cwd, env: ENV, input, stdio: 'pipe', maxBuffer: Infinity })
}

/** Makes a repository of a folder and commits all files. */
export function commitAll(cwd: string, message = 'commit'): void {
  const script = `git init --quiet --initial-branch main && git add --all &&
    git commit --quiet --allow-empty --message "$1"`
  shell(cwd, script, { args: [message] })
}

/**
 * A commit on a branch, for {@link importBranches}.
 *
 * @param files - texts by path; `null` removes a file
 * @param parent - where the branch begins, if it is new
 * @param more - a branch that the commit merges, and its seconds
 */
export function branch(
  name: string,
  files: Readonly<Record<string, string | null>>,
  parent?: string,
  { merge, date = 0 }: { readonly merge?: string; readonly date?: number } = {},
): string {
  const from = parent === undefined ? '' : `from refs/heads/${parent}\n`
  const merged = merge === undefined ? '' : `merge refs/heads/${merge}\n`
  const changes = Object.entries(files).map(([path, text]) =>
    text === null
      ? `D ${path}\n`
      : `M 644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  )
  const commit = `commit refs/heads/${name}\ncommitter A <a@example.com> ${date} +0000\ndata 0\n`
  return `${commit}${from}${merged}${changes.join('')}`
}

/** Makes a repository of a folder with all branches at once. */
export function importBranches(cwd: string, branches: readonly string[]): void {
  shell(cwd, 'git init --quiet && git fast-import --quiet', { input: branches.join('') })
}

/** The texts of files that `git merge` leaves of two branches, with conflict markers if there are conflicts. */
export function mergedTexts(
  cwd: string,
  branches: readonly [ours: string, theirs: string],
  paths: readonly string[],
): string[] {
  const merge = 'git merge-tree --write-tree "$1" "$2" | head -n 1'
  const tree = shell(cwd, merge, { args: branches }).toString().trim()
  return paths.map((path) => git(cwd, 'show', `${tree}:${path}`))
}
