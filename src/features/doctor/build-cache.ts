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

interface TurboTask {
  readonly inputs?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly cache?: boolean
}

const require = createRequire(import.meta.url)

/**
 * Whether Turborepo builds the apps again when their lock changes: by default it looks at the files of
 * a package only, and a shared lock is outside of it.
 *
 * @returns an empty list without Turborepo, or without a cached `build`
 */
export async function diagnoseBuildCache(project: Project): Promise<Diagnosis[]> {
  const turbo = await findTurbo(project.options.root)
  const build = turbo?.config.tasks?.['build']
  if (turbo === undefined || build === undefined || build.cache === false) return []
  const { path: lock } = project.lock
  const picomatch = require('picomatch') as typeof Picomatch
  const { folder: top, config } = turbo
  const isIn = (folder: string, glob: string): boolean =>
    picomatch.isMatch(relativePath(folder, lock), glob)
  const isGlobal = config.globalDependencies?.some((glob) => isIn(top, glob)) ?? false
  const apps = (await project.apps()).filter(({ root }) => root !== top)
  const isInPackage = apps.some(({ root }) => relativeInside(root, lock) !== undefined)
  const isKnown = async (root: string): Promise<boolean> => {
    const { inputs = ['$TURBO_DEFAULT$'], dependsOn = [] } = {
      ...build,
      ...(await readTurbo(root))?.tasks?.['build'],
    }
    // The files of a package on which this one depends.
    if (isInPackage && dependsOn.some((task) => task.startsWith('^'))) return true
    return inputs.some((glob) => {
      if (glob === '$TURBO_DEFAULT$') return relativeInside(root, lock) !== undefined
      const [, below] = /^\$TURBO_ROOT\$\/(.*)$/.exec(glob) ?? []
      return below === undefined ? isIn(root, glob) : isIn(top, below)
    })
  }
  const stale: string[] = []
  for (const { root } of apps)
    if (!isGlobal && !(await isKnown(root))) stale.push(relativePath(top, root))
  const path = relativePath(top, lock)
  if (stale.length === 0) return [ok('cache', `Turborepo builds again when ${path} changes`)]
  return [
    {
      topic: 'cache',
      state: 'broken',
      message: `Turborepo does not build ${stale.join(', ')} again when ${path} changes.`,
      fix: `Add "${path}" to \`globalDependencies\` in turbo.json.`,
    },
  ]
}

/** The `turbo.json` in the root of the workspace. */
async function findTurbo(
  from: string,
): Promise<{ readonly folder: string; readonly config: TurboConfig } | undefined> {
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
