import { execFile } from 'node:child_process'
import { isAbsolute, relative } from 'node:path'

/** The exit code of git if none of the paths is ignored. */
const NONE_IGNORED = 1

/**
 * Returns the paths that git ignores. A committed file is not ignored, even if a pattern matches.
 *
 * @param root - a folder of the repository, absolute
 * @param paths - absolute, or relative to `root`; they need not exist
 * @returns the paths as given; `undefined` without git or outside of a repository
 */
export function findIgnored(
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const byName = new Map(paths.map((path) => [nameIn(root, path), path]))
  return new Promise((resolve) => {
    const args = ['check-ignore', '-z', '--stdin']
    const git = execFile('git', args, { cwd: root }, (error, stdout) => {
      const isResult = error === null || error.code === NONE_IGNORED
      const found = stdout.split('\0').flatMap((name) => byName.get(name) ?? [])
      resolve(isResult ? new Set(found) : undefined)
    })
    // Without git, writing fails too; the callback handles that.
    git.stdin?.on('error', () => undefined)
    git.stdin?.end([...byName.keys()].join('\0'))
  })
}

function nameIn(root: string, path: string): string {
  return isAbsolute(path) ? relative(root, path) : path
}
