import { heldPrompts } from '../../../core/drift.ts'
import {
  describePart,
  type Environment,
  indexParts,
  type Lock,
  type PartId,
  partKey,
} from '../../../core/prompt.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../core/suggested-command.ts'
import { holdParts, releaseParts } from '../../../features/hold/hold.ts'
import type { Project } from '../../../features/project/project.ts'
import { partOption } from '../../project/options.ts'
import { defineProjectCommand, type ProjectInvocation } from '../../project/project-command.ts'
import { lockJson, printLockResult, writeDraft } from '../../project/write.ts'
import type { Channel } from '../../shell/terminal.ts'
import type { ArgumentSpec, Command } from '../../shell/command.ts'
import { printHeld } from '../../view/change-view.ts'
import type { HoldJson } from '../../view/json.ts'

const argument: ArgumentSpec = {
  placeholder: '<slug…>',
  description: 'Slugs of the prompts, as `prompts list` names them',
  missing: 'Name a prompt.',
}

const editOptions = {
  ...partOption,
  'dry-run': { description: 'Show which prompts would be held, without writing' },
} as const

/** `prompts release --json`. */
export interface ReleaseJson extends HoldJson {
  /** Those of the named prompts that were held. */
  readonly released: readonly string[]
}

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
    const edit = await writeEdit(invocation, (lock, slugs, environment) =>
      holdParts(lock, slugs, environment, values.reason),
    )
    const named = new Set(edit.parts.map(partKey))
    const held = heldPrompts(edit.draft.lock).filter((part) => named.has(partKey(part)))
    printHeld(held, terminal.stdout)
    printLockResult(edit.outcome, invocation)
    terminal.json(edit.json)
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
    const { project, terminal } = invocation
    const { stdout, messages } = terminal
    const { draft, parts, outcome, json } = await writeEdit(invocation, releaseParts)
    const held = new Set(heldPrompts(draft.before).map(partKey))
    const released = parts.filter((part) => held.has(partKey(part)))
    for (const part of parts) {
      const result = released.includes(part) ? 'is released.' : 'was not held.'
      stdout.line(`${describePart(part, sanitize)} ${result}`)
    }
    for (const part of released)
      if (!project.options.isSelected(part)) warnOfExcluded(part, project, messages)
    printLockResult(outcome, invocation)
    const slugs = released.map(({ slug }) => slug)
    terminal.json({ ...json, released: slugs } satisfies ReleaseJson)
    return 0
  },
})

/** Edits the named parts of the lock, and writes it. */
async function writeEdit(
  invocation: ProjectInvocation<typeof editOptions>,
  edit: (lock: Lock, slugs: readonly string[], environment: Environment) => Lock,
) {
  const { project, positionals, values } = invocation
  const { environment = 'live' } = values
  const slugs = [...new Set(positionals)]
  const shown = await project.show()
  const draft = project.draftEdit(shown, edit(shown.lock, slugs, environment))
  const { outcome } = await writeDraft(invocation, draft)
  const json = lockJson(invocation, draft.lock, { environment }, outcome)
  const pinned = indexParts(draft.lock.parts)
  const parts = slugs.flatMap((slug) => pinned.get(partKey({ slug, environment })) ?? [])
  return { draft, parts, outcome, json }
}

/** No build accepts a lock with a prompt that the options exclude and that is not held. */
function warnOfExcluded(part: PartId, { lock }: Project, messages: Channel): void {
  const what = `The options exclude ${describePart(part, sanitize)}, so builds refuse this lock.`
  const command = `npx ${formatCommand(lock.workspace, 'pull')}`
  const fix = messages.fix(`Run \`${command}\`, which removes the prompt.`)
  messages.line(messages.mark('warning', what), `  ${fix}`)
}
