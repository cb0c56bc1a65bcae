import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { isEdited, type Lock } from '../../core/prompt.ts'
import { sanitize, sanitizeMessage } from '../../core/text/sanitize.ts'
import type { ModulePlan } from '../../codegen/plan-module.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { relativePath } from '../../fs/paths.ts'
import type { Project } from '../project/project.ts'
import { loadLock, type StartListener } from './load-lock.ts'

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
 * Loads the lock of a build, a dev server or an app, and prints what happened.
 *
 * @throws PromptsError TEST_IN_PRODUCTION, and what {@link loadLock} throws
 */
export async function startProject(project: Project, start: Start): Promise<Lock> {
  const lock = await loadLock(project, listener(project, start.notify))
  assertProductionReady(project, start)
  warnOfEdits(lock, start.notify)
  return lock
}

function warnOfEdits({ prompts }: Lock, notify: Notify): void {
  const edited = prompts.filter(isEdited).map(({ slug }) => slug)
  if (edited.length === 0) return
  const slugs = truncateList(edited, MAX_NAMED).join(', ')
  notify('warn', `Edited here, and not what the service serves: ${slugs}.`)
}

/** More prompts are only counted, so that the warning stays one line. */
const MAX_NAMED = 5

/** Warns about identifiers that several slugs map to, since none of them gets it. */
export function warnOfCollisions({ names }: ModulePlan, notify: Notify): void {
  for (const { identifier, slugs } of names.collisions) {
    const either = slugs.map(sanitize).join(' or ')
    notify('warn', `prompts.${identifier} could be ${either}: use the slug.`)
  }
}

function listener({ options, lock: { path } }: Project, notify: Notify): StartListener {
  const file = relativePath(options.root, path)
  const advice = options.pull === 'missing' ? ` Commit ${file}, and builds need no key.` : ''
  return {
    onPull: (reason) => notify('info', reason === 'missing' ? 'No lock yet: pulling…' : 'Pulling…'),
    onPulled({ lock: { prompts }, reads }) {
      const pinned = `Pinned ${pluralize(prompts.length, 'prompt')} (${pluralize(reads, 'read')}).`
      notify('info', pinned + advice)
    },
    onFallback: (error) =>
      notify('warn', `The service is unreachable, using the lock. ${error.why}`),
  }
}

/** Test prompts in a production build: a warning or an error, by the option `production`. */
function assertProductionReady({ options }: Project, { production, notify }: Start): void {
  if (!production || options.environment === 'live' || options.production === 'allow') return
  const error = new PromptsError('TEST_IN_PRODUCTION', { path: options.lock })
  if (options.production === 'error') throw error
  notify('warn', `${error.why} ${error.fix}`)
}
