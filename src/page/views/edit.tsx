/**
 * One form to try a wording with values, and to pin it. A preview is the same form with the messages below;
 * nothing is written before the last step.
 */
import type { JSX } from 'preact'
import type { ComparedRow } from '../../core/change-row.ts'
import { describePart, type EditableTexts, type PinnedPrompt } from '../../core/prompt.ts'
import { parseTemplate, textVariables, type Token } from '../../core/template.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { promptPath } from '../addresses.ts'
import type { ListedPrompt, Typed } from '../shown.ts'
import { KeptBack } from './changes.tsx'
import { editPath, Field, Form, REASON } from './forms.tsx'
import {
  CopyButton,
  Difference,
  Panel,
  Pieces,
  Remote,
  sizeOf,
  TEXT_NAMES,
  useView,
  versionOf,
} from './parts.tsx'

export function EditView({ prompt }: { prompt: ListedPrompt }): JSX.Element {
  const { query, typed, canWrite, moved } = useView()
  const { slug, staging } = prompt
  const pinned = [prompt, ...(staging ? [staging] : [])]
  const chosen = query.get('part') ?? prompt.environment
  const part = pinned.find((other) => other.environment === chosen) ?? newPart(prompt, chosen)
  const parts = [...new Set([...pinned, part])]
  const [system, user] = [typed?.get('system') ?? part.system, typed?.get('user') ?? part.user]
  const reason = typed?.get('reason') ?? part.held?.reason
  const names = textVariables([system, user])
  return (
    <Form of={[part]} lock={typed?.get('lock')} class="stack" id="edit" data-typed={typed && true}>
      {moved && <Moved moved={moved} />}
      {parts.length > 1 && (
        <nav class="choice" aria-label="Which version">
          {parts.map((other) => (
            <a href={editPath(other)} aria-current={other === part}>
              {other.environment === 'test' ? 'Staging' : 'Live'}{' '}
              {pinned.includes(other) ? <Remote text={other.version} /> : '(not pinned)'}
            </a>
          ))}
        </nav>
      )}
      <div class="try">
        <section class="stack" aria-label="Values">
          <h2>Values</h2>
          {names.map((name) => (
            <Field name={VALUE + name} label={name} text={typed?.get(VALUE + name)} />
          ))}
          {names.length === 0 && <p class="dim small">This wording has no variables.</p>}
        </section>
        <section class="stack" aria-label="Wording">
          <Field name="system" label="System text" text={system} />
          <Field name="user" label="User text" text={user} />
          {canWrite && <Field name="reason" label={REASON} text={reason} />}
          <div class="flow">
            <button class="button primary" name="act" value="preview" children="Preview" />
            {canWrite && <button class="button" name="act" value="edit" children="Pin and hold" />}
            <a class="button" href={promptPath(slug)} children="Cancel" />
          </div>
          <KeptBack part={part}>
            <button class="button" name="act" value="anyway" children="Pin anyway" />
          </KeptBack>
          {typed && <Messages system={system} user={user} typed={typed} />}
        </section>
      </div>
    </Form>
  )
}

/** A part that the lock does not have, or has no longer, with the text of the other one. */
function newPart(prompt: PinnedPrompt, chosen: string): PinnedPrompt {
  return { ...prompt, environment: chosen === 'test' ? 'test' : 'live', held: undefined }
}

/** What has changed in the lock since the form was drawn, and the way on. */
function Moved({ moved }: { moved: readonly ComparedRow[] | 'unknown' }): JSX.Element {
  const { base } = useView()
  const rows = moved === 'unknown' ? [] : moved
  const known = rows.length > 0 ? 'This prompt has' : 'Other prompts of the lock have'
  const what = moved === 'unknown' ? 'This prompt may have' : known
  return (
    <section class="strip stack" role="alert" aria-label="Changed since you began">
      <strong>{what} changed since you began, so nothing was written</strong>
      {rows.map((row) => (
        <>
          <p class="small" children={<Remote text={`${describePart(row)} ${versionOf(row)}`} />} />
          <Difference {...row} />
        </>
      ))}
      <input type="hidden" name="now" value={base} />
      <div class="flow">
        <button class="button" name="act" value="rebase" children="Continue with my text" />
      </div>
    </section>
  )
}

/** The prefix of the fields with the values of variables. */
const VALUE = 'value '

/** The messages as they are sent; variables without a value stay tokens. */
function Messages({ typed, ...texts }: EditableTexts & { typed: Typed }): JSX.Element {
  const roles = (['system', 'user'] as const).filter((role) => texts[role] !== '')
  const messages = roles.map((role) => ({ role, text: fillIn(texts[role], typed) }))
  const names = textVariables([texts.system, texts.user])
  const missing = names.filter((name) => !typed.get(VALUE + name)).length
  const without = `${pluralize(missing, 'variable')} ${missing === 1 ? 'has' : 'have'} no value`
  return (
    <section class="stack" aria-label="Preview" id="preview">
      <p class="flow small dim" role="status">
        <span>{sizeOf(...messages.map(({ text }) => text))}</span>
        {missing > 0 && <span class="missing-values">{without}</span>}
      </p>
      {messages.length === 0 && <p class="dim">No messages: both texts are empty.</p>}
      {messages.map(({ role, text }) => {
        const label = `${role} message`
        const copy = <CopyButton text={text} label={`the ${label}`} />
        return (
          <Panel title={TEXT_NAMES[role]} label={label} class="content" aside={copy}>
            {parseTemplate(texts[role]).map((part) => {
              if (typeof part === 'string') return <Pieces text={part} />
              const kind = typed.get(VALUE + part.name) ? 'value' : 'missing-value'
              return <mark class={kind} children={<Pieces text={valueOf(part, typed)} />} />
            })}
          </Panel>
        )
      })}
    </section>
  )
}

/** A text with its values inserted. */
function fillIn(text: string, typed: Typed): string {
  const parts = parseTemplate(text)
  return parts.map((part) => (typeof part === 'string' ? part : valueOf(part, typed))).join('')
}

/** An empty field is no value: the token is shown. */
function valueOf({ name, raw }: Token, typed: Typed): string {
  return typed.get(VALUE + name) || raw
}
