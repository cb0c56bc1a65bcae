import type { Command } from '../shell/command.ts'

/** A command in the overview, without its code. */
interface CommandEntry {
  /** A shorter name that works too. */
  readonly alias?: string
  /** One line, without a period. */
  readonly summary: string
  /** Loads the code. */
  readonly load: () => Promise<Command>
}

/** The commands by group and by name, in the order of the help. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Every day': {
    init: {
      summary: 'Set up this project: configuration, scripts, first pull',
      load: async () => (await import('./init/index.ts')).init,
    },
    pull: {
      summary: 'Update the lock and the declarations from the service',
      load: async () => (await import('./pull/index.ts')).pull,
    },
    diff: {
      summary: 'Show what a pull would change, word by word',
      load: async () => (await import('./diff/index.ts')).diff,
    },
    list: {
      alias: 'ls',
      summary: 'List the pinned prompts',
      load: async () => (await import('./list/index.ts')).list,
    },
    show: {
      summary: 'Show one pinned prompt: texts, variables, settings',
      load: async () => (await import('./show/index.ts')).show,
    },
    log: {
      summary: 'Show how the pinned prompts changed, from git',
      load: async () => (await import('./log/index.ts')).log,
    },
    ui: {
      summary: 'Show the pinned prompts in the browser',
      load: async () => (await import('./ui/index.ts')).ui,
    },
  },
  Decide: {
    hold: {
      summary: 'Keep the pinned texts of prompts',
      load: async () => (await import('./hold/index.ts')).hold,
    },
    release: {
      summary: 'Let pulls update held prompts again',
      load: async () => (await import('./hold/index.ts')).release,
    },
    restore: {
      summary: 'Bring a prompt back as it was in a git revision, and hold it',
      load: async () => (await import('./restore/index.ts')).restore,
    },
    edit: {
      summary: 'Write the text of a prompt here, and hold it',
      load: async () => (await import('./edit/index.ts')).edit,
    },
  },
  'Set up and check': {
    check: {
      summary: 'Check lock, generated files and service, for CI',
      load: async () => (await import('./check/index.ts')).check,
    },
    doctor: {
      summary: 'Find out what is wrong with the setup',
      load: async () => (await import('./doctor/index.ts')).doctor,
    },
    generate: {
      summary: 'Write the declarations, or real files for tools without plugins',
      load: async () => (await import('./generate/index.ts')).generate,
    },
    serve: {
      summary: 'Run the local prompt service, which needs no account',
      load: async () => (await import('./serve/index.ts')).serve,
    },
    explain: {
      summary: 'Explain an error code, or list all of them',
      load: async () => (await import('./explain/index.ts')).explain,
    },
  },
}

/** A command with its name and its group in the help. */
export interface RegisteredCommand extends CommandEntry {
  readonly name: string
  readonly group: string
}

/** All commands, in the order of the help. */
export const registry: readonly RegisteredCommand[] = Object.entries(GROUPS).flatMap(
  ([group, commands]) =>
    Object.entries(commands).map(([name, entry]) => ({ name, group, ...entry })),
)
