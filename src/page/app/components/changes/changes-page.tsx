import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ChangesQuery } from '../../../comparison-protocol.ts'
import type { ServiceView } from '../../../protocol.ts'
import { useChanges, useRevision } from '../../use-changes.ts'
import { usePage } from '../../use-page.ts'
import { useRouter, useSetting } from '../../use-route.ts'
import { SettingChoice } from '../choice.tsx'
import { INLINE_FIRST } from '../comparison.tsx'
import { ErrorMessage } from '../error-message.tsx'
import { ChangeList } from './change-list.tsx'
import { HeldPrompts } from './held-prompts.tsx'
import { Waiting } from './waiting.tsx'

/** More changes are read only on a click: plans commonly meter reads. */
const READ_AT_ONCE = 20

/** Compares with the last commit. */
const DEFAULT_BASE = 'HEAD'

/** Every waiting change with its diff and its impact, and the prompts that pulls leave alone. */
export function ChangesPage(): JSX.Element {
  const { state } = usePage()
  const [side] = useSetting('with', SIDES)
  const [layout] = useSetting('layout', INLINE_FIRST)
  const { route, linkTo } = useRouter()
  const base = route.settings.get('base') ?? DEFAULT_BASE
  const query: ChangesQuery = side === 'revision' ? { kind: side, revision: base } : { kind: side }
  const atOnce = side === 'revision' || (side === 'service' && isFewWaiting(state.service))
  const mode = atOnce ? 'recent' : 'known'
  const reading = useChanges(query, { mode, revision: useRevision(state) })
  const { changes } = reading
  return (
    <article class="page changes-page" aria-labelledby="changes-title">
      <a class="back" href={linkTo({ kind: 'overview' })}>
        ← All prompts
      </a>
      <h1 id="changes-title">Changes</h1>
      <Toolbar base={base} />
      {changes === undefined || changes.kind === 'unknown' ? (
        <Waiting query={query} reading={reading} />
      ) : changes.kind === 'error' ? (
        <ErrorMessage error={changes.error} />
      ) : (
        <ChangeList changes={changes} query={query} reading={reading} layout={layout} />
      )}
      {side === 'service' && <HeldPrompts />}
    </article>
  )
}

const SIDES = [
  { value: 'service', label: 'Service' },
  { value: 'staging', label: 'Staging' },
  { value: 'revision', label: 'Git revision' },
] as const

/** What the lock is compared with, and how. */
function Toolbar({ base }: { readonly base: string }): JSX.Element {
  const { environment, missingKey } = usePage().state
  const [side] = useSetting('with', SIDES)
  const { set } = useRouter()
  // The service of a test lock is staging.
  const sides = SIDES.filter(({ value }) => value !== 'staging' || environment === 'live')
  return (
    <>
      <div class="toolbar flow">
        <SettingChoice name="with" label="What the lock is compared with" options={sides} />
        <SettingChoice name="layout" label="How changes are shown" options={INLINE_FIRST} />
      </div>
      {side === 'revision' && <RevisionField value={base} onChange={(text) => set('base', text)} />}
      {side === 'staging' && missingKey !== null && (
        <p class="dim small">
          To compare with staging, set <code>{missingKey}</code> to the key of the other
          environment.
        </p>
      )}
    </>
  )
}

/** A field for a branch, tag or commit, which applies on Enter. */
function RevisionField({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}): JSX.Element {
  const [text, setText] = useState(value)
  const submit = (event: Event): void => {
    event.preventDefault()
    onChange(text.trim())
  }
  return (
    <form class="revision flow" onSubmit={submit}>
      <label class="flow">
        Branch, tag or commit
        <input
          type="text"
          class="input"
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Compare
      </button>
    </form>
  )
}

function isFewWaiting(service: ServiceView): boolean {
  if (service.kind !== 'reached') return false
  const waiting = service.drift.length + service.drafts.length
  return waiting > 0 && waiting <= READ_AT_ONCE
}
