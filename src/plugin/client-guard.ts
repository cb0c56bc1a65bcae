import { PromptsError } from '../errors/prompts-error.ts'
import type { Project } from '../features/project/project.ts'
import type { Notify } from '../features/start/notify.ts'

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
