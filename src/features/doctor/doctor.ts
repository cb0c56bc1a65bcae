import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { readProjectFiles } from '../init/project-files.ts'
import type { Project, ServiceCallOptions } from '../project/project.ts'
import { diagnoseGit, diagnosePackage, diagnosePlugin, diagnoseTypes } from './app-setup.ts'
import { brokenBy, type Diagnosis } from './diagnosis.ts'
import { diagnoseNode } from './node-version.ts'
import { diagnoseFiles } from './pinned-files.ts'
import { diagnoseAddress, diagnoseConfiguration, diagnoseKey, diagnoseService } from './settings.ts'

export type { Diagnosis } from './diagnosis.ts'

/** What to examine. */
export interface DoctorRequest extends ServiceCallOptions {
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
