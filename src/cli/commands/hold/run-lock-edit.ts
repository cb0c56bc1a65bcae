import { heldPrompts } from '../../../core/drift.ts'
import type { Lock } from '../../../core/prompt.ts'
import { usageError } from '../../../errors/usage-error.ts'
import type { ArgumentSpec, Invocation, OptionTable } from '../../args/command.ts'
import { displayPath, openCommandProject, type ProjectInvocation } from '../../command-project.ts'
import { printHeld } from '../../output/held-view.ts'
import type { HoldJson } from '../../output/json.ts'

/** A call of `prompts hold` or `prompts release`. */
type EditInvocation = Pick<Invocation<OptionTable>, 'positionals'> &
  ProjectInvocation & { readonly values: { readonly 'dry-run': boolean } }

/** The options of both. */
export const editOptions = {
  'dry-run': { type: 'flag', description: 'Show what would be held; write nothing' },
} as const

/** The argument of both. */
export const slugsArgument: ArgumentSpec = {
  placeholder: '<slug…>',
  description: 'Which prompts',
  maxCount: Number.POSITIVE_INFINITY,
}

/**
 * Edits the held marks of a project's lock and prints which prompts are held then.
 *
 * @throws PromptsError USAGE without slugs
 */
export async function runLockEdit(
  invocation: EditInvocation,
  command: string,
  edit: (lock: Lock) => Lock,
): Promise<0> {
  const { terminal, values, positionals, signal } = invocation
  if (positionals.length === 0) throw usageError('Name a prompt.', command)
  const project = await openCommandProject(invocation)
  const dryRun = values['dry-run']
  const { lock, outcome } = await project.editLock(edit, { dryRun, signal })
  const { environment } = lock
  const held = heldPrompts(lock)
  terminal.json({ environment, lock: project.lock.path, outcome, held } satisfies HoldJson)
  if (held.length === 0) terminal.stdout.line('No prompt is held.')
  else printHeld(held, terminal.stdout)
  const path = displayPath(project.lock.path, invocation)
  const message = outcome === 'written' ? `Wrote ${path}.` : `${path} is unchanged.`
  terminal.messages.line('', terminal.messages.mark('ok', message))
  return 0
}
