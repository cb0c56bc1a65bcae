import { heldPrompts } from '../../../core/drift.ts'
import type { Lock } from '../../../core/prompt.ts'
import { holdPrompts, releasePrompts } from '../../../features/hold/hold.ts'
import type { ArgumentSpec, Command } from '../../args/command.ts'
import { defineProjectCommand, type ProjectInvocation } from '../../project-command.ts'
import { printHeld } from '../../output/held-view.ts'
import type { HoldJson } from '../../output/json.ts'
import { printLockResult } from '../../output/write-output.ts'

const slugs: ArgumentSpec = {
  placeholder: '<slug…>',
  description: 'Slugs of the prompts, as `prompts list` names them',
  missing: 'Name a prompt.',
}

const editOptions = {
  'dry-run': { description: 'Show which prompts would be held then; write nothing' },
} as const

/** `prompts hold`. */
export const hold: Command = defineProjectCommand({
  argument: slugs,
  details: [
    'Records in the lock that no pull changes these prompts, whatever the service serves. `list`, `diff` and `check` show the updates that they do not get, and do not count them as drift. Needs neither a network nor a key.',
  ],
  options: {
    reason: { placeholder: 'text', description: 'Why, for the reviewers of the lock' },
    ...editOptions,
  },
  examples: [
    ['prompts hold support-triage --reason "Waiting for legal"', 'keep the pinned text'],
    ['prompts release support-triage', 'let the next pull update it'],
  ],
  run: (invocation) =>
    editHeld(invocation, (lock) =>
      holdPrompts(lock, invocation.positionals, invocation.values.reason),
    ),
})

/** `prompts release`. */
export const release: Command = defineProjectCommand({
  argument: slugs,
  details: ['The text stays as it is until the next pull. Needs neither a network nor a key.'],
  options: editOptions,
  examples: [['prompts release support-triage', 'let the next pull update it']],
  run: (invocation) => editHeld(invocation, (lock) => releasePrompts(lock, invocation.positionals)),
})

/** Edits the held marks of a project's lock and prints which prompts are held then. */
async function editHeld(
  invocation: ProjectInvocation<typeof editOptions>,
  edit: (lock: Lock) => Lock,
): Promise<0> {
  const { terminal, project, values, signal } = invocation
  const { path } = project.lock
  const { lock, outcome } = await project.editLock(edit, { dryRun: values['dry-run'], signal })
  const { environment } = lock
  const held = heldPrompts(lock)
  terminal.json({ environment, lock: path, outcome, held } satisfies HoldJson)
  if (held.length === 0) terminal.stdout.line('No prompt is held.')
  else printHeld(held, terminal.stdout)
  printLockResult(outcome, invocation)
  return 0
}
