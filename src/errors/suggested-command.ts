import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** The command that does something for a workspace: `prompts pull --name billing-prompts`. */
export function formatCommand(workspace: string, command: string): string {
  return `prompts ${command}${workspace === DEFAULT_WORKSPACE ? '' : ` --name ${workspace}`}`
}

/** What mends a lock that is missing or behind. */
export function suggestPull(workspace: string): string {
  return `Run \`npx ${formatCommand(workspace, 'pull')}\` and commit the lock.`
}
