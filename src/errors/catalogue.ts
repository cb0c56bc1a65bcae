import { type BuildErrors, buildErrors } from './catalogue/build.ts'
import { type CommandErrors, commandErrors } from './catalogue/commands.ts'
import { type FileErrors, fileErrors } from './catalogue/files.ts'
import type { Explanations } from './catalogue/explanations.ts'
import { type OptionErrors, optionErrors } from './catalogue/options.ts'
import { type PromptErrors, promptErrors } from './catalogue/prompts.ts'
import { type ServiceErrors, serviceErrors } from './catalogue/service.ts'

/**
 * The details that an error of each code is raised with; strings may be remote text. `workspace` is
 * the name of a workspace, for the commands and variables in the explanation.
 */
export interface ErrorDetails
  extends OptionErrors, ServiceErrors, PromptErrors, FileErrors, BuildErrors, CommandErrors {}

/** The permanent name of an error. */
export type ErrorCode = keyof ErrorDetails

/**
 * Every error of this package. Codes are permanent: new ones may be added, none is renamed or used
 * for something else. README.md in this folder lists them.
 */
export const catalogue: Explanations<ErrorDetails> = {
  ...optionErrors,
  ...serviceErrors,
  ...promptErrors,
  ...fileErrors,
  ...buildErrors,
  ...commandErrors,
}
