import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Apps } from '../../features/project/apps.ts'
import type { Project } from '../../features/project/project.ts'
import { relativeInside } from '../../fs/paths.ts'

/** Opens a `path:line:column` in the editor, and returns whether one was started. */
export type Launch = (place: string) => Promise<boolean>

/**
 * Opens a place, if it is in a file of the project.
 *
 * @param place - from the app's folder
 * @returns why it was not opened; `undefined` if it was
 */
export async function openInEditor(
  place: string,
  { options, apps }: Project,
  launch: Launch,
): Promise<string | undefined> {
  const inside = await placeInside(await apps(), resolve(options.root, place))
  if (inside === undefined) return 'The project has no such file.'
  return (await launch(inside))
    ? undefined
    : 'No editor was found. Set EDITOR to the command of one.'
}

/** The place with links resolved; `undefined` unless it is in a file of one of the apps. */
async function placeInside(apps: Apps, place: string): Promise<string | undefined> {
  const parts = /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/s.exec(place)
  const [, path = '', line = '1', column = '1'] = parts ?? []
  try {
    const file = await realpath(path)
    if (!(await stat(file)).isFile()) return undefined
    for (const { root } of apps) {
      const inside = relativeInside(await realpath(root), file)
      if (inside !== undefined) return `${join(root, inside)}:${line}:${column}`
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
