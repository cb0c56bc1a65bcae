import { heldPrompts } from '../../../core/drift.ts'
import { prepareHold, prepareRelease } from '../../../features/hold/hold.ts'
import type { Draft } from '../../../features/pull/draft.ts'
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
  run: async (invocation) =>
    editHeld(
      invocation,
      await prepareHold(invocation.project, invocation.positionals, invocation.values.reason),
    ),
})

/** `prompts release`. */
export const release: Command = defineProjectCommand({
  argument: slugs,
  details: ['The text stays as it is until the next pull. Needs neither a network nor a key.'],
  options: editOptions,
  examples: [['prompts release support-triage', 'let the next pull update it']],
  run: async (invocation) =>
    editHeld(invocation, await prepareRelease(invocation.project, invocation.positionals)),
})

/** Writes a draft and prints which prompts are held then. */
async function editHeld(
  invocation: ProjectInvocation<typeof editOptions>,
  draft: Draft,
): Promise<0> {
  const { terminal, project, values, signal } = invocation
  const outcome = values['dry-run'] ? 'dry-run' : (await project.commit(draft, { signal })).outcome
  const { environment } = draft.lock
  const held = heldPrompts(draft.lock)
  terminal.json({ environment, lock: project.lock.path, outcome, held } satisfies HoldJson)
  if (held.length === 0) terminal.stdout.line('No prompt is held.')
  else printHeld(held, terminal.stdout)
  printLockResult(outcome, invocation)
  return 0
}
