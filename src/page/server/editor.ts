import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { relativeInside } from '../../fs/paths.ts'
import { type PageResponse, textResponse } from './respond.ts'

/** Opens a `path:line:column` in the user's editor. Returns whether an editor was started. */
export type LaunchEditor = (place: string) => Promise<boolean>

/** Opens a place, if it is in a file of the project. */
export async function openInEditor(
  place: string,
  { folders, launch }: { readonly folders: readonly string[]; readonly launch: LaunchEditor },
): Promise<PageResponse> {
  const inside = await placeInside(folders, place)
  if (inside === undefined) return textResponse(404, 'The project has no such file.')
  if (await launch(inside)) return textResponse(200, 'The file was opened.')
  return textResponse(500, 'No editor was found. Set EDITOR to the command of one.')
}

/** The place with links resolved; `undefined` unless it is in a file in one of the folders. */
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
export const launchEditor: LaunchEditor = async (place) => {
  const { default: launch } = await import('launch-editor')
  let isStarted = true
  launch(place, () => (isStarted = false))
  return isStarted
}
