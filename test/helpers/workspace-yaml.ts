/** A prompt in YAML, with some of its lines replaced; an empty line is left out. */
function promptYaml(lines: Readonly<Record<string, string>> = {}): string {
  const fields = {
    slug: 'slug: a',
    folder: 'folder: f',
    model: 'model: m',
    temperature: 'temperature: 1',
    live: 'live: v1',
    staging: '',
    versions: 'versions: { v1: { system: S } }',
    ...lines,
  }
  const given = Object.values(fields).filter((line) => line !== '')
  return given.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}\n`).join('')
}

/** A workspace file with these prompts. Each is valid except for the given lines. */
export function workspaceYaml(...prompts: readonly Readonly<Record<string, string>>[]): string {
  return `prompts:\n${prompts.map(promptYaml).join('')}`
}

/** A workspace file with one prompt, `a`, of this text. */
export function yaml(system: string): string {
  const versions = `versions: { v1: { system: ${JSON.stringify(system)} } }`
  return `prompts:\n- { slug: a, folder: f, model: m, temperature: 1, live: v1, ${versions} }\n`
}

/** A prompt with a staging version and one that has neither that nor a user text. */
export const WORKSPACE: string = `
planStatus: trialing
prompts:
  - slug: support-triage
    folder: support
    model: gpt-5.1
    temperature: 0.2
    live: v22
    staging: v23
    versions:
      v22:
        system: You triage.
        user: "{{ ticket }}"
      v23:
        system: You triage. Be brief.
        user: "{{ticket}} {{ tone }}"
      v24:
        system: Not published.
  - slug: sql-explainer
    folder: engineering
    model: gpt-5-mini
    temperature: 0
    live: v3
    versions:
      v3:
        system: You explain SQL.
`
