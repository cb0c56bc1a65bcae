import type { JSX } from 'preact'
import type { PromptView } from '../../../protocol.ts'
import { count } from '../../numbers.ts'
import type { TextPlace } from '../../places.ts'
import { RemoteText } from '../pieces.tsx'

const REASONS = {
  empty: 'empty braces stay text',
  foreign: 'not a variable name, stays text',
  unclosed: 'never closed, stays text',
} as const

/** The double braces of a prompt that aren't variables. A click shows one. */
export function Lints({
  prompt: { lints, lintCount },
  onJump,
}: {
  readonly prompt: PromptView
  readonly onJump: (place: TextPlace) => void
}): JSX.Element {
  return (
    <section>
      <h2>Token notes</h2>
      <ul class="lints">
        {lints.map(({ field, line, column, kind, excerpt }) => (
          <li key={`${field} ${line} ${column}`}>
            <button type="button" class="jump" onClick={() => onJump({ field, line })}>
              <code>
                <RemoteText text={excerpt} />
              </code>
            </button>
            <span class="dim">{`${field}, line ${line}, column ${column}: ${REASONS[kind]}`}</span>
          </li>
        ))}
        {lintCount > lints.length && (
          <li class="dim">{`… and ${count(lintCount - lints.length)} more`}</li>
        )}
      </ul>
    </section>
  )
}
