import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { findImpact } from '../usage/impact.ts'
import { check, type CheckReport, stepOf } from '../check/check.ts'
import { readProjectFiles } from '../init/project-files.ts'
import type { Project } from '../project/project.ts'
import type { CallOptions } from '../../service/client.ts'
import {
  diagnoseGit,
  diagnoseNode,
  diagnosePackage,
  diagnosePlugin,
  diagnoseTypes,
} from './app-setup.ts'
import { diagnoseBuildCache } from './build-cache.ts'
import { brokenBy, type Diagnosis, type ErrorTexts, ok, skipped } from './diagnosis.ts'
import { maskKey } from '../../config/api-key.ts'
import { originOf } from '../../config/base-url.ts'
import { configFileNames } from '../../config/config-file.ts'
import { envVariable } from '../../core/workspace-name.ts'

export type { Diagnosis } from './diagnosis.ts'

/** What to examine. */
export interface DoctorRequest extends CallOptions, ErrorTexts {
  /** Absolute path of the project's root. */
  readonly root: string
  /** Such as `22.12.0`. */
  readonly nodeVersion: string
  /** Whether the service is left alone. */
  readonly isOffline: boolean
  /** @throws PromptsError for options that can't be used */
  open(): Promise<Project>
}

/**
 * Examines everything that this package needs in an app: Node, installation, options, key, address,
 * service, lock, generated files, TypeScript, bundler, git and the cache of Turborepo. Writes nothing. If the
 * options can't be read, what depends on them is left out.
 *
 * @throws PromptsError FILE_UNREADABLE; the reason of an abort
 */
export async function diagnose(request: DoctorRequest): Promise<Diagnosis[]> {
  const { root, nodeVersion, isOffline } = request
  const files = await readProjectFiles(root)
  const basics = [diagnoseNode(nodeVersion), await diagnosePackage(files)]
  const project = await openWithApps(request).catch(asPromptsError)
  if (isPromptsError(project)) return [...basics, brokenBy('configuration', project, request)]
  // Lock, options and generated files, as `prompts check --offline` finds them.
  const report = await check(project, { isOffline: true })
  const service = await diagnoseService(project, isOffline, request)
  return [
    ...basics,
    diagnoseConfiguration(project, files.names),
    ...(service.topic === 'key' ? [service] : [diagnoseKey(project)]),
    diagnoseAddress(project),
    ...(service.topic === 'key' ? [skipped('service', 'not asked: the key is wrong')] : [service]),
    ...STEPS.map((topic) => diagnoseStep(topic, report)),
    await diagnoseTypes(project),
    await diagnoseCode(project, report, request),
    await diagnosePlugin(project, files, request),
    await diagnoseGit(project),
    ...(await diagnoseBuildCache(project)),
  ]
}

/** Opens the project; fails also if another app does not fit it. */
async function openWithApps({ open }: DoctorRequest): Promise<Project> {
  const project = await open()
  await project.apps()
  return project
}

const STEPS = ['lock', 'options', 'declarations', 'files'] as const

function diagnoseStep(topic: (typeof STEPS)[number], report: CheckReport): Diagnosis {
  const { lock, steps, findings } = report
  if (steps[topic] === 'skipped') return skipped(topic, 'not checked')
  const found = findings.filter((finding) => stepOf(finding) === topic)
  const [first] = found
  if (first === undefined) return ok(topic, okMessage(topic, lock))
  const { severity, message, fix, line } = first
  const at = line > 1 ? ` (line ${line})` : ''
  const more = found.length === 1 ? '' : ` And ${pluralize(found.length - 1, 'more finding')}.`
  return {
    topic,
    state: severity === 'fault' ? 'broken' : 'warning',
    message: message + at + more,
    fix,
  }
}

function okMessage(topic: (typeof STEPS)[number], lock: CheckReport['lock']): string {
  if (topic === 'lock') return `valid, ${pluralize(lock?.prompts.length ?? 0, 'prompt')}`
  return topic === 'options' ? 'match the lock' : 'current'
}

/** More places are only counted. */
const PLACES_SHOWN = 5

/** The lines of the app that do not compile with the lock, such as those that a pull broke. */
async function diagnoseCode(
  project: Project,
  { lock }: CheckReport,
  { describe }: ErrorTexts,
): Promise<Diagnosis> {
  const topic = 'code'
  if (lock === undefined) return skipped(topic, 'not checked')
  const impact = await project
    .locate()
    .then((location) => findImpact({ ...location, before: undefined, after: lock }))
    .catch(asPromptsError)
  if (isPromptsError(impact))
    return { topic, state: 'warning', ...describe(impact), code: impact.code }
  const { findings, files } = impact
  if (files === 0) return ok(topic, 'no code uses prompts')
  if (findings.length === 0) return ok(topic, `compiles with the lock, ${pluralize(files, 'file')}`)
  const lines = findings.map(({ file, line, reason }) => sanitize(`${file}:${line} ${reason}`))
  const count = findings.length === 1 ? '1 place does' : `${findings.length} places do`
  return {
    topic,
    state: 'broken',
    message: [`${count} not compile with the lock:`, ...truncateList(lines, PLACES_SHOWN)].join(
      '\n',
    ),
    fix: `Change the code. \`npx ${formatCommand(project.lock.workspace, 'check --impact')}\` lists all places.`,
  }
}

/** Which workspace is read, and where its options come from. */
function diagnoseConfiguration(
  { options: { name, environment } }: Project,
  names: ReadonlySet<string>,
): Diagnosis {
  const file = configFileNames(name).find((each) => names.has(each))
  const source = file ?? `no ${name}.config.ts: default options`
  return ok('configuration', `workspace ${name}, ${environment}, ${source}`)
}

/** Where the key comes from, with most of it masked. */
function diagnoseKey({ options: { apiKey, name } }: Project): Diagnosis {
  if (apiKey === undefined) {
    const variable = envVariable(name, 'API_KEY')
    return skipped('key', `no ${variable}: builds use the lock, a pull needs a key`)
  }
  return ok('key', sanitize(`${maskKey(apiKey.value)} from ${apiKey.source}`))
}

/** Where the address comes from. It is shown without what may be a password in it. */
function diagnoseAddress({ options }: Project): Diagnosis {
  const { baseUrl, baseUrlSource = '', name } = options
  if (baseUrl === undefined) {
    const variable = envVariable(name, 'BASE_URL')
    return skipped('address', `no ${variable}: builds use the lock, a pull needs an address`)
  }
  return ok('address', sanitize(`${originOf(baseUrl) ?? 'not a URL'} from ${baseUrlSource}`))
}

/** Whether the service answers: one list request, no metered read. */
async function diagnoseService(
  project: Project,
  isOffline: boolean,
  request: CallOptions & ErrorTexts,
): Promise<Diagnosis> {
  const { apiKey, baseUrl } = project.options
  if (isOffline) return skipped('service', 'not asked: --offline')
  if (apiKey === undefined || baseUrl === undefined)
    return skipped('service', 'not asked: it needs a key and an address')
  const listed = await project
    .withService((service) => service.list(), request)
    .catch(asPromptsError)
  if (isPromptsError(listed)) return brokenBy('service', listed, request)
  const { prompts, planStatus } = listed
  const status = planStatus === 'active' ? '' : `, plan status ${planStatus}`
  return ok('service', sanitize(`lists ${pluralize(prompts.length, 'prompt')}${status}`))
}
