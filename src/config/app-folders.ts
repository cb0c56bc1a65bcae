import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type Picomatch from 'picomatch'
import { toForwardSlashes } from '../fs/paths.ts'
import { configFileNames } from './config-file.ts'

const require = createRequire(import.meta.url)

/**
 * Finds the packages that a glob of the option `apps` matches: folders with a `package.json` or a
 * configuration file of the workspace.
 *
 * @param root - the glob is relative to it; absolute
 * @param name - of the workspace
 * @returns absolute paths
 */
export async function findAppFolders(root: string, glob: string, name: string): Promise<string[]> {
  // Loaded for globs only: its six files take a sixth of the plugin's load time.
  const picomatch = require('picomatch') as typeof Picomatch
  const { base, glob: pattern } = picomatch.scan(toForwardSlashes(glob))
  const depth = pattern.includes('**') ? Infinity : pattern.split('/').filter(Boolean).length
  const isMatch = picomatch(pattern.replace(/\/$/, '') || '.')
  const markers = new Set(['package.json', ...configFileNames(name)])
  const search = async (folder: string, path: string, level: number): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const isApp = isMatch(path || '.') && entries.some((entry) => markers.has(entry.name))
    const folders = level === depth ? [] : entries.filter((entry) => entry.isDirectory())
    const inside = folders
      .filter((entry) => entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      .map((entry) => search(join(folder, entry.name), join(path, entry.name), level + 1))
    return [...(isApp ? [folder] : []), ...(await Promise.all(inside)).flat()]
  }
  return search(resolve(root, base), '', 0)
}
