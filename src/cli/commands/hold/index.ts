import { heldPrompts } from '../../../core/drift.ts'
import { indexBySlug } from '../../../core/text/order.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import { prepareHold, prepareRelease } from '../../../features/hold/hold.ts'
import type { Project } from '../../../features/project/project.ts'
import type { Draft } from '../../../features/pull/draft.ts'
import type { ArgumentSpec, Command } from '../../args/command.ts'
import { printHeld } from '../../output/change-view.ts'
import type { Channel } from '../../output/channel.ts'
import type { ReleaseJson } from '../../output/json.ts'
import { joinAnswers, lockJson, printLockResult, writeDrafts } from '../../output/write-drafts.ts'
import {
  defineProjectCommand,
  type ProjectInvocation,
  projectsOfLocks,
} from '../../project-command.ts'

const argument: ArgumentSpec = {
  placeholder: '<slug…>',
  description: 'Slugs of the prompts, as `prompts list` names them',
  missing: 'Name a prompt.',
}

const editOptions = {
  'dry-run': { description: 'Show which prompts would be held, without writing' },
} as const

/** `prompts hold`. */
export const hold: Command = defineProjectCommand({
  argument,
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
    const writes = await writeEdits(invocation, (project, slugs) =>
      prepareHold(project, slugs, values.reason),
    )
    for (const lock of writes) {
      const held = heldPrompts(lock.draft.lock).filter(({ slug }) => lock.slugs.includes(slug))
      printHeld(held, terminal.stdout)
      printLockResult(lock, invocation)
    }
    terminal.json(joinAnswers(writes.map(lockJson)))
    return 0
  },
})

/** `prompts release`. */
export const release: Command = defineProjectCommand({
  argument,
  details: ['The text stays as it is until the next pull. Needs neither a network nor a key.'],
  options: editOptions,
  examples: [['prompts release support-triage', 'let the next pull update it']],
  async run(invocation) {
    const { stdout, messages, json } = invocation.terminal
    const writes = await writeEdits(invocation, prepareRelease)
    const answers = writes.map((lock): ReleaseJson => {
      const { project, draft, slugs } = lock
      const held = new Set(heldPrompts(draft.before).map(({ slug }) => slug))
      for (const slug of slugs)
        stdout.line(`${sanitize(slug)} ${held.has(slug) ? 'is released.' : 'was not held.'}`)
      const released = slugs.filter((slug) => held.has(slug))
      for (const prompt of draft.lock.prompts)
        if (released.includes(prompt.slug) && !project.options.isSelected(prompt))
          warnOfExcluded(prompt.slug, project, messages)
      printLockResult(lock, invocation)
      return { ...lockJson(lock), released }
    })
    json(joinAnswers(answers))
    return 0
  },
})

/**
 * Makes a draft of each lock that has a named prompt, and writes all of them or none.
 *
 * @returns the drafts with what came of them, and with the named prompts of the lock as `slugs`
 */
async function writeEdits(
  invocation: ProjectInvocation<typeof editOptions>,
  prepare: (project: Project, slugs: readonly string[]) => Promise<Draft>,
) {
  const locks = await Promise.all(
    (await projectsOfLocks(invocation)).map(async (project) => {
      const { prompts } = await project.readLock()
      return { project, pinned: indexBySlug(prompts) }
    }),
  )
  const all = [...new Set(invocation.positionals)]
  const drafts = locks.map(async ({ project, pinned }, index) => {
    // A prompt that no lock has is an error of the first one.
    const isUnknown = (slug: string): boolean => locks.every((lock) => !lock.pinned.has(slug))
    const slugs = all.filter((slug) => pinned.has(slug) || (index === 0 && isUnknown(slug)))
    return slugs.length === 0 ? [] : [{ project, slugs, draft: await prepare(project, slugs) }]
  })
  return writeDrafts((await Promise.all(drafts)).flat(), invocation)
}

/** No build accepts a lock with a prompt that the options exclude and that is not held. */
function warnOfExcluded(slug: string, { lock }: Project, messages: Channel): void {
  const what = `The options exclude ${sanitize(slug)}, so builds refuse this lock.`
  const command = `npx ${formatCommand(lock.workspace, 'pull')}`
  const fix = messages.fix(`Run \`${command}\`, which removes the prompt.`)
  messages.line(messages.mark('warning', what), `  ${fix}`)
}
