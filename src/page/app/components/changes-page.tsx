import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { countRows, describeHidden } from '../../../core/describe-change.ts'
import { shortenRows } from '../../../core/change-row.ts'
import type { PageRow, ServiceView } from '../../protocol.ts'
import { type Change, changesOf, verdictOf } from '../changes.ts'
import { clockTime } from '../numbers.ts'
import {
  checkService,
  type Compared,
  type Comparing,
  keyOf,
  readChanges,
  useData,
  useStore,
} from '../store.ts'
import { useKeys } from '../use-keys.ts'
import { useRouter, useSetting } from '../use-route.ts'
import { ErrorMessage } from './boxes.tsx'
import { BrokenCode, ChangeItem } from './change-item.tsx'
import { SettingChoice } from './choice.tsx'
import { Command } from './command.tsx'
import { LAYOUTS } from './difference.tsx'
import { HeldPrompts } from './held-prompts.tsx'
import { TextInput } from './text-input.tsx'

/** What the tab shows: comparisons of the lock, and the prompts that pulls leave alone. */
const CHOICES = [
  { value: 'service', label: 'Service' },
  { value: 'staging', label: 'Staging' },
  { value: 'revision', label: 'Git revision' },
  { value: 'held', label: 'Held' },
] as const

/** What waits, whether it breaks the app, and each change with its diff. */
export function ChangesPage(): JSX.Element {
  const { environment, prompts } = useData()
  const [chosen] = useSetting('with', CHOICES)
  const { settings } = useRouter().route
  const held = prompts.filter((prompt) => prompt.held !== undefined).length
  // The service of a test lock is staging.
  const choices = CHOICES.filter(({ value }) => value !== 'staging' || environment === 'live').map(
    (choice) =>
      choice.value === 'held' && held > 0
        ? { ...choice, label: `Held (${formatCount(held)})` }
        : choice,
  )
  const base = settings.get('base') ?? 'HEAD'
  return (
    <article class="page changes stack">
      <div class="toolbar flow">
        <SettingChoice name="with" label="What the lock is compared with" options={choices} />
        {chosen !== 'held' && (
          <SettingChoice name="layout" label="How texts are compared" options={LAYOUTS} />
        )}
        {chosen === 'revision' && <RevisionField key={base} base={base} />}
      </div>
      <BrokenCode />
      {chosen === 'held' ? (
        <HeldPrompts />
      ) : (
        <Comparison key={chosen + base} side={chosen} base={base} />
      )}
    </article>
  )
}

/** A field for a branch, tag or commit, which applies on Enter. */
function RevisionField({ base }: { readonly base: string }): JSX.Element {
  const { set } = useRouter()
  const [text, setText] = useState(base)
  const submit = (event: Event): void => {
    event.preventDefault()
    set('base', text.trim())
  }
  return (
    <form class="flow" onSubmit={submit}>
      <TextInput aria-label="Branch, tag or commit" value={text} onText={setText} />
      <button type="submit" class="button">
        Compare
      </button>
    </form>
  )
}

function Comparison({ side, base }: Comparing): JSX.Element {
  const comparing = useMemo(() => ({ side, base }), [side, base])
  const { service, missingKey, readsAlways, revision } = useData()
  const compared = useStore().compared[keyOf(comparing)] ?? {}
  const isReady = side === 'service' ? service.kind === 'reached' : true
  const isStaging = side === 'staging' && missingKey !== null
  useEffect(() => {
    if (!isReady || isStaging || compared.changes !== undefined) return
    void readChanges(comparing, readsAlways ? 'all' : 'none')
  }, [isReady, isStaging, revision])
  if (isStaging) {
    return (
      <State title="Staging needs its own key">
        Set <code>{missingKey}</code> to the key of the other environment, and start again.
      </State>
    )
  }
  if (side === 'service' && service.kind !== 'reached') return <NoService service={service} />
  const { changes } = compared
  if (changes?.kind === 'error') {
    return (
      <>
        <h1>The changes can't be read</h1>
        <ErrorMessage error={changes.error} />
      </>
    )
  }
  const rows = side === 'service' && service.kind === 'reached' ? service.changes : changes?.rows
  if (rows === undefined) return <Busy>Reading the list…</Busy>
  if (rows.length === 0) return <NothingWaits side={side} />
  return <Waiting comparing={comparing} compared={compared} rows={rows} />
}

function Busy({ children }: { readonly children: string }): JSX.Element {
  return (
    <p class="check dim" role="status" aria-busy="true">
      {children}
    </p>
  )
}

/** A state without a list, and the next step. */
function State({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <>
      <h1>{title}</h1>
      <p class="dim">{children}</p>
    </>
  )
}

function NoService({ service }: { readonly service: ServiceView }): JSX.Element {
  const { isAsking } = useStore()
  if (service.kind === 'unasked' && isAsking) return <Busy>Reading the list of the service…</Busy>
  if (service.kind === 'unasked') {
    return (
      <>
        <State title="The service was not checked yet">
          It is asked for its list, which costs no read.
        </State>
        <button type="button" class="button primary" onClick={checkService}>
          Check the service
        </button>
      </>
    )
  }
  if (service.kind === 'reached') return <></>
  return (
    <>
      <h1>{service.kind === 'off' ? 'No service is connected' : 'The service check failed'}</h1>
      <ErrorMessage error={service.error} />
      <p class="dim">The prompts of the lock are under Prompts; the app builds from them.</p>
    </>
  )
}

