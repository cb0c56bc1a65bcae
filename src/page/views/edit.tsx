import type { JSX } from 'preact'
import { parseTemplate, textVariables, type Token } from '../../core/template.ts'
import { countCharacters, pluralize } from '../../core/text/pluralize.ts'
import { promptPath } from '../addresses.ts'
import type { ListedPrompt, Typed } from '../shown.ts'
import { editPath, Field, Form, nameOf, REASON } from './forms.tsx'
import { CopyButton, Panel, Pieces, Remote, sizeOf } from './pieces.tsx'
import { TEXT_NAMES } from './texts.tsx'
import { useView } from './view.ts'

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
    <Form rows={[nameOf(part)]} class="stack" id="edit">
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
            <a class="button" href={promptPath(slug)}>
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
  const { values } = typed
  const roles = (['system', 'user'] as const).filter((role) => typed[role] !== '')
  const messages = roles.map((role) => ({ role, text: fillIn(typed[role], values) }))
  const names = textVariables([typed.system, typed.user])
  const missing = names.filter((name) => !values.has(name)).length
  const size = messages.reduce((sum, { text }) => sum + countCharacters(text), 0)
  const without = `${pluralize(missing, 'variable')} ${missing === 1 ? 'has' : 'have'} no value`
  return (
    <section class="stack" aria-label="Preview" id="preview">
      <p class="flow small dim" role="status">
        <span>{sizeOf(size)}</span>
        {missing > 0 && <span class="missing-values">{without}</span>}
      </p>
      {messages.length === 0 && <p class="dim">No messages: both texts are empty.</p>}
      {messages.map(({ role, text }) => (
        <Panel
          title={TEXT_NAMES[role]}
          aside={<CopyButton text={text} label={`the ${role} message`} />}
        >
          <pre class="content" role="group" tabIndex={0} aria-label={`${role} message`}>
            {parseTemplate(typed[role]).map((part) => {
              if (typeof part === 'string') return <Pieces text={part} />
              const kind = values.has(part.name) ? 'value' : 'missing-value'
              return <mark class={kind} children={<Pieces text={valueOf(part, values)} />} />
            })}
          </pre>
        </Panel>
      ))}
    </section>
  )
}

/** A text with its values inserted. */
function fillIn(text: string, values: Typed['values']): string {
  const parts = parseTemplate(text)
  return parts.map((part) => (typeof part === 'string' ? part : valueOf(part, values))).join('')
}

function valueOf({ name, raw }: Token, values: Typed['values']): string {
  return values.get(name) ?? raw
}
