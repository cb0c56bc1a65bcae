import type { CommandMeta } from '../../shell/command.ts'

export const hold: CommandMeta = {
  name: 'hold',
  group: 'Decide',
  summary: 'Keep the pinned texts of prompts',
  sample: 'hold support-triage --reason Waiting',
  load: async () => (await import('./index.ts')).hold,
}

export const release: CommandMeta = {
  name: 'release',
  group: 'Decide',
  summary: 'Let pulls update held prompts again',
  sample: 'release support-triage',
  load: async () => (await import('./index.ts')).release,
}
