import { type ArgumentSpec, globalOptions, type OptionTable } from '../shell/command.ts'

/** Options of the commands that work on a project. */
export const projectOptions = {
  name: {
    placeholder: 'name',
    description: 'Workspace, if the app has several (default: prompts)',
  },
  mode: {
    placeholder: 'mode',
    description: 'Which .env.<mode> files to read (default: NODE_ENV or production)',
  },
} as const

/** The option of commands that show or print a view of the lock. */
export const viewOption = {
  environment: {
    choices: ['live', 'test'],
    description: 'The live versions, or test: staging versions where there are any',
  },
} as const

/** {@link projectOptions} and {@link globalOptions}, which the help lists separately. */
export const commonOptions: OptionTable = { ...projectOptions, ...globalOptions }

/** The argument of a command for one prompt. */
export function slugArgument(missing: string, where = '`prompts list`'): ArgumentSpec {
  const description = `The prompt, as ${where} names it`
  return { placeholder: '<slug>', description, maxCount: 1, missing }
}
