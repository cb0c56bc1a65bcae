import type { JSX } from 'preact'
import { pluralize } from '../../../../core/text/pluralize.ts'
import type { HeldPrompt } from '../../../../core/drift.ts'
import { usePage } from '../../use-page.ts'
import { Card } from '../boxes.tsx'
import { Command } from '../command.tsx'
import { PromptLink, RemoteText } from '../pieces.tsx'

/** The prompts that no pull changes, with the reason and the pending update of each. */
export function HeldPrompts(): JSX.Element | null {
  const { prompts, service } = usePage().state
  const held = prompts.flatMap((prompt) => (prompt.held ? [{ ...prompt, ...prompt.held }] : []))
  if (held.length === 0) return null
  const known = service.kind === 'reached' ? service.held : []
  return (
    <Card
      title={`${pluralize(held.length, 'prompt')} held`}
      note="pulls leave held prompts alone"
      label="Held prompts"
      look="held"
    >
      <ul class="plain">
        {held.map(({ slug, version, reason }) => (
          <li key={slug} class="flow">
            <PromptLink slug={slug} />
            <span class="reason">
              {reason === '' ? 'No reason given.' : <RemoteText text={reason} />}
            </span>
            <span class="dim">
              <RemoteText text={version} /> ·{' '}
              {updateText(known.find((each) => each.slug === slug)?.update)}
            </span>
            <Command command="release" values={[slug]} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function updateText(update: HeldPrompt['update']): string {
  if (update === undefined) return 'The service was not checked.'
  if (update === null) return 'No update waits.'
  if (update.kind === 'removed') return 'The service no longer has it.'
  return `The service has a different ${update.fields.join(' and ')}.`
}
