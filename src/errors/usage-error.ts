import { PromptsError } from './prompts-error.ts'

/**
 * Returns the error for a wrong command line.
 *
 * @param command - its name, whose help the error suggests. Default: the overview
 */
export function usageError(problem: string, command = ''): PromptsError<'USAGE'> {
  return new PromptsError('USAGE', { problem, command: command === '' ? '' : `${command} ` })
}
