import { heldPrompts } from '../../../core/drift.ts'
import type { Lock } from '../../../core/prompt.ts'
import { usageError } from '../../../errors/usage-error.ts'
import type { RestoreRequest } from '../../../features/restore/restore.ts'
import { type Command, defineCommand, type Invocation } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { displayPath, openCommandProject } from '../../command-project.ts'
import { printNext } from '../../output/approval.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { changeJson, type RestoreJson } from '../../output/json.ts'
import { type RestoreReview, reviewRestore } from './review-restore.ts'

const options = {
  from: {
    type: 'text',
    placeholder: 'revision',
    description: 'Branch, tag or commit whose lock has the prompt',
  },
  reason: {
    type: 'text',
    placeholder: 'text',
    description: 'Why, for the reviewers of the lock (default: restored from <revision>)',
  },
  'dry-run': { type: 'flag', description: 'Show what would change; write nothing' },
  yes: { type: 'flag', short: 'y', description: 'Write the lock; do not ask' },
  ...codeOptions,
  ...projectOptions,
  ...globalOptions,
} as const

type RestoreInvocation = Invocation<typeof options>

/** `prompts restore`. */
export const restore: Command = defineCommand({
  name: 'restore',
  argument: { placeholder: '<slug>', description: 'Which prompt', maxCount: 1 },
  details: [
    'Pins a prompt as it was in the lock of a git revision, and holds it, so no pull replaces it. Needs neither a network nor a key. A prompt that was removed is added again.',
    'Shows the change and what it breaks in the app, and asks. Without a terminal, nothing is written and the exit code is 3, unless you pass --yes.',
  ],
  options,
  examples: [
    ['prompts restore support-triage --from v1.4.0', 'the text of a release'],
    ['prompts restore support-triage --from HEAD~1 --yes', 'without a question'],
    ['prompts release support-triage', 'let the next pull update it again'],
  ],
  async run(invocation) {
    const { terminal, values, signal } = invocation
    const { reason, tsconfig, yes, 'dry-run': dryRun } = values
    const choice = { ...requestOf(invocation), reason, tsconfig, asks: !yes && !dryRun }
    const project = await openCommandProject(invocation)
    let review: RestoreReview | undefined
    const edit = async (before: Lock): Promise<Lock | undefined> => {
      review = await reviewRestore(project, before, { context: invocation, choice })
      return review.approved ? review.lock : undefined
    }
    const { lock, outcome } = await project.editLock(edit, { dryRun, signal })
    const { path } = project.lock
    terminal.json({
      environment: lock.environment,
      lock: path,
      outcome,
      changes: review?.changes.flatMap(changeJson) ?? [],
      impact: review?.findings ?? null,
      next: review?.next ?? null,
      held: heldPrompts(lock),
    } satisfies RestoreJson)
    printResult(displayPath(path, invocation), outcome, terminal)
    printNext(review?.next, terminal.messages)
    return outcome === 'declined' ? 3 : 0
  },
})

/** @throws PromptsError USAGE without a slug or a revision */
function requestOf({ positionals, values: { from } }: RestoreInvocation): RestoreRequest {
  const [slug] = positionals
  if (slug === undefined) throw usageError('Name a prompt.', 'restore')
  if (from === undefined) throw usageError('Name a git revision: --from <revision>.', 'restore')
  return { slug, revision: from }
}

function printResult(
  path: string,
  outcome: RestoreJson['outcome'],
  { messages }: Pick<RestoreInvocation['terminal'], 'messages'>,
): void {
  const sign = outcome === 'declined' ? messages.style('red', '✖') : messages.style('green', '✔')
  messages.line('', `${sign} ${outcome === 'written' ? `Wrote ${path}.` : `${path} is unchanged.`}`)
}
