import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { formatCount } from '../../../core/text/pluralize.ts'
import type { ServiceView } from '../../protocol.ts'
import { clockTime } from '../numbers.ts'
import { type Place, printRoute, SEARCH } from '../route.ts'
import { searchEntries } from '../search.ts'
import { checkService, useStore } from '../store.ts'
import { useRouter, useSearchText } from '../use-route.ts'
import { SHORTCUTS_ID } from './shortcuts.tsx'
import { TextInput } from './text-input.tsx'

/** The tabs, the search, and the state of the service. */
export function Header({ place }: { readonly place: Place | undefined }): JSX.Element {
  const { linkTo } = useRouter()
  const { data, entries } = useStore()
  const service = data?.service
  const waiting = service?.kind === 'reached' ? service.changes.length : 0
  const isChanges = place?.kind === 'changes'
  const tab = (to: Place, label: string, count: number, isCurrent: boolean): JSX.Element => (
    <a href={linkTo(to)} aria-current={isCurrent ? 'page' : undefined}>
      {label} <span class="count">{count > 0 && formatCount(count)}</span>
    </a>
  )
  return (
    <header class="header cluster">
      <a class="home" href="#/" aria-label="Start">
        <img src="./icon.svg" alt="" width={24} height={24} />
      </a>
      <nav class="tabs" aria-label="Tabs">
        {tab({ kind: 'prompts' }, 'Prompts', entries.length, place !== undefined && !isChanges)}
        {tab({ kind: 'changes' }, 'Changes', waiting, isChanges)}
      </nav>
      <Search isChanges={isChanges} />
      {data !== undefined && <ServiceState service={data.service} />}
      {data !== undefined && (
        <span class={`badge environment ${data.environment}`}>{data.environment}</span>
      )}
      <button
        type="button"
        class="button"
        aria-label="Keyboard shortcuts"
        onClick={() => document.querySelector<HTMLDialogElement>(`#${SHORTCUTS_ID}`)?.showModal()}
      >
        ?
      </button>
    </header>
  )
}

/** Searches the prompts from anywhere. Enter opens the best match; the down arrow moves to the list. */
function Search({ isChanges }: { readonly isChanges: boolean }): JSX.Element {
  const { entries } = useStore()
  const { route, go, set } = useRouter()
  const text = useSearchText()
  const best = useMemo(
    () => (text === '' ? undefined : searchEntries(entries, text)[0]?.prompt),
    [entries, text],
  )
  const onText = (next: string): void => {
    if (!isChanges) return set(SEARCH, next)
    const settings = new Map([[SEARCH, next]])
    location.hash = printRoute({ place: { kind: 'prompts' }, settings })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') set(SEARCH, '')
    if (event.key === 'Enter' && best !== undefined) {
      const view = route.place.kind === 'prompt' ? route.place.view : 'text'
      go({ kind: 'prompt', slug: best.slug, view })
    }
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    document.querySelector<HTMLElement>('.rows :is(a, summary)')?.focus()
  }
  return (
    <div class="search">
      <TextInput
        type="search"
        focusKeys={['/', 'mod+k']}
        value={text}
        placeholder="Search prompts"
        aria-label="Search slugs, texts, folders and models"
        onText={onText}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}

/** Whether the service answers, the time of the last check, and a button to check again. */
function ServiceState({ service }: { readonly service: ServiceView }): JSX.Element {
  const { isAsking } = useStore()
  const { tone, text, detail } = describe(service)
  return (
    <div class="service cluster small">
      <p class="cluster" role="status" title={detail}>
        <span class={`dot ${isAsking ? 'busy' : tone}`} aria-hidden="true" />
        {isAsking ? 'Checking…' : text}
      </p>
      {service.kind !== 'off' && (
        <button type="button" class="button" onClick={checkService}>
          Check now
        </button>
      )}
    </div>
  )
}

function describe(service: ServiceView): {
  readonly tone: 'good' | 'news' | 'bad' | 'quiet'
  readonly text: string
  readonly detail: string
} {
  if (service.kind === 'unasked') return { tone: 'quiet', text: 'Not checked yet', detail: '' }
  if (service.kind !== 'reached') {
    const { kind, error } = service
    const detail = `${error.why} ${error.fix}`
    return kind === 'off'
      ? { tone: 'quiet', text: 'No service', detail }
      : { tone: 'bad', text: 'Check failed', detail }
  }
  const { address, planStatus, changes, checkedAt } = service
  const detail = `${address}, plan: ${planStatus}`
  const time = clockTime(checkedAt)
  return changes.length === 0
    ? { tone: 'good', text: `Up to date, ${time}`, detail }
    : { tone: 'news', text: `Checked ${time}`, detail }
}
