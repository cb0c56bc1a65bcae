import { lstat, readdir, realpath } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'
import type { AppLocation } from '../judge/app.ts'
import { type ConfigCache, readConfigFile, configFileNames } from '../config/config-file.ts'
import { escapeParentheses, loadPicomatch } from '../config/prompt-filter.ts'
import { resolveOptions, type ResolvedOptions } from '../config/resolve-options.ts'
import { envVariable } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { readText } from '../fs/files.ts'
import { toForwardSlashes } from '../fs/paths.ts'

/** The options of an app, then those of the others that use its lock. */
export type Apps = readonly [ResolvedOptions, ...ResolvedOptions[]]

interface AppsRequest {
  /** The source of this app's options, for errors. */
  readonly source: string
  readonly configCache: ConfigCache
}

/**
 * Reads the options of the other apps that use the lock. An app with neither a configuration file nor
 * a lock has none of the generated files.
 *
 * @param options - of this app, which is left out
 */
export async function readOtherApps(
  options: ResolvedOptions,
  request: AppsRequest,
): Promise<ResolvedOptions[]> {
  const { root, name } = options
  const folders = new Set<string>()
  const self = new Set([root, await realpath(root)])
  for (const glob of [options.apps].flat()) {
    const matches = await findAppFolders(root, glob, name)
    if (matches.length === 0)
      throw new PromptsError('APP_NOT_FOUND', { source: request.source, glob })
    for (const folder of matches) if (!self.has(folder)) folders.add(folder)
  }
  return Promise.all([...folders].toSorted().map((folder) => readApp(folder, options, request)))
}

async function readApp(
  root: string,
  options: ResolvedOptions,
  { source, configCache }: AppsRequest,
): Promise<ResolvedOptions> {
  const file = await readConfigFile(root, options.name, configCache)
  const layers = file ? [{ source: file.path, options: file.options, isFile: true }] : []
  // A variable of the process is for all apps, one of an env file is not.
  const variable = envVariable(options.name, 'ENVIRONMENT')
  const values = { [variable]: options.processEnv[variable] }
  const env = [{ name: 'the environment', values }]
  const app = resolveOptions({ root, name: options.name, layers, env })
  const isConfigured = file !== undefined || (await readText(app.lock)) !== undefined
  if (!isConfigured) return { ...options, root, dts: false, outDir: undefined }
  const differences = SHARED.filter((option) => print(app[option]) !== print(options[option]))
  if (differences.length > 0)
    throw new PromptsError('APP_UNFIT', { source, path: file?.path ?? app.lock, differences })
  return app
}

/** What has to be the same for all apps of a lock. */
const SHARED = ['lock', 'include', 'exclude', 'staging'] as const

function print(option: ResolvedOptions[(typeof SHARED)[number]]): string {
  return JSON.stringify([option ?? []].flat())
}

/** Where the code of apps is. Those without declarations get the types of the first one. */
export function locateApps(apps: Apps, view?: 'served'): AppLocation {
  const [{ root: first, name, dts: types, lock: lockPath }] = apps
  const declarations = types === false ? join(first, `${name}.d.ts`) : types
  const locate = ({ root, dts, outDir, environment, served }: ResolvedOptions): AppLocation => ({
    root,
    name,
    lockPath,
    environment: view === 'served' ? served.environment : environment,
    dts: dts === false ? declarations : dts,
    outDir,
  })
  return { ...locate(apps[0]), others: apps.slice(1).map(locate) }
}

/**
 * Finds the packages that a glob of the option `apps` matches: folders with a `package.json` or a
 * configuration file of the workspace. Symbolic links are followed, but not in a circle.
 *
 * @param root - the glob is relative to it; absolute
 * @param name - of the workspace
 * @returns absolute paths; of what a link leads to
 */
async function findAppFolders(root: string, glob: string, name: string): Promise<string[]> {
  const picomatch = loadPicomatch()
  const { base, glob: pattern } = picomatch.scan(toForwardSlashes(glob))
  const depth = pattern.includes('**') ? Infinity : pattern.split('/').filter(Boolean).length
  const isMatch = picomatch(escapeParentheses(pattern.replace(/\/$/, '')) || '.')
  const markers = new Set(['package.json', ...configFileNames(name)])
  const search = async (
    folder: string,
    path: string,
    level: number,
    above: ReadonlySet<string>,
  ): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const isApp = isMatch(path || '.') && entries.some((entry) => markers.has(entry.name))
    const inside = (level === depth ? [] : entries)
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .filter((entry) => entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      .map(async (entry) => {
        const target = await followLink(join(folder, entry.name))
        if (above.has(target)) return []
        return search(target, posix.join(path, entry.name), level + 1, new Set([...above, target]))
      })
    return [...(isApp ? [folder] : []), ...(await Promise.all(inside)).flat()]
  }
  const start = await followLink(resolve(root, base))
  return search(start, '', 0, new Set([start]))
}

/** What a symbolic link leads to; another path, and that of a broken link, as it is. */
async function followLink(path: string): Promise<string> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true
  return isLink ? realpath(path).catch(() => path) : path
}
