/** The pulls that a build, a dev server or an app starts. One with a good lock loads none of this. */
import type { ErrorCode } from '../../errors/catalogue.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { isTracked } from '../../fs/git.ts'
import { relativePath } from '../../fs/paths.ts'
import type { Project } from '../project/project.ts'
import type { Notify } from './notify.ts'

/** The pulls of missing locks that run in this process, by the path of the lock. */
const running = new Map<string, Promise<void>>()

/** Builds that start together, such as those of client and server, share one pull. */
export async function pullMissing(project: Project, notify: Notify): Promise<void> {
  const { path } = project.lock
  if (!running.has(path)) {
    running.set(
      path,
      pullFirst(project, notify).finally(() => running.delete(path)),
    )
  }
  await running.get(path)
}

async function pullFirst(project: Project, notify: Notify): Promise<void> {
  const { options, lock } = project
  const file = relativePath(options.root, lock.path)
  if (await isTracked(lock.path))
    notify(
      'warn',
      `${file} is in git and not in the folder: pulling the newest prompts. To have it back, run \`git checkout ${file}\`.`,
    )
  else notify('info', 'No lock yet: pulling…')
  await pull(project, notify)
}

/** When several processes start together, the first one writes the lock and the others use it. */
async function pull(project: Project, notify: Notify): Promise<void> {
  const { plan, report } = await project.prepare()
  const written = await project.commit(plan).catch(asPromptsError)
  if (isPromptsError(written, 'FILE_CHANGED')) return
  if (isPromptsError(written)) throw written
  const { options } = project
  const { size } = indexBySlug(plan.after.parts)
  const pinned = `Pinned ${pluralize(size, 'prompt')} (${report.reads} fetched).`
  const file = relativePath(options.root, project.lock.path)
  const advice = options.pull === 'missing' ? ` Commit ${file}, and builds need no key.` : ''
  notify('info', pinned + advice)
}

/** Errors of an unreachable service, not caused by the key or the options. */
const UNREACHABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SERVICE_UNREACHABLE',
  'SERVICE_TIMEOUT',
  'SERVICE_FAILED',
  'RATE_LIMITED',
  'ANSWER_INCOMPLETE',
])

/** Pulls; if the service is unreachable and the options allow it, the lock is used as it is. */
export async function pullOrFallBack(project: Project, notify: Notify): Promise<void> {
  notify('info', 'Pulling…')
  try {
    await pull(project, notify)
  } catch (error) {
    const isUsable = project.options.fallback && (await project.lock.readHash()) !== undefined
    // What a function of a custom service failed of.
    const cause = isPromptsError(error, 'SERVICE_ADAPTER_FAILED') ? error.cause : error
    if (!isUsable || !isPromptsError(cause) || !UNREACHABLE.has(cause.code)) throw error
    notify('warn', `The service is unreachable, using the lock. ${cause.why}`)
  }
}
