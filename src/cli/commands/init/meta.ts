import type { CommandMeta } from '../../shell/command.ts'

export const init: CommandMeta = {
  name: 'init',
  group: 'Every day',
  summary: 'Set up this project: configuration and first pull',
  sample: 'init --yes --example',
  load: async () => (await import('./index.ts')).init,
}
