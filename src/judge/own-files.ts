/** Which files belong to the apps of a lock, and which of them git ignores. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findRepository, listFiles } from '../fs/git.ts'
import { isInside, toForwardSlashes } from '../fs/paths.ts'

type Test = (path: string) => boolean

/** The folders of the apps of a lock, all paths absolute. */
export interface AppFolders {
  readonly root: string
  readonly lockPath: string
  /** Name of the workspace. */
  readonly name: string
  /** The other apps that use the lock. Default: none. */
  readonly others?: readonly { readonly root: string }[]
}

/**
 * Returns whether git ignores a file. Without git, and where it ignores the app's folder, it ignores none.
 *
 * @param root - the app's folder, absolute
 */
export async function ignoredFiles(root: string): Promise<Test> {
  const folder = realPath(root)
  const repository = findRepository(folder)
  const files = repository === undefined ? [] : ((await listFiles(repository)) ?? [])
  const visible = new Set(files.map(uniform))
  const app = uniform(folder)
  if (![...visible].some((path) => isInside(app, path))) return () => false
  return (path) => {
    // Git lists a link, and not what is behind it.
    const target = realPath(path)
    // A repository inside of this one has files of its own.
    return !visible.has(uniform(target)) && findRepository(dirname(target)) === repository
  }
}

/** What a path is behind links, as far as it exists, as this system writes it. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}

/** One form of a path: TypeScript has other slashes than Windows, and git other accents than old disks of macOS. */
function uniform(path: string): string {
  return toForwardSlashes(path).normalize()
}

/** Returns whether a file is in an app with another lock: in the nearest folder with an app or a lock. */
export function foreignFiles({ root, lockPath, name, others = [] }: AppFolders): Test {
  const file = `${name}.lock.json`
  const own = uniform(lockPath)
  const roots = [root, ...others.map((app) => app.root)]
  const answers = new Map(roots.map((folder) => [uniform(folder), false]))
  const isForeign = (folder: string): boolean => {
    const known = answers.get(uniform(folder))
    if (known !== undefined) return known
    const path = join(folder, file)
    const above = dirname(folder)
    const answer = existsSync(path) ? uniform(path) !== own : above !== folder && isForeign(above)
    answers.set(uniform(folder), answer)
    return answer
  }
  return (path) => isForeign(dirname(path))
}
