import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { shortenRows } from '../../../core/change-row.ts'
import {
  countRows,
  describeHidden,
  describeKept,
  describeKeptVersion,
} from '../../../core/describe-change.ts'
import type { KeptPart } from '../../../core/next-lock.ts'
import { describePart, partKey } from '../../../core/prompt.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import type { ErrorView, PageRow, ReadMode } from '../../protocol.ts'
import { type Change, changesOf, isOff, verdictOf } from '../changes.ts'
import { type Options, set, settingOf } from '../navigation.ts'
import { clockTime } from '../numbers.ts'
import { checkService, compare, comparedWith, type Comparing, page, project } from '../store.ts'
import { ErrorMessage } from './boxes.tsx'
import { BrokenCode, ChangeItem } from './change-item.tsx'
import { SettingChoice } from './choice.tsx'
import { Command } from './command.tsx'
import { LAYOUTS } from './difference.tsx'
import { HeldPrompts } from './held-prompts.tsx'
import { RemoteText } from './pieces.tsx'
import { TextInput } from './text-input.tsx'

type Tab = Comparing['side'] | 'held'

/** What waits, whether it breaks the app, and each change with its diff. */
export function ChangesPage(): JSX.Element {
  const held = project().held.length
  const tabs: Options<Tab> = [
    { value: 'service', label: 'Service' },
    { value: 'revision', label: 'Git revision' },
    { value: 'held', label: held > 0 ? `Held (${formatCount(held)})` : 'Held' },
  ]
  const tab = settingOf('with', tabs)
  const base = page().route.settings.get('base') ?? 'HEAD'
  return (
    <article class="page changes stack">
      <div class="toolbar flow">
        <SettingChoice name="with" label="What the lock is compared with" options={tabs} />
        {tab !== 'held' && (
          <SettingChoice name="layout" label="How texts are compared" options={LAYOUTS} />
        )}
        {tab === 'revision' && <RevisionField key={base} base={base} />}
      </div>
      <BrokenCode />
      {tab === 'held' ? (
        <HeldPrompts />
      ) : (
        <Comparison
          key={tab + base}
          comparing={{ side: tab, base: tab === 'revision' ? base : 'HEAD' }}
        />
      )}
    </article>
  )
}

/** A field for a branch, tag or commit, which applies on Enter. */
function RevisionField({ base }: { readonly base: string }): JSX.Element {
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

/** A comparison with its changes, or its state without any and the next step. */
function Comparison({ comparing }: { readonly comparing: Comparing }): JSX.Element {
  const { changes, doing } = comparedWith(comparing)
  useEffect(() => {
    if (changes === undefined && doing === undefined) void compare(comparing)
  }, [])
  if (changes === undefined || (changes.kind === 'unasked' && doing !== undefined))
    return <Busy>Reading the list…</Busy>
  if (changes.kind === 'unasked') {
    return (
      <State title="The service was not checked yet" next={<CheckButton />}>
        It is asked for its list, which costs no read.
      </State>
    )
  }
  if (changes.kind === 'error') return <Failure comparing={comparing} error={changes.error} />
  const { rows, service } = changes
  return (
    <>
      {rows.length > 0 ? (
        <Waiting comparing={comparing} rows={rows} />
      ) : service === null ? (
        <State title="Both sides are the same">Nothing differs.</State>
      ) : (
        <State
          title={`Up to date, ${clockTime(service.checkedAt)}`}
          next={<Command command="diff" />}
        >
          The service's list has neither texts nor temperatures, which can change under the same
          label. This compares them too, at one read for each version:
        </State>
      )}
      {service !== null && service.kept.length > 0 && <Kept kept={service.kept} />}
    </>
  )
}

/** The versions of the list that pulls leave, with the reason of each. */
function Kept({ kept }: { readonly kept: readonly KeptPart[] }): JSX.Element {
  return (
    <section class="strip stack" aria-label="Not taken">
      <strong>{`${pluralize(kept.length, 'version')} of the list not taken`}</strong>
      <ul>
        {kept.map((part) => (
          <li key={partKey(part)} class="flow small">
            <RemoteText text={describePart(part)} />
            <span class="dim">
              <RemoteText text={describeKeptVersion(part, String)} />
            </span>
            {describeKept(part)}
          </li>
        ))}
      </ul>
    </section>
  )
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
  next,
  children,
}: {
  readonly title: string
  readonly next?: JSX.Element
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <>
      <h1>{title}</h1>
      <p class="dim">{children}</p>
      {next && <p>{next}</p>}
    </>
  )
}

