import { DEFAULT_NAME } from '../core/workspace-name.ts'

/** The command that does something for a workspace: `prompts pull --name billing-prompts`. */
export function commandOf(workspace: string, words: string): string {
  return `prompts ${words}${workspace === DEFAULT_NAME ? '' : ` --name ${workspace}`}`
}

/** What mends a lock that is missing or behind. */
export function adviceToPull(workspace: string): string {
  return `Run \`npx ${commandOf(workspace, 'pull')}\` and commit the lock.`
}
