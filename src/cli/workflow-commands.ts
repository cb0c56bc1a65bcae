type Variables = Readonly<Record<string, string | undefined>>

/** Servers that take commands from what a step prints. */
const SERVERS = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION']

/**
 * Where a build server reads commands from output, breaks whatever would be one (FAULTS 38):
 * GitHub's `::name::` at the beginning of a line, also behind blanks, which its runner trims; and
 * `##[…]`, `##vso[…]`, `##teamcity[…]` anywhere in a line.
 */
export function neutralizeWorkflowCommands(text: string, env: Variables): string {
  if (SERVERS.every((name) => (env[name] ?? '') === '')) return text
  return text.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll(/#(?=#\w*\[)/g, '# ')
}
