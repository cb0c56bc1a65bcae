import type { CommandMeta } from '../../shell/command.ts'

export const show: CommandMeta = {
  name: 'show',
  group: 'Every day',
  summary: 'Show one pinned prompt: texts, variables, settings',
  sample: 'show support-triage --usage',
  load: async () => (await import('./index.ts')).show,
}
