import { heldPrompts } from '../../../core/drift.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import { prepareHold, prepareRelease } from '../../../features/hold/hold.ts'
import type { Project } from '../../../features/project/project.ts'
import type { Draft } from '../../../features/pull/draft.ts'
import type { ArgumentSpec, Command } from '../../args/command.ts'
import {
  defineProjectCommand,
  type ProjectContext,
  type ProjectInvocation,
  projectsOfPrompts,
} from '../../project-command.ts'
import { printHeld } from '../../output/change-view.ts'
import type { HoldJson, ReleaseJson } from '../../output/json.ts'
import { joinAnswers } from '../../output/write-reviewed.ts'
import { printLockResult } from '../../output/write-output.ts'

const slugs: ArgumentSpec = {
  placeholder: '<slug…>',
  description: 'Slugs of the prompts, as `prompts list` names them',
  missing: 'Name a prompt.',
}

const editOptions = {
  'dry-run': { description: 'Show which prompts would be held, without writing' },
} as const

/** `prompts hold`. */
export const hold: Command = defineProjectCommand({
  argument: slugs,
  details: [
    'Records in the lock that no pull may change these prompts. `list`, `diff` and `check` show the updates that wait for them, and do not count them as drift. Needs neither a network nor a key.',
  ],
  options: {
    reason: { placeholder: 'text', description: 'Why, for the reviewers of the lock' },
    ...editOptions,
  },
  examples: [
    ['prompts hold support-triage --reason "Waiting for legal"', 'keep the pinned text'],
    ['prompts release support-triage', 'let the next pull update it'],
  ],
  async run(invocation) {
    const { terminal, values, positionals } = invocation
    const answers: HoldJson[] = []
    for (const { project, slugs: held } of await projectsOfPrompts(invocation, positionals)) {
      const own = { ...invocation, project }
      const draft = await prepareHold(project, held, values.reason)
      const outcome = await write(own, draft)
      answers.push({ ...answerOf(project, draft), outcome })
      printHeld(
        heldPrompts(draft.lock).filter(({ slug }) => held.includes(slug)),
        terminal.stdout,
      )
      printLockResult(outcome, own)
    }
    terminal.json(joinAnswers(answers))
    return 0
  },
})

/** `prompts release`. */
export const release: Command = defineProjectCommand({
  argument: slugs,
  details: ['The text stays as it is until the next pull. Needs neither a network nor a key.'],
  options: editOptions,
  examples: [['prompts release support-triage', 'let the next pull update it']],
  async run(invocation) {
    const { terminal, positionals } = invocation
    const answers: ReleaseJson[] = []
    for (const { project, slugs: named } of await projectsOfPrompts(invocation, positionals)) {
      const own = { ...invocation, project }
      const draft = await prepareRelease(project, named)
      const outcome = await write(own, draft)
      const isHeld = new Set(heldPrompts(draft.before).map(({ slug }) => slug))
      const released = [...new Set(named)].filter((slug) => isHeld.has(slug))
      answers.push({ ...answerOf(project, draft), outcome, released })
      for (const slug of new Set(named)) {
        const what = isHeld.has(slug) ? 'is released.' : 'was not held.'
        terminal.stdout.line(`${sanitize(slug)} ${what}`)
      }
      const excluded = draft.lock.prompts.filter(
        (prompt) => released.includes(prompt.slug) && !project.options.isSelected(prompt),
      )
      for (const { slug } of excluded) warnOfExcluded(slug, own)
      printLockResult(outcome, own)
    }
    terminal.json(joinAnswers(answers))
    return 0
  },
})

/** No build accepts a lock with a prompt that the options exclude and that is not held. */
function warnOfExcluded(slug: string, { terminal: { messages }, project }: ProjectContext): void {
  const command = `npx ${formatCommand(project.lock.workspace, 'pull')}`
  messages.line(
    messages.mark('warning', `The options exclude ${sanitize(slug)}, so builds refuse this lock.`),
    `  ${messages.fix(`Run \`${command}\`, which removes the prompt.`)}`,
  )
}

function answerOf(
  { lock: { path } }: Project,
  { lock }: Draft,
): Pick<HoldJson, 'environment' | 'lock' | 'held'> {
  return { environment: lock.environment, lock: path, held: heldPrompts(lock) }
}

async function write(
  { project, values, signal }: ProjectInvocation<typeof editOptions>,
  draft: Draft,
): Promise<HoldJson['outcome']> {
  return values['dry-run'] ? 'dry-run' : (await project.commit(draft, { signal })).outcome
}
