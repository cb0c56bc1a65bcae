import type { CommandMeta } from '../../shell/command.ts'

export const edit: CommandMeta = {
  name: 'edit',
  group: 'Decide',
  summary: 'Write the text of a prompt here, and hold it',
  sample: 'edit support-reply --system-file package.json --yes',
  load: async () => (await import('./index.ts')).edit,
}
