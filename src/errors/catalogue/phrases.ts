import { truncateList } from '../../core/text/pluralize.ts'

/** An error's explanation: what happened and why, and how to fix it. */
export interface Explanation {
  readonly why: string
  readonly fix: string
}

/** Details of an error whose explanation names commands or variables of a workspace. */
export interface InWorkspace {
  readonly workspace: string
}

/** Longer lists are cut. */
const MAX_LISTED = 20

/** One line per item; a single one stays in the sentence. */
export function bullets(items: readonly string[]): string {
  if (items.length === 1) return ` ${items[0]}`
  return truncateList(items, MAX_LISTED)
    .map((item) => `\n  - ${item}`)
    .join('')
}
