import type { Environment } from './prompt.ts'

/** The default name of a workspace. Most apps have only this one. */
export const DEFAULT_WORKSPACE = 'prompts'

export const PACKAGE_NAME = 'unplugin-prompts'

/**
 * Lower-case words and digits, so that no two names have the same environment variables. The key of a name that ends
 * in `-test` would be the test key of the name before it.
 */
const NAME = /^[a-z][a-z\d]*(?:-[a-z\d]+)*(?<!-test)$/

export function isWorkspaceName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** Returns the plugin's name, which also begins the messages about a workspace. */
export function pluginName(name: string): string {
  return name === DEFAULT_WORKSPACE ? PACKAGE_NAME : `${PACKAGE_NAME}:${name}`
}

/** Returns the module that apps import: `virtual:billing-prompts`. */
export function virtualModuleId(name: string): string {
  return `virtual:${name}`
}

/** Returns the module with the test view: `virtual:prompts/staging`. */
export function stagingId(name: string): string {
  return `${virtualModuleId(name)}/staging`
}

/** Returns the variables of a workspace's keys, by what they read. */
export function keyVariables(name: string): Readonly<Record<Environment, string>> {
  return { live: envVariable(name, 'API_KEY'), test: envVariable(name, 'TEST_API_KEY') }
}

/** Returns the name of an environment variable of a workspace: `BILLING_PROMPTS_API_KEY`. */
export function envVariable(name: string, setting: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_${setting}`
}

/** Returns a command with the option for a workspace: `prompts pull --name billing-prompts`. */
export function formatCommand(workspace: string, command: string): string {
  return `prompts ${command}${workspace === DEFAULT_WORKSPACE ? '' : ` --name ${workspace}`}`
}

/** Returns the fix for a lock that is missing or outdated. */
export function suggestPull(workspace: string): string {
  return `Run \`npx ${formatCommand(workspace, 'pull')}\` and commit the lock.`
}
