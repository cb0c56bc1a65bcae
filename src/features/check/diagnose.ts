/** What this package needs in an app besides its lock, for `doctor`. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { engines } from '../../../package.json' with { type: 'json' }
import { maskKey } from '../../config/api-key.ts'
import { originOf } from '../../config/base-url.ts'
import { configFileNames } from '../../config/config-file.ts'
import { loadPicomatch } from '../../config/prompt-filter.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { codeFrame } from '../../core/code-frame.ts'
import type { Lock } from '../../core/prompt.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { envVariable, PACKAGE_NAME } from '../../core/workspace-name.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { formatCommand } from '../../core/suggested-command.ts'
import { readText } from '../../fs/files.ts'
import { findIgnored } from '../../fs/git.ts'
import { installedVersion, unsupportedVite } from '../../fs/installed-version.ts'
import { ancestorFolders, relativeInside, relativePath } from '../../fs/paths.ts'
import { detectBundlers } from '../init/bundlers.ts'
import { installCommand } from '../init/package-manager.ts'
import { type ProjectFiles, readProjectFiles } from '../init/project-files.ts'
import type { CallOptions } from '../../service/sender.ts'
import type { Project } from '../project/project.ts'
import { findImpact } from '../usage/impact.ts'
import { examine, type FinishedStep, listSteps, ok, skipped, type StepResult } from './check.ts'

interface DiagnosisRequest extends CallOptions {
  readonly root: string
  /** Whether the service is left alone. */
  readonly isOffline: boolean
  open(): Promise<Project>
}

/**
 * Checks the same, and everything else that this package needs in an app. Asks the service even without a
 * lock, if there is a key. Writes nothing. If the options can't be read, what depends on them is left out.
 */
export async function diagnose(request: DiagnosisRequest): Promise<FinishedStep[]> {
  const files = await readProjectFiles(request.root)
  const basics = { node: checkNode(process.versions.node), package: await checkPackage(files) }
  const project = await openWithApps(request).catch(asPromptsError)
  if (isPromptsError(project))
    return listSteps({ ...basics, configuration: { state: 'error', error: project } })
  const { options } = project
  const isOffline = request.isOffline || !options.canRead
  const subject = await examine(project, { ...request, isOffline, needsNoLock: true })
  const types = await checkTypes(options)
  return listSteps({
    ...basics,
    configuration: checkConfiguration(options, files.names),
    key: checkKey(options),
    address: checkAddress(options),
    ...subject.steps,
    types,
    code: await checkCode(project, subject.lock, types),
    plugin: await checkPlugin(options, files),
    git: await checkGit(project),
    cache: await checkBuildCache(project),
  })
}

/** Opens the project; fails also if another app does not fit it. */
async function openWithApps({ open }: DiagnosisRequest): Promise<Project> {
  const project = await open()
  await project.apps()
  return project
}

/** Whether this version of Node is in the ranges of `engines`, which have the forms `^` and `>=`. */
export function checkNode(version: string): StepResult {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = engines.node.split(' || ').some((range) => {
    const [least = 0, leastMinor = 0] = range.replace(/^\D+/, '').split('.').map(Number)
    return major === least ? minor >= leastMinor : range.startsWith('>=') && major > least
  })
  if (isSupported) return ok(`Node ${version}`)
  const message = `Node ${version} is not supported.`
  return { state: 'error', message, fix: `Install Node ${engines.node}.` }
}

async function checkPackage(files: ProjectFiles): Promise<StepResult> {
  const install = await installCommand(files)
  if (install === undefined) return ok(`${PACKAGE_NAME} is in package.json`)
  if (installedVersion(files.root, PACKAGE_NAME) !== undefined)
    return ok(`${PACKAGE_NAME} is found from here`)
  const message = `${PACKAGE_NAME} is not installed.`
  return { state: 'warning', message, fix: `Run \`${install}\`.` }
}

/** Which workspace is read, and where its options come from. */
function checkConfiguration(
  { name, servedEnvironment }: ResolvedOptions,
  names: ReadonlySet<string>,
): StepResult {
  const file = configFileNames(name).find((path) => names.has(path))
  const source = file ?? `no ${name}.config.ts: default options`
  const view = servedEnvironment === undefined ? '' : `${servedEnvironment} view, `
  return ok(`workspace ${name}, ${view}${source}`)
}

/** Where the keys come from, without what is secret in them. */
function checkKey({ name, keys, service }: ResolvedOptions): StepResult {
  const variables = service?.secrets ?? [envVariable(name, 'API_KEY')]
  if (keys.length < variables.length) return missing(variables.join(' and '), 'a key')
  const sources = keys.map(({ value, source }) => `${maskKey(value)} from ${source}`)
  return ok(sanitize(sources.join(', ')))
}

/** Where the address comes from, without what may be secret in it. */
function checkAddress(options: ResolvedOptions): StepResult | undefined {
  const { name, baseUrl, baseUrlSource, service } = options
  if (service !== undefined) return undefined
  if (baseUrl === undefined) return missing(envVariable(name, 'BASE_URL'), 'an address')
  return ok(sanitize(`${originOf(baseUrl) ?? 'not a URL'} from ${baseUrlSource ?? ''}`))
}

