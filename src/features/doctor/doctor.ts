import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import packageJson from '../../../package.json' with { type: 'json' }
import { maskKey } from '../../config/api-key.ts'
import { originOf } from '../../config/base-url.ts'
import { configFileNames } from '../../config/config-file.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { envVariable, PACKAGE_NAME } from '../../core/workspace-name.ts'
import { asPromptsError, isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { readText } from '../../fs/files.ts'
import { findIgnored } from '../../fs/git.ts'
import { installedVersion, unsupportedVite } from '../../fs/installed-version.ts'
import { relativePath } from '../../fs/paths.ts'
import type { CallOptions } from '../../service/client.ts'
import { check, type CheckReport, stepOf } from '../check/check.ts'
import { detectBundlers } from '../init/bundlers.ts'
import { installCommand } from '../init/package-manager.ts'
import { type ProjectFiles, readProjectFiles } from '../init/project-files.ts'
import type { Project } from '../project/project.ts'
import { findImpact } from '../usage/impact.ts'
import { diagnoseBuildCache } from './build-cache.ts'
import { type Diagnosis, ok, skipped, TOPICS, type Verdict, type Verdicts } from './diagnosis.ts'

export type { Diagnosis } from './diagnosis.ts'

/** What to examine. */
export interface DoctorRequest extends CallOptions {
  /** Absolute path of the project's root. */
  readonly root: string
  /** Whether the service is left alone. */
  readonly isOffline: boolean
  /** @throws PromptsError for options that can't be used */
  open(): Promise<Project>
  /** The words for an error. */
  describe(error: PromptsError): Pick<Diagnosis, 'message' | 'fix'>
}

/**
 * Examines everything that this package needs in an app: Node, installation, options, key, address,
 * service, lock, generated files, TypeScript, bundler, git and the cache of Turborepo. Writes nothing. If the
 * options can't be read, what depends on them is left out.
 *
 * @throws PromptsError FILE_UNREADABLE; the reason of an abort
 */
export async function diagnose(request: DoctorRequest): Promise<Diagnosis[]> {
  const verdicts = await examine(request)
  return TOPICS.flatMap((topic) => {
    const verdict = verdicts[topic]
    if (verdict === undefined) return []
    if (!('error' in verdict)) return [{ topic, ...verdict }]
    const { state, error } = verdict
    return [{ topic, state, ...request.describe(error), code: error.code }]
  })
}

async function examine(request: DoctorRequest): Promise<Verdicts> {
  const files = await readProjectFiles(request.root)
  const basics = {
    node: diagnoseNode(process.versions.node),
    package: await diagnosePackage(files),
  }
  const project = await openWithApps(request).catch(asPromptsError)
  if (isPromptsError(project))
    return { ...basics, [topicOf(project, 'configuration')]: { state: 'broken', error: project } }
  // Lock, options and generated files, as `prompts check --offline` finds them.
  const report = await check(project, { isOffline: true })
  return {
    ...basics,
    configuration: diagnoseConfiguration(project, files.names),
    ...diagnoseSettings(project),
    ...(await diagnoseService(project, request)),
    lock: diagnoseStep('lock', report),
    options: diagnoseStep('options', report),
    declarations: diagnoseStep('declarations', report),
    files: diagnoseStep('files', report),
    types: await diagnoseTypes(project),
    code: await diagnoseCode(project, report),
    plugin: await diagnosePlugin(project, files),
    git: await diagnoseGit(project),
    cache: await diagnoseBuildCache(project),
  }
}

/** Opens the project; fails also if another app does not fit it. */
async function openWithApps({ open }: DoctorRequest): Promise<Project> {
  const project = await open()
  await project.apps()
  return project
}

/** Errors about the key belong to it, whatever found them. */
function topicOf<Other>({ code }: PromptsError, other: Other): Other | 'key' {
  return code.startsWith('KEY_') || code === 'ENVIRONMENT_MISMATCH' ? 'key' : other
}

/** Whether this version of Node is in the ranges of `engines`, which have the forms `^` and `>=`. */
export function diagnoseNode(version: string): Verdict {
  const { node } = packageJson.engines
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = node.split(' || ').some((range) => {
    const [least = 0, leastMinor = 0] = range.replace(/^\D+/, '').split('.').map(Number)
    return major === least ? minor >= leastMinor : range.startsWith('>=') && major > least
  })
  if (isSupported) return ok(`Node ${version}`)
  const message = `Node ${version} is not supported.`
  return { state: 'broken', message, fix: `Install Node ${node}.` }
}

/** Whether the app can resolve this package. */
async function diagnosePackage(files: ProjectFiles): Promise<Verdict> {
  const install = await installCommand(files)
  if (install === undefined) return ok(`${PACKAGE_NAME} is in package.json`)
  if (installedVersion(files.root, PACKAGE_NAME) !== undefined)
    return ok(`${PACKAGE_NAME} is found from here`)
  const message = `${PACKAGE_NAME} is not installed.`
  return { state: 'warning', message, fix: `Run \`${install}\`.` }
}

/** Which workspace is read, and where its options come from. */
function diagnoseConfiguration(
  { options: { name, environment } }: Project,
  names: ReadonlySet<string>,
): Verdict {
  const file = configFileNames(name).find((path) => names.has(path))
  const source = file ?? `no ${name}.config.ts: default options`
  return ok(`workspace ${name}, ${environment}, ${source}`)
}

/** Where key and address come from, without what is secret in them. */
function diagnoseSettings({ options }: Project): Pick<Verdicts, 'key' | 'address'> {
  const { name, apiKey, baseUrl, baseUrlSource = '' } = options
  const missing = (variable: string, noun: string): Verdict =>
    skipped(`no ${envVariable(name, variable)}: builds use the lock, a pull needs ${noun}`)
  const present = (value: string, source: string): Verdict =>
    ok(sanitize(`${value} from ${source}`))
  return {
    key: apiKey ? present(maskKey(apiKey.value), apiKey.source) : missing('API_KEY', 'a key'),
    address: baseUrl
      ? present(originOf(baseUrl) ?? 'not a URL', baseUrlSource)
      : missing('BASE_URL', 'an address'),
  }
}

/** Whether the service answers: one list request, no metered read. An error may be about the key. */
async function diagnoseService(
  { options: { apiKey, baseUrl }, withService }: Project,
  { isOffline, ...call }: DoctorRequest,
): Promise<Pick<Verdicts, 'key' | 'service'>> {
  if (isOffline) return { service: skipped('not asked: --offline') }
  if (apiKey === undefined || baseUrl === undefined)
    return { service: skipped('not asked: it needs a key and an address') }
  const list = await withService((service) => service.list(), call).catch(asPromptsError)
  if (isPromptsError(list))
    return {
      service: skipped('not asked: the key is wrong'),
      [topicOf(list, 'service')]: { state: 'broken', error: list },
    }
  const { prompts, planStatus } = list
  const status = planStatus === 'active' ? '' : `, plan status ${planStatus}`
  return { service: ok(sanitize(`lists ${pluralize(prompts.length, 'prompt')}${status}`)) }
}

type Step = 'lock' | 'options' | 'declarations' | 'files'

function diagnoseStep(step: Step, { lock, steps, findings }: CheckReport): Verdict {
  if (steps[step] === 'skipped') return skipped('not checked')
  const [first, ...others] = findings.filter((finding) => stepOf(finding) === step)
  if (first === undefined) {
    if (step === 'lock') return ok(`valid, ${pluralize(lock?.prompts.length ?? 0, 'prompt')}`)
    return ok(step === 'options' ? 'match the lock' : 'current')
  }
  const { severity, message, fix, line } = first
  const at = line > 1 ? ` (line ${line})` : ''
  const more = others.length === 0 ? '' : ` And ${pluralize(others.length, 'more finding')}.`
  const state = severity === 'fault' ? 'broken' : 'warning'
  return { state, message: message + at + more, fix }
}

/** Whether TypeScript reads the declarations, without which `virtual:prompts` is not found. */
async function diagnoseTypes({ options }: Project): Promise<Verdict> {
  const { root, dts, name } = options
  if (dts === false) return skipped('no declarations: dts is false')
  if (!existsSync(dts)) return skipped('there are no declarations yet')
  const { declarationsAdvice } = await import('../generate/declarations-location.ts')
  const path = relativePath(root, dts)
  const fix = declarationsAdvice(root, dts, name)
  if (fix === undefined) return ok(`TypeScript reads ${path}`)
  const message = `TypeScript does not read ${path}: no tsconfig.json includes it.`
  return { state: 'broken', message, fix }
}

/** More places are only counted. */
const PLACES_SHOWN = 5

/** The lines of the app that do not compile with the lock, such as those that a pull broke. */
async function diagnoseCode(project: Project, { lock }: CheckReport): Promise<Verdict> {
  if (lock === undefined) return skipped('not checked')
  const impact = await project
    .locate()
    .then((location) => findImpact({ ...location, before: undefined, after: lock }))
    .catch(asPromptsError)
  if (isPromptsError(impact)) return { state: 'warning', error: impact }
  const { findings, files } = impact
  if (files === 0) return ok('no code uses prompts')
  if (findings.length === 0) return ok(`compiles with the lock, ${pluralize(files, 'file')}`)
  const lines = findings.map(({ file, line, reason }) => sanitize(`${file}:${line} ${reason}`))
  const count = findings.length === 1 ? '1 place does' : `${findings.length} places do`
  const message = [`${count} not compile with the lock:`, ...truncateList(lines, PLACES_SHOWN)]
  const command = formatCommand(project.lock.workspace, 'check --impact')
  const fix = `Change the code. \`npx ${command}\` lists all places.`
  return { state: 'broken', message: message.join('\n'), fix }
}

/** Whether a bundler's configuration uses the plugin, or files are generated instead. */
async function diagnosePlugin(
  { options: { root, outDir, apps } }: Project,
  { manifest, ...files }: ProjectFiles,
): Promise<Verdict> {
  const detected = detectBundlers(files)
  const configs = detected.flatMap(({ file }) => file ?? [])
  const texts = await Promise.all(configs.map((file) => readText(join(root, file))))
  const isVite = texts.some((text) => text?.includes(`${PACKAGE_NAME}/vite`))
  const error = isVite ? unsupportedVite(root) : undefined
  if (error !== undefined) return { state: 'broken', error }
  const users = configs.filter((_, index) => texts[index]?.includes(PACKAGE_NAME))
  if (users.length > 0) return ok(`in ${users.join(', ')}`)
  if (outDir !== undefined)
    return ok(`not needed: files are generated in ${relativePath(root, outDir)}`)
  if (JSON.stringify(manifest ?? {}).includes(`${PACKAGE_NAME}/register`))
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
async function diagnoseGit({ options, lock }: Project): Promise<Verdict> {
  const { root, dts } = options
  const secret = join(root, '.env.local')
  const committed = [lock.path, ...(dts === false ? [] : [dts])]
  const ignored = await findIgnored(root, [secret, ...committed])
  if (ignored === undefined) return skipped('not a git repository')
  const lost = committed.filter((path) => ignored.has(path)).map((path) => basename(path))
  if (lost.length > 0) {
    const message = `Git ignores ${lost.join(' and ')}, so other checkouts lack it.`
    return { state: 'broken', message, fix: 'Remove the pattern from .gitignore.' }
  }
  if (ignored.has(secret)) return ok('.env.local is ignored')
  const fix = 'Add .env.local to .gitignore. If it was committed, revoke the key.'
  const state = existsSync(secret) ? 'broken' : 'warning'
  return { state, message: 'Git does not ignore .env.local, which is for the key.', fix }
}
