import { join } from 'node:path'
import { loadPicomatch } from '../../config/prompt-filter.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { readText } from '../../fs/files.ts'
import { ancestorFolders, relativeInside, relativePath } from '../../fs/paths.ts'
import type { Project } from '../project/project.ts'
import { ok, type StepResult } from './step.ts'

interface TurboConfig {
  /** Set in the file of a package, which changes the tasks of the one in the root. */
  readonly extends?: unknown
  readonly globalDependencies?: readonly string[]
  readonly globalEnv?: readonly string[]
  readonly tasks?: { readonly build?: TurboTask }
}

interface TurboTask {
  readonly inputs?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly env?: readonly string[]
  readonly cache?: boolean
}

/**
 * Whether Turborepo builds the apps again when the lock or the variable of the view changes: by default
 * it looks at the files of a package only, and a shared lock is outside of it.
 *
 * @returns `undefined` without Turborepo, or without a cached `build`
 */
export async function checkBuildCache(project: Project): Promise<StepResult | undefined> {
  const { root, name, lock } = project.options
  const turbo = await findTurbo(root)
  const { folder: top, globalDependencies = [], globalEnv = [], tasks } = turbo ?? {}
  const build = tasks?.build
  if (top === undefined || build === undefined || build.cache === false) return undefined
  const apps = (await project.apps()).map((app) => app.root).filter((folder) => folder !== top)
  const packages = await Promise.all(
    apps.map(async (folder) => ({ ...build, ...(await readTurbo(folder))?.tasks?.build, folder })),
  )
  // Its package is built before those that depend on it.
  const isInPackage = apps.some((folder) => relativeInside(folder, lock) !== undefined)
  const stale = packages.filter(
    ({ folder, inputs = ['$TURBO_DEFAULT$'], dependsOn = [] }) =>
      !globalDependencies.some((glob) => isMatch(lock, top, glob)) &&
      !(isInPackage && dependsOn.some((task) => task.startsWith('^'))) &&
      !inputs.some((input) => isInput(lock, input, folder, top)),
  )
  const report = (packageNames: typeof packages, what: string, option: string): StepResult => {
    const names = packageNames.map(({ folder }) => relativePath(top, folder)).join(', ')
    const message = `Turborepo does not build ${names} again when ${what} changes.`
    return { state: 'error', message, fix: `Add "${what}" to \`${option}\` in turbo.json.` }
  }
  if (stale.length > 0) return report(stale, relativePath(top, lock), 'globalDependencies')
  const variable = envVariable(name, 'ENVIRONMENT')
  const picomatch = loadPicomatch()
  const deaf = packages.filter(
    ({ env = [] }) => !picomatch.isMatch(variable, [...globalEnv, ...env]),
  )
  if (deaf.length > 0) return report(deaf, variable, 'globalEnv')
  return ok('Turborepo builds again when the lock or the view changes')
}

/** Whether an input of a package in a folder includes the lock. */
function isInput(lock: string, input: string, folder: string, top: string): boolean {
  if (input === '$TURBO_DEFAULT$') return relativeInside(folder, lock) !== undefined
  const fromTop = input.replace(/^\$TURBO_ROOT\$\//, '')
  return isMatch(lock, fromTop === input ? folder : top, fromTop)
}

function isMatch(lock: string, folder: string, glob: string): boolean {
  return loadPicomatch().isMatch(relativePath(folder, lock), glob)
}

/** The `turbo.json` in the root of the workspace, and its folder. */
async function findTurbo(
  from: string,
): Promise<(TurboConfig & { readonly folder: string }) | undefined> {
  for (const folder of ancestorFolders(from)) {
    const config = await readTurbo(folder)
    if (config !== undefined && config.extends === undefined) return { ...config, folder }
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
