import type { JSX } from 'preact'
import { countRows, describeKept, describeKeptVersion } from '../../../core/describe-change.ts'
import type { KeptPart } from '../../../core/next-lock.ts'
import { describePart, partKey } from '../../../core/prompt.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import type { ErrorView, ReadMode, ServiceView } from '../../protocol.ts'
import { isOff, verdictOf } from '../changes.ts'
import { waitingChanges } from '../derived.ts'
import { clockTime } from '../numbers.ts'
import { compare, page } from '../store.ts'
import { ErrorMessage } from './boxes.tsx'
import { BrokenCode, ChangeItem } from './change-item.tsx'
import { Command } from './copy.tsx'
import { ActButton } from './decisions.tsx'
import { RemoteText } from './pieces.tsx'

/** What waits, whether it breaks the app, and each change with its diff. */
export function ChangesPage(): JSX.Element {
  return (
    <article class="page stack">
      <BrokenCode />
      <Comparison />
    </article>
  )
}

/** The comparison with its changes, or its state without any and the next step. */
function Comparison(): JSX.Element {
  const { changes, doing } = page()
  if (changes === undefined || (changes.kind === 'unasked' && doing !== undefined))
    return <Busy>Reading the list…</Busy>
  if (changes.kind === 'unasked') {
    return (
      <>
        <h1>The service was not checked yet</h1>
        <p class="dim">Check now asks it for its list, which costs no read.</p>
      </>
    )
  }
  if (changes.kind === 'error') return <Failure error={changes.error} />
  const { rows, service } = changes
  return (
    <>
      {rows.length > 0 ? <Waiting /> : <UpToDate checkedAt={service?.checkedAt ?? 0} />}
      {service !== null && service.kept.length > 0 && <Kept kept={service.kept} />}
    </>
  )
}

function UpToDate({ checkedAt }: Pick<ServiceView, 'checkedAt'>): JSX.Element {
  return (
    <>
      <h1>{`Up to date, ${clockTime(checkedAt)}`}</h1>
      <p class="dim">
        The service's list has neither texts nor temperatures, which can change under the same
        label. This compares them too, at one read for each version:
      </p>
      <p>
        <Command command="diff" />
      </p>
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
            <RemoteText text={describeKept(part, String)} />
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

function Failure({ error }: { readonly error: ErrorView }): JSX.Element {
  return (
    <>
      <h1>{isOff(error) ? 'No service is connected' : 'The service check failed'}</h1>
      <ErrorMessage error={error} />
      <p class="dim">The prompts of the lock are under Prompts; the app builds from them.</p>
    </>
  )
}

/** The verdict, what can be read and checked, and the changes. */
function Waiting(): JSX.Element {
  const { impact } = page()
  const changes = waitingChanges()
  const { text, isBad } = verdictOf(changes)
  return (
    <>
      <header class="verdict">
        <h1 class={isBad ? 'bad' : ''} aria-live="polite">
          {text}
        </h1>
        <p class="dim">{`${pluralize(changes.length, 'change')}: ${countRows(changes).join(', ')}.`}</p>
        <div class="flow">
          <Check />
          <details class="small">
            <summary>Command</summary>
            <Command command="pull --skip-breaking" />
          </details>
        </div>
      </header>
      {impact?.kind === 'error' && <ErrorMessage error={impact.error} />}
      <ul class="change-list">
        {changes.map((change) => (
          <ChangeItem key={partKey(change)} change={change} />
        ))}
      </ul>
    </>
  )
}

/** The buttons that read texts, check the app and take what is safe, with their price. */
function Check(): JSX.Element {
  const changes = waitingChanges()
  const { uses, doing = 'none' } = page()
  if (doing === 'check') return <Busy>Checking your code…</Busy>
  if (doing !== 'none' && doing !== 'list') return <Busy>Reading the texts…</Busy>
  if (uses === undefined) return <Busy>Looking through the code…</Busy>
  const unread = changes.filter(({ change }) => change === null)
  const used = unread.filter(({ isChecked }) => !isChecked).length
  const read = changes.filter(({ change }) => change !== null)
  const parts = JSON.stringify(read.map(partKey))
  const button = (label: string, count: number, mode: ReadMode): JSX.Element => (
    <button
      type="button"
      class={`button ${mode === 'used' ? 'primary' : ''}`}
      onClick={() => void compare(mode)}
    >
      {`${label} · ${pluralize(count, 'read')}`}
    </button>
  )
  return (
    <p class="check flow">
      {used > 0 && button(`Check the ${formatCount(used)} that your code uses`, used, 'used')}
      {read.some(({ places }) => places.length === 0) && (
        <ActButton act="take" query={{ parts }} kind={used > 0 ? '' : 'primary'}>
          Take what breaks nothing
        </ActButton>
      )}
      {unread.length > used &&
        button(`Read all ${formatCount(unread.length)}`, unread.length, 'all')}
      {used > 0 && <span class="dim small">Not checked yet. Most plans meter reads.</span>}
    </p>
  )
}
