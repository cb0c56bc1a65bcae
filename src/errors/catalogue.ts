import { buildErrors } from './catalogue/build.ts'
import { commandErrors } from './catalogue/commands.ts'
import type { Explanation } from './catalogue/explanation.ts'
import { fileErrors } from './catalogue/files.ts'
import { optionErrors } from './catalogue/options.ts'
import { promptErrors } from './catalogue/prompts.ts'
import { serviceErrors } from './catalogue/service.ts'

type Catalogue = typeof optionErrors &
  typeof serviceErrors &
  typeof promptErrors &
  typeof fileErrors &
  typeof buildErrors &
  typeof commandErrors

/** The permanent name of an error. */
export type ErrorCode = keyof Catalogue

/** The details that an error of each code is raised with; strings may be remote text. */
export type ErrorDetails = { [Code in ErrorCode]: Parameters<Catalogue[Code]>[0] }

/**
 * Every error of this package. Codes are permanent: new ones may be added, none is renamed or used
 * for something else. `docs/errors.md` lists them.
 */
export const catalogue: {
  readonly [Code in ErrorCode]: (details: ErrorDetails[Code]) => Explanation
} = {
  ...optionErrors,
  ...serviceErrors,
  ...promptErrors,
  ...fileErrors,
  ...buildErrors,
  ...commandErrors,
}
