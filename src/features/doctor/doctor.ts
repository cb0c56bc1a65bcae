import { pluralize } from '../../core/text/pluralize.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { check, type CheckReport, stepOf } from '../check/check.ts'
import { readProjectFiles } from '../init/project-files.ts'
import type { Project } from '../project/project.ts'
import type { CallOptions } from '../../service/client-options.ts'
import {
  diagnoseGit,
  diagnoseNode,
  diagnosePackage,
  diagnosePlugin,
  diagnoseTypes,
} from './app-setup.ts'
import { brokenBy, type Diagnosis, ok, skipped } from './diagnosis.ts'
import { diagnoseAddress, diagnoseConfiguration, diagnoseKey, diagnoseService } from './settings.ts'

export type { Diagnosis } from './diagnosis.ts'

/** What to examine. */
export interface DoctorRequest extends CallOptions {
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
 * service, lock, generated files, TypeScript, bundler and git. Writes nothing. If the options can't
 * be read, what depends on them is left out.
 *
 * @throws PromptsError FILE_UNREADABLE; the reason of an abort
 */
export async function diagnose(request: DoctorRequest): Promise<Diagnosis[]> {
  const { root, nodeVersion, isOffline } = request
  const files = await readProjectFiles(root)
  const basics = [diagnoseNode(nodeVersion), await diagnosePackage(files)]
  const project = await request.open().catch(asPromptsError)
  if (isPromptsError(project)) return [...basics, brokenBy('configuration', project)]
  return [
    ...basics,
    diagnoseConfiguration(project, files.names),
    diagnoseKey(project),
    diagnoseAddress(project),
    await diagnoseService(project, isOffline, request),
    ...(await diagnoseFiles(project)),
    await diagnoseTypes(project),
    await diagnosePlugin(project, files),
    await diagnoseGit(project),
  ]
}

const STEPS = ['lock', 'options', 'declarations', 'files'] as const

/** What `prompts check --offline` finds: lock, options and generated files, one diagnosis each. */
async function diagnoseFiles(project: Project): Promise<Diagnosis[]> {
  const report = await check(project, { depth: 'offline' })
  return STEPS.map((topic) => diagnoseStep(topic, report))
}

function diagnoseStep(topic: (typeof STEPS)[number], report: CheckReport): Diagnosis {
  const { lock, steps, findings } = report
  if (steps[topic] === 'skipped') return skipped(topic, 'not checked')
  const found = findings.filter((finding) => stepOf(finding) === topic)
  const [first] = found
  if (first === undefined) return ok(topic, okMessage(topic, lock))
  const { severity, message, fix } = first
  const more = found.length === 1 ? '' : ` And ${pluralize(found.length - 1, 'more finding')}.`
  return { topic, state: severity === 'fault' ? 'broken' : 'warning', message: message + more, fix }
}

function okMessage(topic: (typeof STEPS)[number], lock: CheckReport['lock']): string {
  if (topic === 'lock') return `valid, ${pluralize(lock?.prompts.length ?? 0, 'prompt')}`
  return topic === 'options' ? 'match the lock' : 'current'
}
