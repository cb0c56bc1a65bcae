import {
  describePart,
  type Environment,
  indexParts,
  type Lock,
  partKey,
} from '../../../core/prompt.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { holdParts, releaseParts } from '../../../features/hold/hold.ts'
import { defineProjectCommand, type ProjectInvocation } from '../../project/project-command.ts'
import { editOptions, heldParts, reasonOption, writeEdited } from '../../project/write.ts'
import type { ArgumentSpec, Command } from '../../shell/command.ts'
import { printHeld } from '../../view/change-view.ts'
import type { HoldJson } from '../../view/json.ts'

const argument: ArgumentSpec = {
  placeholder: '<slug…>',
  description: 'Slugs of the prompts, as `prompts list` names them',
  missing: 'Name a prompt.',
}

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
  options: { ...reasonOption, ...editOptions },
  examples: [
    ['prompts hold support-triage --reason "Waiting for legal"', 'keep the pinned text'],
    ['prompts release support-triage', 'let the next pull update it'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    const { draft, parts } = await draftEdit(invocation, (lock, slugs, environment) =>
      holdParts(lock, slugs, environment, values.reason),
    )
    printHeld(heldParts(draft.lock, parts), terminal.stdout)
    terminal.json(await writeEdited(invocation, draft))
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
    const { terminal } = invocation
    const { draft, parts } = await draftEdit(invocation, releaseParts)
    const released = heldParts(draft.before, parts)
    const isReleased = new Set(released.map(({ slug }) => slug))
    for (const part of parts) {
      const result = isReleased.has(part.slug) ? 'is released.' : 'was not held.'
      terminal.stdout.line(`${describePart(part, sanitize)} ${result}`)
    }
    const json = await writeEdited(invocation, draft)
    terminal.json({ ...json, released: [...isReleased] } satisfies ReleaseJson)
    return 0
  },
})

/** A draft of the lock with an edit of the named parts, and these parts in it. */
async function draftEdit(
  { project, positionals, values }: ProjectInvocation<typeof editOptions>,
  edit: (lock: Lock, slugs: readonly string[], environment: Environment) => Lock,
) {
  const { environment = 'live' } = values
  const slugs = [...new Set(positionals)]
  const shown = await project.show()
  const draft = project.draftEdit(shown, edit(shown.lock, slugs, environment))
  const pinned = indexParts(draft.lock.parts)
  return { draft, parts: slugs.flatMap((slug) => pinned.get(partKey({ slug, environment })) ?? []) }
}
