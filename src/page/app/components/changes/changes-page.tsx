import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ServiceView } from '../../../protocol.ts'
import { SIDES, useChanges, useChangesQuery } from '../../use-changes.ts'
import { usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'
import { SettingChoice } from '../choice.tsx'
import { LayoutChoice, MissingKey } from '../comparison.tsx'
import { ErrorMessage } from '../boxes.tsx'
import { TextInput } from '../text-input.tsx'
import { ChangeList } from './change-list.tsx'
import { HeldPrompts } from './held-prompts.tsx'
import { Waiting } from './waiting.tsx'

/** More changes are read only on a click: plans commonly meter reads. */
const READ_AT_ONCE = 20

/** Every waiting change with its diff and its impact, and the prompts that pulls leave alone. */
export function ChangesPage(): JSX.Element {
  const { environment, service } = usePage().state
  const { linkTo } = useRouter()
  const query = useChangesQuery()
  const { kind } = query
  const atOnce = kind === 'revision' || (kind === 'service' && isFewWaiting(service))
  const reading = useChanges(query, atOnce ? 'recent' : 'known')
  const { answer: changes } = reading
  // The service of a test lock is staging.
  const sides = SIDES.filter(({ value }) => value !== 'staging' || environment === 'live')
  return (
    <article class="page changes-page" aria-labelledby="changes-title">
      <a class="back" href={linkTo({ kind: 'overview' })}>
        ← All prompts
      </a>
      <h1 id="changes-title">Changes</h1>
      <div class="toolbar flow">
        <SettingChoice name="with" label="What the lock is compared with" options={sides} />
        <LayoutChoice />
      </div>
      {kind === 'revision' && <RevisionField revision={query.revision} />}
      {kind === 'staging' && <MissingKey compared="with staging" />}
      {changes === undefined || changes.kind === 'unknown' ? (
        <Waiting {...reading} />
      ) : changes.kind === 'error' ? (
        <ErrorMessage error={changes.error} />
      ) : (
        <ChangeList changes={changes} impact={reading.impact} />
      )}
      {kind === 'service' && <HeldPrompts />}
    </article>
  )
}

/** A field for a branch, tag or commit, which applies on Enter. */
function RevisionField({ revision }: { readonly revision: string }): JSX.Element {
  const { set } = useRouter()
  const [text, setText] = useState(revision)
  const submit = (event: Event): void => {
    event.preventDefault()
    set('base', text.trim())
  }
  return (
    <form class="revision flow" onSubmit={submit}>
      <label class="flow">
        Branch, tag or commit
        <TextInput value={text} onText={setText} />
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