function NothingWaits({ side }: { readonly side: Comparing['side'] }): JSX.Element {
  const { service } = useData()
  if (side !== 'service') return <State title="Both sides are the same">Nothing differs.</State>
  const time = service.kind === 'reached' ? clockTime(service.checkedAt) : ''
  return (
    <>
      <State title={`Up to date, ${time}`}>
        The service's list has neither texts nor temperatures, which can change under the same
        label. This compares them too, at one read for each prompt:
      </State>
      <p>
        <Command command="diff" />
      </p>
    </>
  )
}

function Waiting({
  comparing,
  compared,
  rows,
}: {
  readonly comparing: Comparing
  readonly compared: Compared
  readonly rows: readonly PageRow[]
}): JSX.Element {
  const { uses } = useData()
  const { impact } = compared
  const changes = useMemo(() => changesOf(rows, uses, impact), [rows, uses, impact])
  const { text, isBad } = verdictOf(changes)
  const isService = comparing.side === 'service'
  const [viewed, setViewed] = useState<ReadonlySet<string>>(new Set())
  const revisionTitle = `${pluralize(rows.length, 'change')} since ${comparing.base}`
  return (
    <>
      <header class="verdict">
        <h1 class={isBad ? 'bad' : ''} aria-live="polite">
          {comparing.side === 'revision' ? revisionTitle : text}
        </h1>
        <p class="dim flow">
          {`${pluralize(rows.length, 'change')}: ${countRows(changes).join(', ')}.`}
          {viewed.size > 0 && <span>{`${formatCount(viewed.size)} viewed.`}</span>}
          {isService && (
            <Command command={isBad ? 'pull --skip-breaking' : 'pull'} note="Take them: " />
          )}
        </p>
        {comparing.side !== 'revision' && (
          <Check changes={changes} comparing={comparing} compared={compared} />
        )}
      </header>
      {impact?.kind === 'error' && <ErrorMessage error={impact.error} />}
      <ChangeList
        changes={changes}
        comparing={comparing}
        isReading={compared.isReading === true}
        viewed={viewed}
        onViewed={setViewed}
      />
    </>
  )
}

function ChangeList({
  changes,
  comparing,
  isReading,
  viewed,
  onViewed,
}: {
  readonly changes: readonly Change[]
  readonly comparing: Comparing
  readonly isReading: boolean
  /** Slugs. */
  readonly viewed: ReadonlySet<string>
  readonly onViewed: (viewed: ReadonlySet<string>) => void
}): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const { shown, hidden } = useMemo(() => shortenRows(changes), [changes])
  useKeys({ j: () => step(1), k: () => step(-1) })
  const view = (slug: string): void => {
    const next = new Set(viewed)
    if (!next.delete(slug)) next.add(slug)
    onViewed(next)
  }
  // Many rows are drawn again only if they have changed.
  const list = useMemo(
    () => (
      <ul class="change-list">
        {(isWhole ? changes : shown).map((change) => (
          <ChangeItem
            key={change.slug}
            change={change}
            comparing={comparing}
            isBusy={isReading}
            isViewed={viewed.has(change.slug)}
            onView={() => view(change.slug)}
          />
        ))}
      </ul>
    ),
    [changes, shown, comparing, isReading, viewed, isWhole],
  )
  return (
    <>
      {list}
      {hidden.length > 0 && !isWhole && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          {describeHidden(hidden)}
        </button>
      )}
    </>
  )
}

/** `j` and `k` move among the changes. */
function step(by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('.change > details > summary')]
  const at = all.findIndex((summary) => summary === document.activeElement)
  all[Math.max(0, Math.min(at + by, all.length - 1))]?.focus()
}

/** The buttons that read texts and check the app, with their price. */
function Check({
  changes,
  comparing,
  compared: { isReading = false, isChecking = false },
}: {
  readonly changes: readonly Change[]
  readonly comparing: Comparing
  readonly compared: Compared
}): JSX.Element | null {
  const { uses } = useData()
  if (isReading || isChecking)
    return <Busy>{isReading ? 'Reading the texts…' : 'Checking your code…'}</Busy>
  if (uses.kind === 'pending') return <Busy>Looking through the code…</Busy>
  const unread = changes.filter(({ change }) => change === null)
  const used = unread.filter(({ isChecked }) => !isChecked).length
  const button = (label: string, read: 'used' | 'all', isPrimary: boolean): JSX.Element => (
    <button
      type="button"
      class={`button ${isPrimary ? 'primary' : ''}`}
      onClick={() => void readChanges(comparing, read)}
    >
      {label}
    </button>
  )
  return (
    <p class="check flow">
      {used > 0 &&
        button(
          `Check the ${formatCount(used)} that your code uses · ${pluralize(used, 'read')}`,
          'used',
          true,
        )}
      {unread.length > used &&
        button(
          `Read all ${formatCount(unread.length)} · ${pluralize(unread.length, 'read')}`,
          'all',
          false,
        )}
      {used > 0 && <span class="dim small">Not checked yet. Most plans meter reads.</span>}
    </p>
  )
}
