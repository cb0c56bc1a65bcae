import { readdir } from 'node:fs/promises'
import { configFileNames } from './config-file.ts'
import { ancestorFolders } from '../fs/paths.ts'

/**
 * Returns the folder of the project that a folder belongs to: the nearest one, from there up, with a
 * `package.json`, a lock or a configuration file of the workspace. Bundlers often run in a folder below it
 * (`root: 'client'` in Vite, `app` in Nuxt).
 *
 * @param from - absolute
 * @param name - of the workspace
 * @returns `from` if there is none
 */
export async function findProjectFolder(from: string, name: string): Promise<string> {
  const locks = [`${name}.lock.json`, `${name}.test.lock.json`]
  const projectFiles = new Set(['package.json', ...locks, ...configFileNames(name)])
  for (const folder of ancestorFolders(from)) {
    const files = await readdir(folder).catch((): string[] => [])
    if (files.some((file) => projectFiles.has(file))) return folder
  }
  return from
}