function missing(variable: string, noun: string): StepResult {
  return skipped(`no ${variable}: builds use the lock, a pull needs ${noun}`)
}

/** Whether TypeScript reads the declarations, without which `virtual:prompts` is not found. */
async function checkTypes({ root, dts, name }: ResolvedOptions): Promise<StepResult> {
  if (dts === false) return skipped('no declarations: dts is false')
  if (!existsSync(dts)) return skipped('there are no declarations yet')
  const { declarationsAdvice } = await import('../generate/declarations-location.ts')
  const path = relativePath(root, dts)
  const fix = declarationsAdvice(root, dts, name)
  if (fix === undefined) return ok(`TypeScript reads ${path}`)
  const message = `TypeScript does not read ${path}: no tsconfig.json includes it.`
  return { state: 'error', message, fix }
}

/** More places are only counted. */
const PLACES_SHOWN = 5

/**
 * The lines of the app that do not compile with the lock, such as those that a pull broke.
 *
 * @param types - what {@link checkTypes} found: this check brings declarations of its own
 */
async function checkCode(
  project: Project,
  lock: Lock | undefined,
  types: StepResult,
): Promise<StepResult> {
  if (lock === undefined) return skipped('not checked')
  if (types.state === 'error')
    return skipped('not checked: TypeScript does not read the declarations')
  const impact = await project
    .locate()
    .then((location) => findImpact({ ...location, before: undefined, after: lock }))
    .catch(asPromptsError)
  if (isPromptsError(impact)) return { state: 'warning', error: impact }
  const { findings, files } = impact
  if (files === 0) return ok('no code uses prompts')
  if (findings.length === 0)
    return ok(`compiles with the lock, ${pluralize(files, 'file')} (TypeScript in ts-morph)`)
  const lines = findings.map((finding) => {
    const { file, line, column, reason } = finding
    return [sanitize(`${file}:${line}:${column} ${reason}`), ...codeFrame(finding)].join('\n')
  })
  const count = findings.length === 1 ? '1 place does' : `${findings.length} places do`
  const message = [`${count} not compile with the lock:`, ...truncateList(lines, PLACES_SHOWN)]
  const command = formatCommand(project.lock.workspace, 'check --impact')
  const fix = `Change the code. \`npx ${command}\` lists all places.`
  return { state: 'error', message: message.join('\n'), fix }
}

/** Whether a bundler's configuration uses the plugin, or files are generated instead. */
async function checkPlugin(
  { root, outDir, apps }: ResolvedOptions,
  files: ProjectFiles,
): Promise<StepResult> {
  const detected = detectBundlers(files)
  const configs = detected.flatMap(({ file }) => file ?? [])
  const texts = await Promise.all(configs.map((file) => readText(join(root, file))))
  const isVite = texts.some((text) => text?.includes(`${PACKAGE_NAME}/vite`))
  const error = isVite ? unsupportedVite(root) : undefined
  if (error !== undefined) return { state: 'error', error }
  const users = configs.filter((_, index) => texts[index]?.includes(PACKAGE_NAME))
  if (users.length > 0) return ok(`in ${users.join(', ')}`)
  if (outDir !== undefined)
    return ok(`not needed: files are generated in ${relativePath(root, outDir)}`)
  if (JSON.stringify(files.manifest ?? {}).includes(`${PACKAGE_NAME}/register`))
    return ok('not needed: package.json has unplugin-prompts/register')
  if (configs.length === 0 && apps.length > 0) return skipped('the apps have their own')
  const message =
    configs.length === 0
      ? 'No bundler configuration was found.'
      : `${configs.join(', ')} does not mention ${PACKAGE_NAME}.`
  const help = detected.length === 0 ? 'shows the steps without one' : 'adds the plugin'
  return { state: 'warning', message, fix: `Run \`npx prompts init\`, which ${help}.` }
}

/** Whether git commits what everybody needs, and keeps the key out. */
async function checkGit({ options, lock }: Project): Promise<StepResult> {
  const { root, dts } = options
  const secret = join(root, '.env.local')
  const committed = [lock.path, ...(dts === false ? [] : [dts])]
  const ignored = await findIgnored(root, [secret, ...committed])
  if (ignored === undefined) return skipped('not a git repository')
  const lost = committed.filter((path) => ignored.has(path)).map((path) => basename(path))
  if (lost.length > 0) {
    const message = `Git ignores ${lost.join(' and ')}, so other checkouts lack it.`
    return { state: 'error', message, fix: 'Remove the pattern from .gitignore.' }
  }
  if (ignored.has(secret)) return ok('.env.local is ignored')
  const fix = 'Add .env.local to .gitignore. If it was committed, revoke the key.'
  const state = existsSync(secret) ? 'error' : 'warning'
  return { state, message: 'Git does not ignore .env.local, which is for the key.', fix }
}

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
