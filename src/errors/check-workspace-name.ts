import { isWorkspaceName } from '../core/workspace-name.ts'
import { PromptsError } from './prompts-error.ts'

/** @param source - what sets the name */
export function checkWorkspaceName(name: unknown, source: string): string {
  if (isWorkspaceName(name)) return name
  const problems = [
    'name: expected words of a-z and 0-9 joined by hyphens, such as billing-prompts',
  ]
  throw new PromptsError('OPTIONS_INVALID', { source, problems })
}
