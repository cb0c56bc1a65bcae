import type { CommandMeta } from '../../shell/command.ts'

export const serve: CommandMeta = {
  name: 'serve',
  group: 'Set up and check',
  summary: 'Run the local prompt service, which needs no account',
  sample: 'serve --example --port 0',
  load: async () => (await import('./index.ts')).serve,
}
