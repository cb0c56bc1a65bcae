import type { JSX } from 'preact'
import type { PlacedHeading, TextPlace } from '../../places.ts'
import { RemoteText } from '../pieces.tsx'

/** The headings of the texts of a prompt. A click shows one. */
export function Outline({
  headings,
  onJump,
}: {
  readonly headings: readonly PlacedHeading[]
  readonly onJump: (place: TextPlace) => void
}): JSX.Element {
  const highest = Math.min(...headings.map(({ level }) => level))
  return (
    <nav class="outline" aria-label="Outline">
      <h2>Outline</h2>
      <ol tabIndex={0} role="list">
        {headings.map((heading) => (
          <li key={`${heading.field} ${heading.line}`}>
            <button
              type="button"
              class="jump cut"
              style={{ '--depth': heading.level - highest + 1 }}
              title={`Line ${heading.line}`}
              onClick={() => onJump(heading)}
            >
              <RemoteText text={heading.text} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
