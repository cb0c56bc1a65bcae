import type { JSX } from 'preact'
import { parseTemplate } from '../../../core/template.ts'
import type { PromptMessage } from '../../../runtime/index.ts'
import type { PromptView } from '../../protocol.ts'
import { type Filled, fillIn } from '../live-prompt.ts'
import { UnmarkedPieces } from './pieces.tsx'
import type { Values } from './use-values.ts'

/** The messages of a rendered prompt, with the inserted values highlighted. */
export function RenderedMessages({
  prompt,
  values,
  messages,
}: {
  readonly prompt: PromptView
  readonly values: Values
  readonly messages: readonly PromptMessage[]
}): JSX.Element {
  if (messages.length === 0) return <p class="dim none">No messages: both texts are empty.</p>
  return (
    <>
      {messages.map(({ role }) => (
        <section key={role} class="panel message" aria-label={`${role} message`}>
          <header>
            <h2>{role}</h2>
          </header>
          <pre
            class="content"
            role="group"
            tabIndex={0}
            aria-label={`${role} message`}
            data-role={role}
          >
            {fillIn(parseTemplate(prompt[role]), values).map(filledOf)}
          </pre>
        </section>
      ))}
    </>
  )
}

function filledOf({ kind, text }: Filled, key: number): JSX.Element {
  const shown = <UnmarkedPieces text={text} />
  if (kind === 'text') return shown
  return (
    <mark key={key} class={kind === 'value' ? 'value' : 'missing-value'}>
      {shown}
    </mark>
  )
}
