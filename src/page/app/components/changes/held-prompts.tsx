import type { JSX } from 'preact'
import type { HeldPrompt } from '../../../../core/drift.ts'
import type { Hold } from '../../../../core/prompt.ts'
import type { ListedPrompt } from '../../../protocol.ts'
import { plural } from '../../numbers.ts'
import { usePage } from '../../use-page.ts'
import { Command } from '../command.tsx'
import { PromptLink, RemoteText } from '../pieces.tsx'

/** The prompts that no pull changes, with the reason and the pending update of each. */
export function HeldPrompts(): JSX.Element | null {
  const { prompts, service } = usePage().state
  const held = prompts.filter(isHeld)
  if (held.length === 0) return null
  const updates = new Map(
    service.kind === 'reached' ? service.held.map((each) => [each.slug, each.update]) : [],
  )
  return (
    <section class="card held" aria-label="Held prompts">
      <h2>
        {`${plural(held.length, 'prompt')} held`}{' '}
        <span class="dim">pulls leave held prompts alone</span>
      </h2>
      <ul class="plain">
        {held.map(({ slug, version, held: { reason } }) => (
          <li key={slug} class="flow">
            <PromptLink slug={slug} />
            <span class="reason">
              {reason === '' ? 'No reason given.' : <RemoteText text={reason} />}
            </span>
            <span class="dim">
              <RemoteText text={version} /> · {updateText(updates.get(slug))}
            </span>
            <Command command="release" values={[slug]} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function isHeld(prompt: ListedPrompt): prompt is ListedPrompt & { readonly held: Hold } {
  return prompt.held !== undefined
}

function updateText(update: HeldPrompt['update']): string {
  if (update === undefined) return 'The service was not checked.'
  if (update === null) return 'No update waits.'
  if (update.kind === 'removed') return 'The service no longer has it.'
  return `The service has a different ${update.fields.join(' and ')}.`
}
