import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Project } from '../../features/project/project.ts'
import { relativeInside } from '../../fs/paths.ts'

/** Opens a `path:line:column` in the editor, and returns whether one was started. */
export type Launch = (place: string) => Promise<boolean>

/**
 * Opens a place, if it is in a file of one of the apps, or below the folder of their lock: a monorepo has code
 * of several apps there.
 *
 * @param place - from the app's folder
 * @returns why it was not opened; `undefined` if it was
 */
export async function openInEditor(
  place: string,
  { options, lock, apps }: Project,
  launch: Launch,
): Promise<string | undefined> {
  const roots = (await apps()).map(({ root }) => root)
  const inside = await placeInside([...roots, dirname(lock.path)], resolve(options.root, place))
  if (inside === undefined) return 'The project has no such file.'
  return (await launch(inside))
    ? undefined
    : 'No editor was found. Set EDITOR to the command of one.'
}

/** The place with links resolved; `undefined` unless it is in a file below one of these folders. */
async function placeInside(folders: readonly string[], place: string): Promise<string | undefined> {
  const parts = /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/s.exec(place)
  const [, path = '', line = '1', column = '1'] = parts ?? []
  try {
    const file = await realpath(path)
    if (!(await stat(file)).isFile()) return undefined
    for (const folder of folders) {
      const inside = relativeInside(await realpath(folder), file)
      if (inside !== undefined) return `${join(folder, inside)}:${line}:${column}`
    }
  } catch {
    // There is no such file.
  }
  return undefined
}

/** Finds the editor that runs, as Vite does. */
export async function launchEditor(place: string): Promise<boolean> {
  const { default: launch } = await import('launch-editor')
  let isStarted = true
  launch(place, () => (isStarted = false))
  return isStarted
}
