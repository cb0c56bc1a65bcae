import type { Command, RegisteredCommand } from './command.ts'

/** The summaries of all commands, in the order in which a project needs them. */
const SUMMARIES = {
  init: 'Set up this project: configuration, scripts, first pull',
  pull: 'Update the lock and the declarations from the service',
  diff: 'Show what a pull would change, word by word',
  check: 'Check lock, generated files and service, for CI',
  list: 'List the pinned prompts',
  show: 'Show one pinned prompt: texts, variables, settings',
  hold: 'Keep prompts as they are pinned',
  release: 'Let pulls update held prompts again',
  restore: 'Bring a prompt back as it was in a git revision, and hold it',
  generate: 'Write the declarations, or real files for tools without plugins',
  ui: 'Show the pinned prompts in the browser',
  serve: 'Run the local prompt service, which needs no account',
  doctor: 'Find out what is wrong with the setup',
  explain: 'Explain an error code, or list all of them',
} as const

type Name = keyof typeof SUMMARIES

/** The code of each command, which is loaded on demand. */
const LOADERS: Readonly<Record<Name, () => Promise<Command>>> = {
  init: async () => (await import('../commands/init/index.ts')).init,
  pull: async () => (await import('../commands/pull/index.ts')).pull,
  diff: async () => (await import('../commands/diff/index.ts')).diff,
  check: async () => (await import('../commands/check/index.ts')).check,
  list: async () => (await import('../commands/list/index.ts')).list,
  show: async () => (await import('../commands/show/index.ts')).show,
  hold: async () => (await import('../commands/hold/index.ts')).hold,
  release: async () => (await import('../commands/hold/index.ts')).release,
  restore: async () => (await import('../commands/restore/index.ts')).restore,
  generate: async () => (await import('../commands/generate/index.ts')).generate,
  ui: async () => (await import('../commands/ui/index.ts')).ui,
  serve: async () => (await import('../commands/serve/index.ts')).serve,
  doctor: async () => (await import('../commands/doctor/index.ts')).doctor,
  explain: async () => (await import('../commands/explain/index.ts')).explain,
}

const ALIASES: { readonly [name in Name]?: string } = { list: 'ls' }

/** All commands. */
export const registry: readonly RegisteredCommand[] = (Object.keys(SUMMARIES) as Name[]).map(
  (name) => {
    const summary = SUMMARIES[name]
    const load = async () => ({ name, summary, ...(await LOADERS[name]()) })
    return { name, alias: ALIASES[name], summary, load }
  },
)
