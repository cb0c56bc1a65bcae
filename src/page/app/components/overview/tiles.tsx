import type { JSX } from 'preact'
import { formatCount, pluralize } from '../../../../core/text/pluralize.ts'
import { withBadge } from '../../entries.ts'
import { type Place, SEARCH } from '../../route.ts'
import { type PageContents, usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'

/** A number with what it counts; a click lists the prompts that it counts. */
interface Tile {
  readonly label: string
  readonly value: string
  readonly detail: string
  /** Default: inconspicuous. */
  readonly tone?: 'news' | 'warn' | 'bad'
  /** The search that lists the prompts. Default: there are none to list. */
  readonly query?: string | false
  /** The view that shows more, instead of a search. */
  readonly place?: Place
}

/** The numbers of the overview. */
export function Tiles(): JSX.Element {
  const page = usePage()
  const tiles = [changes(page), uses(page), held(page), notes(page)]
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

function TileButton({ tile }: { readonly tile: Tile }): JSX.Element {
  const { linkTo, set } = useRouter()
  const { label, value, detail, tone = 'quiet', query = false, place } = tile
  const children = (
    <>
      <span class="label dim small">{label}</span>
      <span class={`value ${tone}`}>{value}</span>
      <span class="detail dim small">{detail}</span>
    </>
  )
  const shared = { class: 'tile', children }
  if (place !== undefined) return <a {...shared} href={linkTo(place)} />
  if (query === false) return <div {...shared} />
  return <button {...shared} type="button" onClick={() => set(SEARCH, query)} />
}

function changes({ state: { service }, entries }: PageContents): Tile {
  const label = 'Changes waiting'
  if (service.kind !== 'reached') {
    const detail = service.kind === 'failed' ? 'The check failed' : 'The service was not checked'
    return { label, value: '–', detail }
  }
  const { length } = service.drift
  if (length === 0) return { label, value: '0', detail: 'Same as the service' }
  const shown = { label, value: formatCount(length), place: { kind: 'changes' } } as const
  const broken = withBadge(entries, 'breaking').length
  const breaks = `${formatCount(broken)} ${broken === 1 ? 'breaks' : 'break'} calls`
  if (broken > 0) return { ...shown, detail: breaks, tone: 'bad' }
  const isUnchecked = withBadge(entries, 'update').some(({ change }) => change === undefined)
  return { ...shown, detail: isUnchecked ? 'Impact not checked' : 'No call breaks', tone: 'news' }
}

function uses({ state: { uses: found }, entries }: PageContents): Tile {
  const label = 'Used in code'
  if (!('modules' in found)) {
    const detail = found.kind === 'pending' ? 'Looking through the code…' : 'The code was not read'
    return { label, value: '–', detail }
  }
  const unused = withBadge(entries, 'unused').length
  const files = pluralize(found.modules.length, 'file')
  const value = `${formatCount(entries.length - unused)} of ${formatCount(entries.length)}`
  if (unused === 0) return { label, value, detail: `in ${files}` }
  return { label, value, detail: `in ${files}, ${formatCount(unused)} unused`, query: 'is:unused' }
}

function held({ entries }: PageContents): Tile {
  const all = withBadge(entries, 'held').length
  const detail = all === 0 ? 'Every prompt follows pulls' : 'Pulls leave them alone'
  return { label: 'Held', value: formatCount(all), detail, query: all > 0 && 'is:held' }
}

function notes({ entries }: PageContents): Tile {
  const label = 'Notes'
  const all = entries.reduce((sum, { prompt }) => sum + prompt.noteCount, 0)
  if (all === 0) return { label, value: '0', detail: 'Every token is a variable' }
  const detail = `in ${pluralize(withBadge(entries, 'note').length, 'prompt')}`
  return { label, value: formatCount(all), detail, tone: 'warn', query: 'is:note' }
}
