import { holdPrompts } from '../../../features/hold/hold.ts'
import { type Command, defineCommand } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { editOptions, runLockEdit, slugsArgument } from './run-lock-edit.ts'

const options = {
  reason: {
    type: 'text',
    placeholder: 'text',
    description: 'Why, for the reviewers of the lock',
  },
  ...editOptions,
  ...projectOptions,
  ...globalOptions,
} as const

/** `prompts hold`. */
export const hold: Command = defineCommand({
  name: 'hold',
  argument: slugsArgument,
  details: [
    'Records in the lock that no pull changes these prompts, whatever the service serves. `list`, `diff` and `check` show what they wait for; it is no drift. Needs neither a network nor a key.',
  ],
  options,
  examples: [
    ['prompts hold support-triage --reason "Waiting for legal"', 'keep the pinned text'],
    ['prompts release support-triage', 'let the next pull update it'],
  ],
  run: (invocation) =>
    runLockEdit(invocation, 'hold', (lock) =>
      holdPrompts(lock, invocation.positionals, invocation.values.reason),
    ),
})
