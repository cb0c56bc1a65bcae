import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { formatCommand } from '../../core/suggested-command.ts'

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

/** The number of attempts if there were several. */
export function attemptsNote(attempts: number): string {
  return attempts === 1 ? '' : ` (${pluralize(attempts, 'attempt')})`
}

/** The beginning of a response, in quotes. */
export function excerptNote(excerpt: string): string {
  return excerpt === '' ? '' : `, “${excerpt}”`
}

/** How long the service asks to wait. */
export function waitNote(wait: string): string {
  return wait === '' ? '' : `; it asks to wait ${wait}`
}

/** A command with `npx`, in back-ticks. */
export function npxCommand({ workspace }: InWorkspace, command: string): string {
  return `\`npx ${formatCommand(workspace, command)}\``
}

/** The option `baseUrl` with its environment variable. */
export function baseUrlOption({ workspace }: InWorkspace): string {
  return `\`baseUrl\` (${envVariable(workspace, 'BASE_URL')})`
}
