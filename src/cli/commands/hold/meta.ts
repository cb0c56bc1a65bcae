import type { CommandMeta } from '../../shell/command.ts'

export const hold: CommandMeta = {
  name: 'hold',
  group: 'Decide',
  summary: 'Keep the pinned texts of prompts',
  sample: 'hold support-triage --reason Waiting',
  load: async () => (await import('./index.ts')).hold,
}

export const unhold: CommandMeta = {
  name: 'unhold',
  group: 'Decide',
  summary: 'Let pulls update held prompts again',
  sample: 'unhold support-triage',
  load: async () => (await import('./index.ts')).unhold,
}

export const restore: CommandMeta = {
  name: 'restore',
  group: 'Decide',
  summary: 'Bring a prompt back as it was in a git revision, and hold it',
  sample: 'restore support-reply --from HEAD --yes',
  load: async () => (await import('./index.ts')).restore,
}