function CheckButton(): JSX.Element {
  return (
    <button type="button" class="button primary" onClick={checkService}>
      Check the service
    </button>
  )
}

function Failure({
  comparing: { side },
  error,
}: {
  readonly comparing: Comparing
  readonly error: ErrorView
}): JSX.Element {
  const title = isOff(error) ? 'No service is connected' : 'The service check failed'
  return (
    <>
      <h1>{side === 'service' ? title : "The changes can't be read"}</h1>
      <ErrorMessage error={error} />
      {side === 'service' && (
        <p class="dim">The prompts of the lock are under Prompts; the app builds from them.</p>
      )}
    </>
  )
}

interface WaitingProps {
  readonly comparing: Comparing
  readonly rows: readonly PageRow[]
}

/** The verdict, what can be read and checked, and the changes. */
function Waiting({ comparing, rows }: WaitingProps): JSX.Element {
  const { uses } = page()
  const { side, base } = comparing
  const { impact } = comparedWith(comparing)
  const changes = useMemo(() => changesOf(rows, uses, impact), [rows, uses, impact])
  const { text, isBad } = verdictOf(changes)
  const [isWhole, setWhole] = useState(false)
  const { visible, hidden } = shortenRows(changes)
  const count = pluralize(rows.length, 'change')
  return (
    <>
      <header class="verdict">
        <h1 class={isBad ? 'bad' : ''} aria-live="polite">
          {side === 'revision' ? `${count} since ${base}` : text}
        </h1>
        <p class="dim flow">
          {`${count}: ${countRows(changes).join(', ')}.`}
          {side === 'service' && (
            <Command command={isBad ? 'pull --skip-breaking' : 'pull'} note="Take them: " />
          )}
        </p>
        {side !== 'revision' && <Check changes={changes} comparing={comparing} />}
      </header>
      {impact?.kind === 'error' && <ErrorMessage error={impact.error} />}
      <ul class="change-list">
        {(isWhole ? changes : visible).map((change) => (
          <ChangeItem key={partKey(change)} change={change} comparing={comparing} />
        ))}
      </ul>
      {hidden.length > 0 && !isWhole && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          {describeHidden(hidden)}
        </button>
      )}
    </>
  )
}

/** The buttons that read texts and check the app, with their price. */
function Check({
  changes,
  comparing,
}: {
  readonly changes: readonly Change[]
  readonly comparing: Comparing
}): JSX.Element {
  const { doing = 'none' } = comparedWith(comparing)
  if (doing === 'check') return <Busy>Checking your code…</Busy>
  if (doing !== 'none' && doing !== 'list') return <Busy>Reading the texts…</Busy>
  if (page().uses === undefined) return <Busy>Looking through the code…</Busy>
  const unread = changes.filter(({ change }) => change === null)
  const used = unread.filter(({ isChecked }) => !isChecked).length
  const button = (label: string, count: number, read: ReadMode): JSX.Element => (
    <button
      type="button"
      class={`button ${read === 'used' ? 'primary' : ''}`}
      onClick={() => void compare(comparing, read)}
    >
      {`${label} · ${pluralize(count, 'read')}`}
    </button>
  )
  return (
    <p class="check flow">
      {used > 0 && button(`Check the ${formatCount(used)} that your code uses`, used, 'used')}
      {unread.length > used &&
        button(`Read all ${formatCount(unread.length)}`, unread.length, 'all')}
      {used > 0 && <span class="dim small">Not checked yet. Most plans meter reads.</span>}
    </p>
  )
}
