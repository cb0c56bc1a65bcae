import { execFile } from 'node:child_process'
import { isAbsolute, relative } from 'node:path'

/** What git answers if none of the paths is ignored. */
const NONE_IGNORED = 1

/**
 * Which paths git ignores. A file that is committed is not ignored, whatever the patterns say.
 *
 * @param root - a folder of the repository, absolute
 * @param paths - absolute, or relative to `root`; they need not exist
 * @returns as given; `undefined` without git, or outside of a repository
 */
export function findIgnored(
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const byName = new Map(paths.map((path) => [nameIn(root, path), path]))
  return new Promise((resolve) => {
    const args = ['check-ignore', '-z', '--stdin']
    const git = execFile('git', args, { cwd: root }, (error, stdout) => {
      const isAnswer = error === null || error.code === NONE_IGNORED
      const found = stdout.split('\0').flatMap((name) => byName.get(name) ?? [])
      resolve(isAnswer ? new Set(found) : undefined)
    })
    // Without git there is nobody to read it; the callback reports that.
    git.stdin?.on('error', () => undefined)
    git.stdin?.end([...byName.keys()].join('\0'))
  })
}

function nameIn(root: string, path: string): string {
  return isAbsolute(path) ? relative(root, path) : path
}
