import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Picomatch from 'picomatch'
import { readText } from '../../fs/files.ts'
import { ancestorFolders, relativeInside, relativePath } from '../../fs/paths.ts'
import type { Project } from '../project/project.ts'
import { type Diagnosis, ok } from './diagnosis.ts'

/** What matters here of a `turbo.json`. */
interface TurboConfig {
  /** Set in the file of a package, which changes the tasks of the one in the root. */
  readonly extends?: unknown
  readonly globalDependencies?: readonly string[]
  readonly tasks?: Readonly<Record<string, TurboTask>>
}

/** The `turbo.json` of a workspace, and its folder. */
interface Turbo {
  readonly folder: string
  readonly config: TurboConfig
}

interface TurboTask {
  readonly inputs?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly cache?: boolean
}

const require = createRequire(import.meta.url)

/**
 * Whether Turborepo builds the apps again when a lock changes: by default it looks at the files of a
 * package only, and a shared lock is outside of it.
 *
 * @returns an empty list without Turborepo, or without a cached `build`
 */
export async function diagnoseBuildCache(project: Project): Promise<Diagnosis[]> {
  const { root, liveLock, testLock } = project.options
  const turbo = await findTurbo(root)
  const build = turbo?.config.tasks?.['build']
  if (turbo === undefined || build === undefined || build.cache === false) return []
  const { folder: top } = turbo
  const folders = (await project.apps()).map((app) => app.root).filter((folder) => folder !== top)
  for (const path of [liveLock, testLock].filter((each) => existsSync(each))) {
    const isKnown = await Promise.all(
      folders.map((folder) => isInput(path, folder, turbo, folders)),
    )
    const stale = folders.filter((_, index) => !isKnown[index])
    if (stale.length === 0) continue
    const names = stale.map((folder) => relativePath(top, folder)).join(', ')
    const file = relativePath(top, path)
    const message = `Turborepo does not build ${names} again when ${file} changes.`
    const fix = `Add "${file}" to \`globalDependencies\` in turbo.json.`
    return [{ topic: 'cache', state: 'broken', message, fix }]
  }
  return [ok('cache', 'Turborepo builds again when the lock changes')]
}

/** Whether the build of a package depends on a lock. */
async function isInput(
  lock: string,
  root: string,
  { folder: top, config }: Turbo,
  packages: readonly string[],
): Promise<boolean> {
  const picomatch = require('picomatch') as typeof Picomatch
  const isIn = (folder: string, glob: string): boolean =>
    picomatch.isMatch(relativePath(folder, lock), glob)
  if (config.globalDependencies?.some((glob) => isIn(top, glob))) return true
  const own = await readTurbo(root)
  const { inputs = ['$TURBO_DEFAULT$'], dependsOn = [] } = {
    ...config.tasks?.['build'],
    ...own?.tasks?.['build'],
  }
  // The files of a package on which this one depends.
  const isInPackage = packages.some((folder) => relativeInside(folder, lock) !== undefined)
  if (isInPackage && dependsOn.some((task) => task.startsWith('^'))) return true
  return inputs.some((glob) => {
    if (glob === '$TURBO_DEFAULT$') return relativeInside(root, lock) !== undefined
    const [, below] = /^\$TURBO_ROOT\$\/(.*)$/.exec(glob) ?? []
    return below === undefined ? isIn(root, glob) : isIn(top, below)
  })
}

/** The `turbo.json` in the root of the workspace. */
async function findTurbo(from: string): Promise<Turbo | undefined> {
  for (const folder of ancestorFolders(from)) {
    const config = await readTurbo(folder)
    if (config !== undefined && config.extends === undefined) return { folder, config }
  }
  return undefined
}

async function readTurbo(folder: string): Promise<TurboConfig | undefined> {
  for (const name of ['turbo.json', 'turbo.jsonc']) {
    const text = await readText(join(folder, name))
    if (text === undefined) continue
    // It may have comments.
    const { ts } = await import('../../analysis/app/compiler.ts')
    return ts.parseConfigFileTextToJson(name, text).config as TurboConfig | undefined
  }
  return undefined
}
