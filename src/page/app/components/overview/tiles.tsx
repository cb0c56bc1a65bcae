import type { JSX } from 'preact'
import type { PageState } from '../../../protocol.ts'
import { type BadgeKind, type Entry, hasBadge } from '../../entries.ts'
import { count, plural } from '../../numbers.ts'
import { type Place, SEARCH } from '../../route.ts'
import { usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'

/** A number with what it counts; a click lists the prompts that it counts. */
interface Tile {
  readonly label: string
  readonly value: string
  readonly detail: string
  readonly tone: 'quiet' | 'news' | 'warn' | 'bad'
  /** The search that lists the prompts. Default: there are none to list. */
  readonly query?: string
  /** The view that shows more, instead of a search. */
  readonly place?: Place
}

/** The numbers of the overview. */
export function Tiles(): JSX.Element {
  const { state, entries } = usePage()
  const tiles = [changes(state, entries), uses(state, entries), held(entries), notes(entries)]
  return (
    <ul class="tiles">
      {tiles.map((tile) => (
        <li key={tile.label}>
          <TileButton tile={tile} />
        </li>
      ))}
    </ul>
  )
}

function TileButton({
  tile: { label, value, detail, tone, query, place },
}: {
  readonly tile: Tile
}): JSX.Element {
  const { linkTo, set } = useRouter()
  const content = (
    <>
      <span class="label">{label}</span>
      <span class={`value ${tone}`}>{value}</span>
      <span class="detail">{detail}</span>
    </>
  )
  if (place !== undefined) {
    return (
      <a class="tile" href={linkTo(place)}>
        {content}
      </a>
    )
  }
  if (query === undefined) return <div class="tile">{content}</div>
  return (
    <button type="button" class="tile" onClick={() => set(SEARCH, query)}>
      {content}
    </button>
  )
}

function changes({ service }: PageState, entries: readonly Entry[]): Tile {
  const label = 'Changes waiting'
  if (service.kind !== 'reached') {
    const detail = service.kind === 'failed' ? 'The check failed' : 'The service was not checked'
    return { label, value: '–', detail, tone: 'quiet' }
  }
  const { length } = service.drift
  if (length === 0) return { label, value: '0', detail: 'Same as the service', tone: 'quiet' }
  const common = { label, value: count(length), place: { kind: 'changes' } } as const
  const broken = withBadge(entries, 'breaking')
  const breaks = `${count(broken)} ${broken === 1 ? 'breaks' : 'break'} calls`
  if (broken > 0) return { ...common, detail: breaks, tone: 'bad' }
  const isUnchecked = entries.some(
    (entry) => entry.change === undefined && hasBadge(entry, 'update'),
  )
  const detail = isUnchecked ? 'Impact not checked' : 'No call breaks'
  return { ...common, detail, tone: 'news' }
}

function uses({ uses: found }: PageState, entries: readonly Entry[]): Tile {
  const label = 'Used in code'
  if (!('modules' in found)) {
    const detail = found.kind === 'pending' ? 'Looking through the code…' : 'The code was not read'
    return { label, value: '–', detail, tone: 'quiet' }
  }
  const unused = withBadge(entries, 'unused')
  const files = found.modules.length
  const value = `${count(entries.length - unused)} of ${count(entries.length)}`
  const detail = `in ${plural(files, 'file')}${unused > 0 ? `, ${count(unused)} unused` : ''}`
  return { label, value, detail, tone: 'quiet', ...(unused > 0 && { query: 'is:unused' }) }
}

function held(entries: readonly Entry[]): Tile {
  const all = withBadge(entries, 'held')
  const label = 'Held'
  if (all === 0) return { label, value: '0', detail: 'Every prompt follows pulls', tone: 'quiet' }
  const detail = 'Pulls leave them alone'
  return { label, value: count(all), detail, tone: 'quiet', query: 'is:held' }
}

function notes(entries: readonly Entry[]): Tile {
  const all = entries.reduce((sum, { prompt }) => sum + prompt.lintCount, 0)
  const label = 'Token notes'
  if (all === 0) return { label, value: '0', detail: 'Every token is a variable', tone: 'quiet' }
  const detail = `in ${plural(withBadge(entries, 'note'), 'prompt')}`
  return { label, value: count(all), detail, tone: 'warn', query: 'is:note' }
}

function withBadge(entries: readonly Entry[], wanted: BadgeKind): number {
  return entries.filter((entry) => hasBadge(entry, wanted)).length
}
