/** Returns the mode that selects `.env.<mode>` files, if no bundler or option sets one. */
export function defaultMode(processEnv: Readonly<Record<string, string | undefined>>): string {
  return processEnv['NODE_ENV'] || 'production'
}
