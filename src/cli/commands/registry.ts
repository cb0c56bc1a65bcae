import { didYouMean } from '../../errors/did-you-mean.ts'
import { usageError } from '../../errors/prompts-error.ts'
import type { Command, NamedCommand } from '../shell/command.ts'

/** The commands by group, each with its line in the overview, in the order of the help. */
const GROUPS = {
  'Every day': {
    init: 'Set up this project: configuration, scripts, first pull',
    pull: 'Update the lock and the declarations from the service',
    diff: 'Show what a pull would change, word by word',
    list: 'List the pinned prompts',
    show: 'Show one pinned prompt: texts, variables, settings',
    log: 'Show how the pinned prompts changed, from git',
    ui: 'Show the pinned prompts in the browser',
  },
  Decide: {
    hold: 'Keep the pinned texts of prompts',
    release: 'Let pulls update held prompts again',
    restore: 'Bring a prompt back as it was in a git revision, and hold it',
    edit: 'Write the text of a prompt here, and hold it',
  },
  'Set up and check': {
    check: 'Check lock, generated files and service; or all of the setup',
    generate: 'Write the declarations, or real files for tools without plugins',
    serve: 'Run the local prompt service, which needs no account',
  },
}

/** Loads the code of each command. */
const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init/index.ts')).init,
  pull: async () => (await import('./pull/index.ts')).pull,
  diff: async () => (await import('./diff/index.ts')).diff,
  list: async () => (await import('./list/index.ts')).list,
  show: async () => (await import('./show/index.ts')).show,
  log: async () => (await import('./log/index.ts')).log,
  ui: async () => (await import('./ui/index.ts')).ui,
  hold: async () => (await import('./hold/index.ts')).hold,
  release: async () => (await import('./hold/index.ts')).release,
  restore: async () => (await import('./restore/index.ts')).restore,
  edit: async () => (await import('./edit/index.ts')).edit,
  check: async () => (await import('./check/index.ts')).check,
  generate: async () => (await import('./generate/index.ts')).generate,
  serve: async () => (await import('./serve/index.ts')).serve,
}

/** Shorter names that work too. */
const ALIASES: Readonly<Record<string, string>> = { list: 'ls' }

/** A command in the overview, without its code. */
interface RegisteredCommand {
  readonly name: string
  readonly alias: string | undefined
  readonly group: string
  /** One line, without a period. */
  readonly summary: string
}

/** All commands, in the order of the help. */
export const registry: readonly RegisteredCommand[] = Object.entries(GROUPS).flatMap(
  ([group, summaries]) =>
    Object.entries(summaries).map(([name, summary]) => ({
      name,
      alias: ALIASES[name],
      group,
      summary,
    })),
)

/** @throws PromptsError USAGE if there is no command of this name */
export async function loadCommand(word: string): Promise<NamedCommand> {
  const entry = registry.find(({ name, alias }) => word === name || word === alias)
  const load = LOADERS[entry?.name ?? '']
  if (entry !== undefined && load !== undefined) return { ...entry, ...(await load()) }
  const names = registry.map(({ name }) => name)
  throw usageError(`Unknown command: ${word}.${didYouMean(word, names)}`)
}
