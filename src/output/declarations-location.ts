/** Where TypeScript finds the declarations, as the tsconfigs of an app say. Loads no compiler. */
import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig'
import { relativePath } from '../fs/paths.ts'

/**
 * Returns the paths of the tsconfigs of an app that have code in folders, and that do not include its declarations.
 *
 * @param root - of the app, absolute
 * @param dts - absolute; need not exist
 */
export function tsconfigsWithout(root: string, dts: string): string[] {
  const { configs } = readTsconfigs(root)
  return configs
    .filter((project) => hasFolders(project) && !matches(project, dts))
    .map(({ path }) => path)
}

/**
 * The folder in which most tsconfig files of an app include a declaration file, such as `src`.
 *
 * @param root - absolute
 * @returns `''` for the root, unless another folder is better; `undefined` if the app has no
 *   readable tsconfig
 */
export function declarationsFolder(root: string): string | undefined {
  const { configs, isWhole } = readTsconfigs(root)
  if (configs.length === 0 || !isWhole) return undefined
  const inside = configs
    .flatMap(namedFolders)
    .map((folder) => relativePath(root, folder))
    .filter((folder) => !/^\.|(?:^|\/)node_modules(?:\/|$)/.test(folder))
  const countMatches = (folder: string): number =>
    configs.filter((config) => matches(config, join(root, folder, 'prompts.d.ts'))).length
  return ['', ...inside].reduce((best, folder) =>
    countMatches(folder) > countMatches(best) ? folder : best,
  )
}

/** The folders before the first wildcard of each pattern, such as `src` for `src/**\/*.ts`. */
function namedFolders({ path, config: { include = [] } }: Tsconfig): string[] {
  return include.map((pattern) => join(dirname(path), pattern.replace(/\/?[^/]*[*?].*$/, '')))
}

/** A tsconfig, merged with those that it extends. */
interface Tsconfig {
  /** Absolute. */
  readonly path: string
  readonly config: ReturnType<typeof parseTsconfig>
}

/**
 * Reads the tsconfigs (or jsconfigs) in a folder, of any name, and those that they refer to.
 *
 * @returns also whether each could be read: one that a framework generates may be missing
 */
function readTsconfigs(folder: string): { configs: Tsconfig[]; isWhole: boolean } {
  const configs: Tsconfig[] = []
  const names = readdirSync(folder).filter((name) => /^[jt]sconfig.*\.json$/.test(name))
  const paths = new Set(names.map((name) => join(folder, name)))
  // The iteration includes references that are added during it.
  for (const path of paths) {
    try {
      const config = parseTsconfig(path)
      configs.push({ path, config })
      for (const { path: reference } of config.references ?? []) {
        const target = resolve(dirname(path), reference)
        paths.add(target.endsWith('.json') ? target : join(target, 'tsconfig.json'))
      }
    } catch {
      // Missing, or no JSON.
    }
  }
  return { configs, isWhole: configs.length === paths.size }
}

function matches(tsconfig: Tsconfig, file: string): boolean {
  return createFilesMatcher(tsconfig)(file) !== undefined
}

/** Whether a project has more than single files, such as configurations of tools. */
function hasFolders({ config: { files, include = files ? [] : ['**/*'] } }: Tsconfig): boolean {
  return include.some((pattern) => !/(?:^|\/)[^*?/]+\.[^/]*$/.test(pattern))
}
