import { DEFAULT_WORKSPACE } from './workspace-name.ts'

/** Returns a command with the option for a workspace: `prompts pull --name billing-prompts`. */
export function formatCommand(workspace: string, command: string): string {
  return `prompts ${command}${workspace === DEFAULT_WORKSPACE ? '' : ` --name ${workspace}`}`
}

/** Returns the fix for a lock that is missing or outdated. */
export function suggestPull(workspace: string): string {
  return `Run \`npx ${formatCommand(workspace, 'pull')}\` and commit the lock.`
}
