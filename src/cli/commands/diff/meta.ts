import type { CommandMeta } from '../../shell/command.ts'

export const diff: CommandMeta = {
  name: 'diff',
  group: 'Every day',
  summary: 'Show what a pull would change, word by word',
  sample: 'diff --if-published --impact',
  load: async () => (await import('./index.ts')).diff,
}
