/** The name of the one workspace that most apps have. */
export const DEFAULT_WORKSPACE = 'prompts'

/** The name of this package. */
export const PACKAGE_NAME = 'unplugin-prompts'

/** Words of small letters and digits: each name then has variables that no other name has. */
const NAME = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/

/** Whether a value can be the name of a workspace in an app. */
export function isWorkspaceName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** What messages about a workspace begin with, and what its plugin is called. */
export function pluginName(name: string): string {
  return name === DEFAULT_WORKSPACE ? PACKAGE_NAME : `${PACKAGE_NAME}:${name}`
}

/** What apps import a workspace by: `virtual:billing-prompts`. */
export function virtualModuleId(name: string): string {
  return `virtual:${name}`
}

/** A variable of the environment that is about a workspace: `BILLING_PROMPTS_API_KEY`. */
export function envVariable(name: string, setting: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_${setting}`
}
