import type { JSX } from 'preact'
import type { ChangesQuery, PageState, ServiceView } from '../../../protocol.ts'
import { type ChangesReading, useChanges } from '../../use-changes.ts'
import { useRouter, useSetting } from '../../use-route.ts'
import { Choice } from '../choice.tsx'
import type { DiffLayout } from '../comparison.tsx'
import { ErrorMessage } from '../error-message.tsx'
import { ChangeList } from './change-list.tsx'
import { HeldPrompts } from './held-prompts.tsx'
import { RevisionField } from './revision-field.tsx'
import { Waiting } from './waiting.tsx'

/** More changes are read only on a click: plans commonly meter reads. */
const READ_AT_ONCE = 20

const SIDES = ['service', 'staging', 'revision'] as const
const LAYOUTS: readonly DiffLayout[] = ['inline', 'split']

/** Compares with the last commit. */
const DEFAULT_BASE = 'HEAD'

/** Every waiting change with its diff and its impact, and the prompts that pulls leave alone. */
export function ChangesPage({
  state,
  reload,
}: {
  readonly state: PageState
  readonly reload: () => void
}): JSX.Element {
  const [side] = useSetting('with', SIDES, 'service')
  const [layout] = useSetting('layout', LAYOUTS, 'inline')
  const { route, linkTo } = useRouter()
  const base = route.settings.get('base') ?? DEFAULT_BASE
  const query: ChangesQuery = side === 'revision' ? { kind: side, revision: base } : { kind: side }
  const atOnce = side === 'revision' || (side === 'service' && isFewWaiting(state.service))
  const reading = useChanges(query, { atOnce, revision: revisionOf(state), onRead: reload })
  return (
    <article class="changes-page" aria-labelledby="changes-title">
      <a class="back" href={linkTo({ kind: 'overview' })}>
        ← All prompts
      </a>
      <h1 id="changes-title">Changes</h1>
      <Toolbar state={state} />
      <Outcome query={query} state={state} reading={reading} layout={layout} />
      {side === 'service' && <HeldPrompts state={state} />}
    </article>
  )
}

const SIDE_OPTIONS = [
  { value: 'service', label: 'Service' },
  { value: 'staging', label: 'Staging' },
  { value: 'revision', label: 'Git revision' },
] as const

const LAYOUT_OPTIONS = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Side by side' },
] as const

/** What the lock is compared with, and how. */
function Toolbar({
  state: { environment, missingKey },
}: {
  readonly state: PageState
}): JSX.Element {
  const [side, setSide] = useSetting('with', SIDES, 'service')
  const [layout, setLayout] = useSetting('layout', LAYOUTS, 'inline')
  const { route, set } = useRouter()
  // The service of a test lock is staging.
  const sides = SIDE_OPTIONS.filter(({ value }) => value !== 'staging' || environment === 'live')
  const base = route.settings.get('base') ?? DEFAULT_BASE
  return (
    <>
      <div class="toolbar">
        <Choice
          label="What the lock is compared with"
          value={side}
          onChange={setSide}
          options={sides}
        />
        <Choice
          label="How changes are shown"
          value={layout}
          onChange={setLayout}
          options={LAYOUT_OPTIONS}
        />
      </div>
      {side === 'revision' && <RevisionField value={base} onChange={(text) => set('base', text)} />}
      {side === 'staging' && missingKey !== null && (
        <p class="dim note">
          To compare with staging, set <code>{missingKey}</code> to the key of the other
          environment.
        </p>
      )}
    </>
  )
}

function Outcome({
  reading,
  ...rest
}: {
  readonly query: ChangesQuery
  readonly state: PageState
  readonly reading: ChangesReading
  readonly layout: DiffLayout
}): JSX.Element {
  const { changes } = reading
  if (changes === undefined) return <Waiting {...rest} reading={reading} />
  if (changes.kind === 'error') return <ErrorMessage error={changes.error} />
  return <ChangeList {...rest} changes={changes} reading={reading} />
}

function isFewWaiting(service: ServiceView): boolean {
  if (service.kind !== 'reached') return false
  const waiting = service.drift.length + service.drafts.length
  return waiting > 0 && waiting <= READ_AT_ONCE
}

/** Differs when the lock or the list of the service has changed. */
function revisionOf({ lock, service }: PageState): string {
  return JSON.stringify([
    lock.kind === 'read' ? lock.revision : '',
    service.kind === 'reached' ? service.drift : [],
  ])
}
