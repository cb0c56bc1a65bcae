import { existsSync } from 'node:fs'
import { planNames } from '../../core/names.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { isEdited, type Lock, type View, viewOf } from '../../core/prompt.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { sanitize, sanitizeMessage } from '../../core/text/sanitize.ts'
import { PromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { isTracked } from '../../fs/git.ts'
import { relativePath } from '../../fs/paths.ts'
import type { Project } from '../project/project.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'

/** Logs a message for the person who builds or starts the app. */
export type Notify = (level: 'info' | 'warn', message: string) => void

/** Creates a function that prints messages with a label, sanitized for terminals and CI logs. */
export function createNotify(
  label: string,
  print: (level: 'info' | 'warn', text: string) => void,
): Notify {
  return (level, message) => print(level, `[${label}] ${sanitizeMessage(message)}`)
}

/** What a start depends on, besides its project. */
export interface Start {
  /** Whether this is a production build or process. */
  readonly production: boolean
  readonly notify: Notify
}

/**
 * Loads the lock of a build, a dev server or an app, and prints what happened. A production build reads no
 * declarations: the pull that wrote the lock has written them, and `check` compares them.
 *
 * @throws PromptsError TEST_IN_PRODUCTION, and what {@link loadLock} throws
 */
export async function startProject(project: Project, start: Start): Promise<Lock> {
  const lock = await loadLock(project, start.notify)
  const { dts } = project.options
  const needsDeclarations = dts !== false && (!start.production || !existsSync(dts))
  if (needsDeclarations) await project.writeDeclarations(lock)
  const view = viewOf(lock, project.servedView(lock))
  assertProductionReady(project, view, start)
  warnOfEdits(view, start.notify)
  warnOfCollisions(view, start.notify)
  return lock
}

function warnOfEdits({ prompts }: View, notify: Notify): void {
  const edited = prompts.filter(isEdited).map(({ slug }) => slug)
  if (edited.length === 0) return
  const slugs = truncateList(edited, MAX_NAMED).join(', ')
  notify('warn', `Edited here, and not what the service serves: ${slugs}.`)
}

/** More prompts are only counted, so that the warning stays one line. */
const MAX_NAMED = 5

/** Warns about identifiers that several slugs map to, since none of them gets it. */
function warnOfCollisions({ prompts }: View, notify: Notify): void {
  const { collisions } = planNames(prompts.map(({ slug }) => slug))
  for (const { identifier, slugs } of collisions) {
    const either = slugs.map(sanitize).join(' or ')
    notify('warn', `prompts.${identifier} could be ${either}: use the slug.`)
  }
}

/** Staging versions in a production build: a warning or an error, by the option `production`. */
function assertProductionReady(
  { options }: Project,
  { environment }: View,
  { production, notify }: Start,
): void {
  if (!production || environment === 'live' || options.production === 'allow') return
  const error = new PromptsError('TEST_IN_PRODUCTION', { path: options.lock })
  if (options.production === 'error') throw error
  // A variable says what this build is for.
  const isChosen = options.environment === undefined && options.servedEnvironment === 'test'
  if (!isChosen) notify('warn', `${error.why} ${error.fix}`)
}

/**
 * Loads the lock of a build or dev server, following the option `pull`. With `missing` and a lock
 * it makes no request and needs no key.
 *
 * @throws PromptsError LOCK_MISSING with `never`; what pulling or reading the lock throws
 */
export async function loadLock(project: Project, notify: Notify): Promise<Lock> {
  const { pull: policy } = project.options
  if (policy === 'always') await pullOrFallBack(project, notify)
  return project.readLock().catch(async (error: unknown) => {
    if (policy !== 'missing' || !isPromptsError(error, 'LOCK_MISSING')) throw error
    await pullMissing(project, notify)
    return project.readLock()
  })
}

/** The pulls of missing locks that run in this process, by the path of the lock. */
const running = new Map<string, Promise<void>>()

/** Builds that start together, such as those of client and server, share one pull. */
async function pullMissing(project: Project, notify: Notify): Promise<void> {
  const { path } = project.lock
  if (!running.has(path)) {
    running.set(
      path,
      pullFirst(project, notify).finally(() => running.delete(path)),
    )
  }
  await running.get(path)?.catch((error: unknown) => {
    // When several processes start together, the first one writes the lock and the others use it.
    if (!isPromptsError(error, 'LOCK_CHANGED')) throw error
  })
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

async function pull(project: Project, notify: Notify): Promise<void> {
  const draft = await project.prepare()
  await project.commit(draft)
  const { lock, reads } = draft
  const { options } = project
  const { size } = indexBySlug(lock.parts)
  const pinned = `Pinned ${pluralize(size, 'prompt')} (${pluralize(reads, 'read')}).`
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

async function pullOrFallBack(project: Project, notify: Notify): Promise<void> {
  notify('info', 'Pulling…')
  try {
    await pullCurrent(project, notify)
  } catch (error) {
    const isUsable = project.options.fallback && (await project.lock.readHash()) !== undefined
    // What a function of a custom service failed of.
    const cause = isPromptsError(error, 'SERVICE_ADAPTER_FAILED') ? error.cause : error
    if (!isUsable || !isPromptsError(cause) || !UNREACHABLE.has(cause.code)) throw error
    notify('warn', `The service is unreachable, using the lock. ${cause.why}`)
  }
}

/** Who loses to another pull reads again. */
const MAX_PULLS = 5

async function pullCurrent(project: Project, notify: Notify, count = 1): Promise<void> {
  await pull(project, notify).catch((error: unknown) => {
    if (!isPromptsError(error, 'LOCK_CHANGED') || count === MAX_PULLS) throw error
    return pullCurrent(project, notify, count + 1)
  })
}
