import type { JSX } from 'preact'
import { parseTemplate, textVariables } from '../../core/template.ts'
import { countCharacters } from '../../core/text/characters.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { pathOf } from '../addresses.ts'
import type { ListedPrompt, Typed } from '../shown.ts'
import { editPath, Field, Form, REASON } from './forms.tsx'
import { CopyButton, Panel, Pieces, Remote, sizeOf } from './pieces.tsx'
import { TEXT_NAMES } from './texts.tsx'
import { useView } from './view.ts'

const ROLES = ['system', 'user'] as const

/**
 * One form to try a wording with values, and to pin it. A preview is the same form with the messages below;
 * nothing is written before the last step.
 */
export function EditView({ prompt }: { prompt: ListedPrompt }): JSX.Element {
  const { query, typed, canWrite } = useView()
  const { slug, staging } = prompt
  const part = (query.get('part') === 'test' && staging) || prompt
  const { system, user, reason } = typed ?? { ...part, reason: part.held?.reason ?? '' }
  const names = textVariables([system, user])
  return (
    <Form part={part} class="stack" id="edit">
      {staging && (
        <nav class="choice" aria-label="Which version">
          {[prompt, staging].map((other) => (
            <a href={editPath(other)} aria-current={other === part}>
              {other === staging ? 'Staging' : 'Live'} <Remote text={other.version} />
            </a>
          ))}
        </nav>
      )}
      <div class="try">
        <section class="stack" aria-label="Values">
          <h2>Values</h2>
          {names.map((name) => (
            <Field name={`value ${name}`} label={name} text={typed?.values.get(name) ?? ''} />
          ))}
          {names.length === 0 && <p class="dim small">This wording has no variables.</p>}
        </section>
        <section class="stack" aria-label="Wording">
          <Field name="system" label="System text" text={system} />
          <Field name="user" label="User text" text={user} />
          {canWrite && <Field name="reason" label={REASON} text={reason ?? ''} />}
          <div class="flow">
            <button class="button primary" name="act" value="preview" children="Preview" />
            {canWrite && <button class="button" name="act" value="edit" children="Pin and hold" />}
            <a class="button" href={pathOf({ kind: 'prompt', slug, view: 'text' })}>
              Cancel
            </a>
          </div>
          {typed && <Messages typed={typed} />}
        </section>
      </div>
    </Form>
  )
}

/** The messages as they are sent; variables without a value stay tokens. */
function Messages({ typed }: { typed: Typed }): JSX.Element {
  const messages = ROLES.filter((role) => typed[role] !== '').map((role) => {
    const pieces = fillIn(typed[role], typed.values)
    return { role, pieces, text: pieces.map(({ text }) => text).join('') }
  })
  const names = textVariables([typed.system, typed.user])
  const missing = names.filter((name) => !typed.values.has(name)).length
  const size = messages.reduce((sum, { text }) => sum + countCharacters(text), 0)
  const without = `${pluralize(missing, 'variable')} ${missing === 1 ? 'has' : 'have'} no value`
  return (
    <section class="stack" aria-label="Preview" id="preview">
      <p class="measure flow small dim" role="status">
        <span>{sizeOf(size)}</span>
        {missing > 0 && <span class="missing-values">{without}</span>}
      </p>
      {messages.length === 0 && <p class="dim">No messages: both texts are empty.</p>}
      {messages.map(({ role, pieces, text }) => (
        <Panel
          title={TEXT_NAMES[role]}
          aside={<CopyButton text={text} label={`the ${role} message`} />}
        >
          <pre class="content" role="group" tabIndex={0} aria-label={`${role} message`}>
            {pieces.map((piece) => (
              <mark class={piece.kind} children={<Pieces text={piece.text} />} />
            ))}
          </pre>
        </Panel>
      ))}
    </section>
  )
}

/** A piece of a rendered text and where it came from. */
interface Filled {
  readonly kind: 'text' | 'value' | 'missing-value'
  readonly text: string
}

/** A text with its values inserted, split at the values. Variables without a value stay tokens. */
export function fillIn(text: string, values: ReadonlyMap<string, string>): Filled[] {
  return parseTemplate(text).map((part): Filled => {
    if (typeof part === 'string') return { kind: 'text', text: part }
    const value = values.get(part.name)
    return value === undefined
      ? { kind: 'missing-value', text: part.raw }
      : { kind: 'value', text: value }
  })
}
