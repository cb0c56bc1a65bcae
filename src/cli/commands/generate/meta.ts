import type { CommandMeta } from '../../shell/command.ts'

export const generate: CommandMeta = {
  name: 'generate',
  group: 'Set up and check',
  summary: 'Write the declarations, or real files for tools without plugins',
  sample: 'generate --out-dir src/generated',
  load: async () => (await import('./index.ts')).generate,
}
