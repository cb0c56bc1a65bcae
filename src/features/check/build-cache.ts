import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadPicomatch } from '../../config/prompt-filter.ts'
import { readText } from '../../fs/files.ts'
import { ancestorFolders, relativeInside, relativePath } from '../../fs/paths.ts'
import type { Project } from '../project/project.ts'
import { ok, type StepResult } from './step.ts'

/** What matters here of a `turbo.json`. */
interface TurboConfig {
  /** Set in the file of a package, which changes the tasks of the one in the root. */
  readonly extends?: unknown
  readonly globalDependencies?: readonly string[]
  readonly tasks?: { readonly build?: TurboTask }
}

interface TurboTask {
  readonly inputs?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly cache?: boolean
}

/**
 * Whether Turborepo builds the apps again when a lock changes: by default it looks at the files of a
 * package only, and a shared lock is outside of it.
 *
 * @returns `undefined` without Turborepo, or without a cached `build`
 */
export async function checkBuildCache(project: Project): Promise<StepResult | undefined> {
  const { root, liveLock, testLock } = project.options
  const { folder: top, globalDependencies = [], tasks } = (await findTurbo(root)) ?? {}
  const build = tasks?.build
  if (top === undefined || build === undefined || build.cache === false) return undefined
  const apps = (await project.apps()).map((app) => app.root).filter((folder) => folder !== top)
  const packages = await Promise.all(
    apps.map(async (folder) => ({ ...build, ...(await readTurbo(folder))?.tasks?.build, folder })),
  )
  for (const lock of [liveLock, testLock].filter((path) => existsSync(path))) {
    if (globalDependencies.some((glob) => isMatch(lock, top, glob))) continue
    // Its package is built before those that depend on it.
    const isInPackage = apps.some((folder) => relativeInside(folder, lock) !== undefined)
    const stale = packages.filter(
      ({ folder, inputs = ['$TURBO_DEFAULT$'], dependsOn = [] }) =>
        !(isInPackage && dependsOn.some((task) => task.startsWith('^'))) &&
        !inputs.some((input) => isInput(lock, input, folder, top)),
    )
    if (stale.length === 0) continue
    const names = stale.map(({ folder }) => relativePath(top, folder)).join(', ')
    const file = relativePath(top, lock)
    const message = `Turborepo does not build ${names} again when ${file} changes.`
    const fix = `Add "${file}" to \`globalDependencies\` in turbo.json.`
    return { state: 'error', message, fix }
  }
  return ok('Turborepo builds again when the lock changes')
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
