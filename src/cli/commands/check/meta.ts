import type { CommandMeta } from '../../shell/command.ts'

export const check: CommandMeta = {
  name: 'check',
  group: 'Set up and check',
  summary: 'Check lock, generated files and service; or all of the setup',
  sample: 'check --impact',
  load: async () => (await import('./index.ts')).check,
}
