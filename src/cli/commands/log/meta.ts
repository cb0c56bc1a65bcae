import type { CommandMeta } from '../../shell/command.ts'

export const log: CommandMeta = {
  name: 'log',
  group: 'Every day',
  summary: 'Show how the pinned prompts changed, from git',
  sample: 'log',
  load: async () => (await import('./index.ts')).log,
}
