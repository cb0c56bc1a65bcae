import { releasePrompts } from '../../../features/hold/hold.ts'
import { type Command, defineCommand } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { editOptions, runLockEdit, slugsArgument } from '../hold/run-lock-edit.ts'

/** `prompts release`. */
export const release: Command = defineCommand({
  name: 'release',
  argument: slugsArgument,
  details: ['The text stays as it is until the next pull. Needs neither a network nor a key.'],
  options: { ...editOptions, ...projectOptions, ...globalOptions },
  examples: [['prompts release support-triage', 'let the next pull update it']],
  run: (invocation) =>
    runLockEdit(invocation, 'release', (lock) => releasePrompts(lock, invocation.positionals)),
})
