import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { describePart, type PartId, partKey, type PinnedPrompt } from '../../../core/prompt.ts'
import type { Act, FixView, PageQuery } from '../../protocol.ts'
import type { Change } from '../changes.ts'
import { ask, decide, lost, page, project } from '../store.ts'
import { ErrorMessage } from './boxes.tsx'
import { Reason, RemoteText } from './pieces.tsx'

interface ActButtonProps {
  readonly act: Act
  readonly query?: PageQuery
  readonly kind?: 'primary' | ''
  readonly children: string
}

/** A button that writes. */
export function ActButton({ act, query, kind = '', children }: ActButtonProps): JSX.Element | null {
  if (!project().canWrite) return null
  const label = query?.['part']?.replace(/^live /, '')
  return (
    <button
      type="button"
      class={`button ${kind}`}
      aria-label={label && `${children} ${label}`}
      disabled={page().isWriting}
      onClick={() => void decide(act, query)}
    >
      {children}
    </button>
  )
}

/** The decisions that a person writes or reads something for. */
const FORMS = {
  fix: { label: 'Fix', does: 'Edit the code and take it', fields: [] },
  hold: { label: 'Hold', does: 'Hold it', fields: ['reason'] },
  edit: { label: 'Edit', does: 'Pin and hold these texts', fields: ['system', 'user', 'reason'] },
} as const

type Form = keyof typeof FORMS

/** The buttons that a pinned part or its change needs, none of which breaks the app, and a form. */
export function Decisions({ of }: { readonly of: PartId | Change }): JSX.Element | null {
  const [form, setForm] = useState<Form>()
  const change = 'change' in of ? of : undefined
  if (!project().canWrite) return null
  const part = partKey(of)
  const pinned = pinnedPart(of)
  const isRename = change?.effects.some(({ kind }) => /^(variable|prompt)-re/.test(kind))
  const canFix = isRename && change?.class === 'breaking' && of.environment === 'live'
  const forms = (Object.keys(FORMS) as Form[]).filter((name) => (name === 'fix' ? canFix : pinned))
  return (
    <>
      <span class="actions cluster">
        {change?.change && change.places.length === 0 && (
          <ActButton act="take" query={{ part }} kind="primary">
            Take
          </ActButton>
        )}
        {forms.map((name) => (
          <button
            key={name}
            type="button"
            class={`button ${name === 'fix' ? 'primary' : ''}`}
            aria-label={`${FORMS[name].label} ${describePart(of)}`}
            aria-expanded={name === form}
            onClick={() => setForm(name === form ? undefined : name)}
          >
            {FORMS[name].label}
          </button>
        ))}
      </span>
      {form && pinned && (
        <DecisionForm
          key={form}
          act={form}
          part={part}
          pinned={pinned}
          onDone={() => setForm(undefined)}
        />
      )}
    </>
  )
}

/** The part that the lock has. */
function pinnedPart({ slug, environment }: PartId): PinnedPrompt | undefined {
  const entry = project().prompts.find((prompt) => prompt.slug === slug)
  return [entry, entry?.staging].find((part) => part?.environment === environment) ?? undefined
}

interface DecisionFormProps {
  readonly act: Form
  readonly part: string
  readonly pinned: PinnedPrompt
  readonly onDone: () => void
}

/** What a person reads or writes for a decision. */
function DecisionForm({ act, part, pinned, onDone }: DecisionFormProps): JSX.Element {
  const { system, user, held } = pinned
  const box = useRef<HTMLFormElement>(null)
  const [fix, setFix] = useState<FixView>()
  const [texts, setTexts] = useState({ system, user, reason: held?.reason ?? '' })
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [fix])
  useEffect(() => {
    if (act === 'fix') void ask('fix', { part }).catch(lost).then(setFix)
  }, [act, part, project().hash])
  const isReady = {
    fix: fix?.kind === 'planned' && fix.reason === null,
    hold: true,
    edit: texts.system !== system || texts.user !== user,
  }[act]
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (await decide(act, { part, ...texts })) onDone()
  }
  return (
    <form ref={box} class="decision stack" onSubmit={(event) => void submit(event)}>
      {act === 'fix' && <Patches fix={fix} />}
      {FORMS[act].fields.map((name) => (
        <label key={name} class="field">
          {name === 'reason' ? 'Why, for the reviewers of the lock' : `${name} text`}
          <textarea
            class="input"
            rows={1}
            value={texts[name]}
            onInput={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit" class="button primary" disabled={!isReady || page().isWriting}>
        {FORMS[act].does}
      </button>
    </form>
  )
}

/** The edits of the app for renames, which a person confirms. */
function Patches({ fix }: { readonly fix: FixView | undefined }): JSX.Element {
  if (fix === undefined) return <p role="status">Checking which calls can be edited…</p>
  if (fix.kind === 'error') return <ErrorMessage error={fix.error} />
  const { renames, patches, reason } = fix
  return (
    <>
      <p>
        <Reason
          text={
            reason === null
              ? `Renamed in the service: ${renames.map((rename) => `\`${rename}\``).join(', ')}`
              : `No safe edit: ${reason}`
          }
        />
      </p>
      {patches.map(({ file, patch }) => (
        <pre key={file} class="patch" role="group" tabIndex={0} aria-label={`Edits of ${file}`}>
          {patch.split('\n').map((line, index) => (
            <div key={index} class={{ '+': 'added', '-': 'removed' }[line.charAt(0)]}>
              <RemoteText text={line} />
            </div>
          ))}
        </pre>
      ))}
    </>
  )
}

/** What came of the last decision, and how to undo it. */
export function Outcome(): JSX.Element | null {
  const { project: state, outcome } = page()
  if (outcome === undefined && !state?.canUndo) return null
  const left = outcome?.kind === 'written' ? outcome.left : []
  return (
    <div class="outcome flow" role="status">
      {outcome?.kind === 'error' && <ErrorMessage error={outcome.error} />}
      {left.map((row) => (
        <p key={partKey(row)}>
          <RemoteText text={describePart(row)} /> stays as it is pinned:{' '}
          <Reason text={row.reason ?? ''} />
        </p>
      ))}
      {state?.canUndo && <span>{`Wrote ${state.lockPath}.`}</span>}
      {state?.canUndo && <ActButton act="undo">Undo</ActButton>}
    </div>
  )
}
