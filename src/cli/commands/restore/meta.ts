import type { CommandMeta } from '../../shell/command.ts'

export const restore: CommandMeta = {
  name: 'restore',
  group: 'Decide',
  summary: 'Bring a prompt back as it was in a git revision, and hold it',
  sample: 'restore support-reply --from HEAD --yes',
  load: async () => (await import('./index.ts')).restore,
}
