import type { CommandMeta } from '../../shell/command.ts'

export const pull: CommandMeta = {
  name: 'pull',
  group: 'Every day',
  summary: 'Update the lock and the declarations from the service',
  sample: 'pull',
  load: async () => (await import('./index.ts')).pull,
}
