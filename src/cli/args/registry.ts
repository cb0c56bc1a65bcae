import type { RegisteredCommand } from './command.ts'

/**
 * All commands, in the order in which a project needs them. The code of each is loaded on demand.
 */
export const registry: readonly RegisteredCommand[] = [
  {
    name: 'init',
    summary: 'Set up this project: configuration, scripts, first pull',
    load: async () => (await import('../commands/init/index.ts')).init,
  },
  {
    name: 'pull',
    summary: 'Update the lock and the declarations from the service',
    load: async () => (await import('../commands/pull/index.ts')).pull,
  },
  {
    name: 'diff',
    summary: 'Show what a pull would change, word by word',
    load: async () => (await import('../commands/diff/index.ts')).diff,
  },
  {
    name: 'check',
    summary: 'Check lock, generated files and service, for CI',
    load: async () => (await import('../commands/check/index.ts')).check,
  },
  {
    name: 'list',
    alias: 'ls',
    summary: 'List the pinned prompts',
    load: async () => (await import('../commands/list/index.ts')).list,
  },
  {
    name: 'show',
    summary: 'Show one pinned prompt: texts, variables, settings',
    load: async () => (await import('../commands/show/index.ts')).show,
  },
  {
    name: 'hold',
    summary: 'Keep prompts as they are pinned',
    load: async () => (await import('../commands/hold/index.ts')).hold,
  },
  {
    name: 'release',
    summary: 'Let pulls update held prompts again',
    load: async () => (await import('../commands/hold/index.ts')).release,
  },
  {
    name: 'restore',
    summary: 'Bring a prompt back as it was in a git revision, and hold it',
    load: async () => (await import('../commands/restore/index.ts')).restore,
  },
  {
    name: 'generate',
    summary: 'Write the declarations, or real files for tools without plugins',
    load: async () => (await import('../commands/generate/index.ts')).generate,
  },
  {
    name: 'ui',
    summary: 'Show the pinned prompts in the browser',
    load: async () => (await import('../commands/ui/index.ts')).ui,
  },
  {
    name: 'serve',
    summary: 'Run the local prompt service, which needs no account',
    load: async () => (await import('../commands/serve/index.ts')).serve,
  },
  {
    name: 'doctor',
    summary: 'Find out what is wrong with the setup',
    load: async () => (await import('../commands/doctor/index.ts')).doctor,
  },
  {
    name: 'explain',
    summary: 'Explain an error code, or list all of them',
    load: async () => (await import('../commands/explain/index.ts')).explain,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands, options and slugs',
    load: async () => (await import('../commands/completion/index.ts')).completion,
  },
]
