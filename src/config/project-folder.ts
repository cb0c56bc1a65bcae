import { readdir } from 'node:fs/promises'
import { configFileNames } from './config-file.ts'
import { ancestorFolders } from '../fs/paths.ts'

/**
 * The project that a folder belongs to: the nearest one, from there upwards, that holds a
 * `package.json`, or a lock or a configuration of the workspace. Bundlers often work on a folder
 * inside of it (`root: 'client'` in Vite, `app` in Nuxt), and commands at its top.
 *
 * @param from - absolute
 * @param name - of the workspace
 * @returns `from` where there is none
 */
export async function findProjectFolder(from: string, name: string): Promise<string> {
  const locks = [`${name}.lock.json`, `${name}.test.lock.json`]
  const projectFiles = new Set(['package.json', ...locks, ...configFileNames(name)])
  for (const folder of ancestorFolders(from)) {
    // oxlint-disable-next-line no-await-in-loop -- nobody looks above the first that is found
    const files = await readdir(folder).catch((): string[] => [])
    if (files.some((file) => projectFiles.has(file))) return folder
  }
  return from
}
