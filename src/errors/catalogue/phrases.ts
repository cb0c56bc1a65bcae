import { pluralize } from '../../core/text/pluralize.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { formatCommand } from '../suggested-command.ts'

interface WorkspaceDetails {
  readonly workspace: string
}

/** Longer lists are cut. */
const MAX_LISTED = 20

/** One line per item. */
export function bullets(items: readonly string[]): string {
  const shown = items.slice(0, MAX_LISTED).map((item) => `\n  - ${item}`)
  const hidden = items.length - MAX_LISTED
  return shown.join('') + (hidden > 0 ? `\n  - and ${hidden} more` : '')
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
export function npxCommand({ workspace }: WorkspaceDetails, command: string): string {
  return `\`npx ${formatCommand(workspace, command)}\``
}

/** The option `baseUrl` with its environment variable. */
export function baseUrlOption({ workspace }: WorkspaceDetails): string {
  return `\`baseUrl\` (${envVariable(workspace, 'BASE_URL')})`
}
