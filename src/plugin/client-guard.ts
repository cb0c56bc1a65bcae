import { PromptsError } from '../errors/prompts-error.ts'
import type { Project } from '../features/project/project.ts'
import type { Notify } from '../features/start/notify.ts'
import { messagePath } from './ids.ts'
import type { BuildContext, Session } from './session.ts'

/**
 * Creates the guard of one plugin: a function that handles an import of prompts in client code. It warns once.
 *
 * @throws PromptsError PROMPTS_IN_CLIENT, what opening the project throws
 */
export function createClientGuard(
  session: () => Session,
  context: () => BuildContext,
): (importer: string) => Promise<void> {
  let hasWarned = false
  return async (importer) => {
    const { root, notify } = context()
    const warnOnce: Notify = (level, message) => {
      if (!hasWarned) notify(level, message)
      hasWarned = true
    }
    reportClientImport(await session().project(), warnOnce, messagePath(root, importer))
  }
}

/**
 * Handles an import of prompts in client code by the option `client`: warns or fails.
 *
 * @param path - the importing file. Default: not known
 * @throws PromptsError PROMPTS_IN_CLIENT if the option is `error`
 */
export function reportClientImport(
  { options: { client, name: workspace } }: Pick<Project, 'options'>,
  notify: Notify,
  path?: string,
): void {
  if (client === 'allow') return
  const error = new PromptsError('PROMPTS_IN_CLIENT', { path, workspace })
  if (client === 'error') throw error
  notify('warn', error.message)
}
