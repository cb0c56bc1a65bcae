import type { CommandMeta } from '../../shell/command.ts'

export const list: CommandMeta = {
  name: 'list',
  group: 'Every day',
  summary: 'List the pinned prompts',
  sample: 'list --usage',
  load: async () => (await import('./index.ts')).list,
}
