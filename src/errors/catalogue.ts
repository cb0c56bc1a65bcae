import { commandErrors } from './catalogue/commands.ts'
import { fileErrors } from './catalogue/files.ts'
import type { Explanation } from './catalogue/phrases.ts'
import { serviceErrors } from './catalogue/service.ts'

type Catalogue = typeof serviceErrors & typeof fileErrors & typeof commandErrors

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
} = { ...serviceErrors, ...fileErrors, ...commandErrors }
