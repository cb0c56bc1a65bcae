import { heldPrompts } from '../../../core/drift.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import { prepareHold, prepareRelease } from '../../../features/hold/hold.ts'
import { commitAll } from '../../../features/project/commit.ts'
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
    const { terminal, values } = invocation
    const writes = await writeDrafts(invocation, (project, named) =>
      prepareHold(project, named, values.reason),
    )
    for (const { context, slugs: named, answer } of writes) {
      printHeld(
        answer.held.filter(({ slug }) => named.includes(slug)),
        terminal.stdout,
      )
      printLockResult(answer.outcome, context)
    }
    terminal.json(joinAnswers(writes.map(({ answer }): HoldJson => answer)))
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
    const { terminal } = invocation
    const writes = await writeDrafts(invocation, prepareRelease)
    const answers = writes.map(({ context, draft, slugs: named, answer }): ReleaseJson => {
      const { isSelected } = context.project.options
      const isHeld = new Set(heldPrompts(draft.before).map(({ slug }) => slug))
      const released = [...new Set(named)].filter((slug) => isHeld.has(slug))
      for (const slug of new Set(named)) {
        const what = isHeld.has(slug) ? 'is released.' : 'was not held.'
        terminal.stdout.line(`${sanitize(slug)} ${what}`)
      }
      for (const prompt of draft.lock.prompts)
        if (released.includes(prompt.slug) && !isSelected(prompt))
          warnOfExcluded(prompt.slug, context)
      printLockResult(answer.outcome, context)
      return { ...answer, released }
    })
    terminal.json(joinAnswers(answers))
    return 0
  },
})

type EditInvocation = ProjectInvocation<typeof editOptions>

/** What was written to one lock, and the prompts that the call names in it. */
interface Written {
  readonly context: ProjectContext
  readonly draft: Draft
  readonly slugs: readonly string[]
  readonly answer: Omit<HoldJson, 'staging'>
}

/** Makes a draft of each lock that has a named prompt, and writes all of them or none. */
async function writeDrafts(
  invocation: EditInvocation,
  prepare: (project: Project, slugs: readonly string[]) => Promise<Draft>,
): Promise<Written[]> {
  const { values, positionals, signal } = invocation
  const parts = await projectsOfPrompts(invocation, positionals)
  const drafts = await Promise.all(
    parts.map(async (part) => ({ ...part, draft: await prepare(part.project, part.slugs) })),
  )
  const results = values['dry-run'] ? [] : await commitAll(drafts, signal)
  return drafts.map(({ project, draft, slugs: named }, index) => {
    const { environment } = draft.lock
    const outcome = results[index]?.outcome ?? 'dry-run'
    const held = heldPrompts(draft.lock)
    return {
      context: { ...invocation, project },
      draft,
      slugs: named,
      answer: { environment, lock: project.lock.path, outcome, held },
    }
  })
}

/** No build accepts a lock with a prompt that the options exclude and that is not held. */
function warnOfExcluded(slug: string, { terminal: { messages }, project }: ProjectContext): void {
  const command = `npx ${formatCommand(project.lock.workspace, 'pull')}`
  messages.line(
    messages.mark('warning', `The options exclude ${sanitize(slug)}, so builds refuse this lock.`),
    `  ${messages.fix(`Run \`${command}\`, which removes the prompt.`)}`,
  )
}
