import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig'

/**
 * Whether the patterns of the app's tsconfig (or jsconfig), or of one that it references, include a
 * file. Loads no TypeScript, which would know references between files, too.
 *
 * @returns also `true` if the app has no tsconfig, and `false` if one can't be read
 */
export function isMatchedByTsconfig(root: string, file: string): boolean {
  const usual = ['tsconfig.json', 'jsconfig.json'].map((name) => join(root, name))
  const paths = new Set(usual.filter((path) => existsSync(path)).slice(0, 1))
  if (paths.size === 0) return true
  // A path that is added while this runs is visited, too.
  for (const path of paths) {
    const config = readTsconfig(path)
    if (config === undefined) return false
    if (createFilesMatcher({ path, config })(file) !== undefined) return true
    for (const reference of config.references ?? []) {
      const target = resolve(dirname(path), reference.path)
      paths.add(target.endsWith('.json') ? target : join(target, 'tsconfig.json'))
    }
  }
  return false
}

function readTsconfig(path: string): ReturnType<typeof parseTsconfig> | undefined {
  try {
    return parseTsconfig(path)
  } catch {
    return undefined
  }
}
