import type { JSX } from 'preact'
import { describeEffects, describeVersion } from '../../../core/describe-change.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import { isEdited, partKey } from '../../../core/prompt.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { makeVisible } from '../../../core/text/sanitize.ts'
import { commandOfPart } from '../commands.ts'
import { comparedWith, project, SERVICE } from '../store.ts'
import { Command } from './command.tsx'
import { PromptLink, RemoteText } from './pieces.tsx'

/** The parts that no pull changes, edited ones too, with the reason and the update of each. */
export function HeldPrompts(): JSX.Element {
  const { changes } = comparedWith(SERVICE)
  const service = changes?.kind === 'compared' ? changes.service : null
  const list = service?.held ?? project().held
  if (list.length === 0) {
    return (
      <>
        <h1>No prompt is held</h1>
        <p class="dim">Pulls leave a held prompt as it is pinned:</p>
        <Command command="hold <slug> --reason <text>" />
      </>
    )
  }
  return (
    <>
      <h1>{pluralize(list.length, 'prompt')} held</h1>
      <p class="dim">Pulls leave held prompts alone.</p>
      <ul class="change-list">
        {list.map(({ slug, environment, version, reason, update }) => (
          <li key={partKey({ slug, environment })} class="change held flow">
            <PromptLink slug={slug} />
            {environment === 'test' && <span class="badge environment test">staging</span>}
            {isEdited({ version }) && <span class="badge edited">edited</span>}
            <span class="dim">
              <RemoteText text={version} />
            </span>
            <span class="grow">
              {reason === '' ? 'No reason given.' : <RemoteText text={reason} />}
            </span>
            <span class="dim small">{updateText(update)}</span>
            <Command command={commandOfPart('release', environment)} values={[slug]} />
          </li>
        ))}
      </ul>
    </>
  )
}

function updateText(update: HeldPrompt['update']): string {
  if (update === undefined) return 'The service was not checked.'
  if (update === null) return 'No update waits.'
  if (update.kind === 'removed') return 'The service no longer has it.'
  const version = describeVersion(update, makeVisible)
  return `Waits: ${version}, ${describeEffects(update, makeVisible)}.`
}
