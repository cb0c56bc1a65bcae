import type { JSX } from 'preact'
import { formatCount } from '../../../core/text/pluralize.ts'
import { rowsOf } from '../../protocol.ts'
import { isOff } from '../changes.ts'
import { currentPlace, entries } from '../derived.ts'
import { searchEntries } from '../entries.ts'
import { go, linkTo, open, set } from '../navigation.ts'
import { clockTime } from '../numbers.ts'
import { type Place, SEARCH } from '../route.ts'
import { compare, type Page, page } from '../store.ts'

/** The tabs, the search, and the state of the service. */
export function Header(): JSX.Element {
  const { project, changes } = page()
  const waiting = rowsOf(changes).length
  const place = currentPlace()
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
        {tab({ kind: 'prompts' }, 'Prompts', entries().length, place !== undefined && !isChanges)}
        {tab({ kind: 'changes' }, 'Changes', waiting, isChanges)}
      </nav>
      <Search />
      {project?.lockError === null && <ServiceState />}
      {project?.environment && (
        <span class={`badge environment ${project.environment}`}>{project.environment}</span>
      )}
    </header>
  )
}

/** Searches the prompts from anywhere. Enter opens the first match; the down arrow moves to the list. */
function Search(): JSX.Element {
  const text = page().route.settings.get(SEARCH) ?? ''
  const place = currentPlace()
  const onText = (next: string): void => {
    if (place?.kind !== 'changes') return set(SEARCH, next)
    const settings = new Map([[SEARCH, next]])
    open({ place: { kind: 'prompts' }, settings })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') set(SEARCH, '')
    if (event.key === 'Enter' && text !== '') {
      const [first] = searchEntries(entries(), text)
      const view = place?.kind === 'prompt' ? place.view : 'text'
      if (first !== undefined) go({ kind: 'prompt', slug: first.prompt.slug, view })
    }
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    document.querySelector<HTMLElement>('.rows a')?.focus()
  }
  return (
    <div class="search">
      <input
        type="search"
        class="input"
        autocomplete="off"
        spellcheck={false}
        value={text}
        placeholder="Search prompts"
        aria-label="Search slugs, texts, folders and models"
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}

/** Whether the service answers, the time of the last check, and a button to check again. */
function ServiceState(): JSX.Element {
  const { changes, doing } = page()
  const { tone, text, detail } = describe(changes)
  const isAsking = doing === 'none' || doing === 'list'
  return (
    <div class="service cluster small">
      <p class="cluster" role="status" title={detail}>
        <span class={`dot ${isAsking ? 'busy' : tone}`} aria-hidden="true" />
        {isAsking ? 'Checking…' : text}
      </p>
      {text !== NO_SERVICE && (
        <button type="button" class="button" onClick={() => void compare('list')}>
          Check now
        </button>
      )}
    </div>
  )
}

const NO_SERVICE = 'No service'

/** The colour of the dot, the text next to it, and more for its title. */
function describe(changes: Page['changes']) {
  if (changes?.kind === 'error') {
    const detail = `${changes.error.why} ${changes.error.fix}`
    return isOff(changes.error)
      ? { tone: 'quiet', text: NO_SERVICE, detail }
      : { tone: 'bad', text: 'Check failed', detail }
  }
  if (changes?.kind !== 'compared' || changes.service === null)
    return { tone: 'quiet', text: 'Not checked yet' }
  const { address, planStatus, checkedAt } = changes.service
  const detail = `${address}, plan: ${planStatus}`
  const time = clockTime(checkedAt)
  return changes.rows.length === 0
    ? { tone: 'good', text: `Up to date, ${time}`, detail }
    : { tone: 'news', text: `Checked ${time}`, detail }
}
