import type { CommandMeta } from '../../shell/command.ts'

export const ui: CommandMeta = {
  name: 'ui',
  group: 'Every day',
  summary: 'Show the pinned prompts in the browser',
  sample: 'ui --port 0',
  load: async () => (await import('./index.ts')).ui,
}
