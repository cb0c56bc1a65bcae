/** Which files belong to the apps of a lock, and which of them git ignores. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import { findRepository, listFiles } from '../fs/git.ts'

type Test = (path: string) => boolean

/** The folders of the apps of a lock, all paths absolute. */
interface Folders {
  readonly root: string
  /** Default: the lock of its name in `root`. */
  readonly lockPath?: string | undefined
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  readonly others?: readonly { readonly root: string }[] | undefined
}

/**
 * Returns whether git ignores a file. Without git, and where it ignores the app's folder, it ignores none.
 *
 * @param root - the app's folder, absolute
 */
export async function ignoredFiles(root: string): Promise<Test> {
  const repository = findRepository(root)
  const files = (await listFiles(root)) && (await listFiles(repository ?? root))
  if (files === undefined) return () => false
  const visible = new Set(files)
  // A repository inside of this one has files of its own.
  return (path) => !visible.has(path) && findRepository(dirname(path)) === repository
}

/** Returns whether a file is in an app with another lock: in the nearest folder with an app or a lock. */
export function foreignFiles({ root, lockPath, name, others = [] }: Folders): Test {
  const file = `${name ?? DEFAULT_WORKSPACE}.lock.json`
  const own = lockPath ?? join(root, file)
  const answers = new Map([root, ...others.map((app) => app.root)].map((app) => [app, false]))
  const isForeign = (folder: string): boolean => {
    const known = answers.get(folder)
    if (known !== undefined) return known
    const path = join(folder, file)
    const above = dirname(folder)
    const answer = existsSync(path) ? path !== own : above !== folder && isForeign(above)
    answers.set(folder, answer)
    return answer
  }
  return (path) => isForeign(dirname(path))
}
