import type { JSX } from 'preact'
import type { BrokenPlace, ImpactView } from '../../comparison-protocol.ts'
import { count, plural } from '../numbers.ts'
import { EditorLink } from './editor-link.tsx'
import { MarkdownLine } from './markdown-text.tsx'
import { PromptLink } from './pieces.tsx'

/** The maximum number of places shown. */
const SHOWN = 50

/** What a change breaks in the app. */
export function Impact({ impact }: { readonly impact: ImpactView }): JSX.Element {
  if (impact.kind === 'error') {
    return <p class="dim impact">{`The impact is unknown: ${impact.error.why}`}</p>
  }
  const { places } = impact
  if (places.length === 0) return <p class="dim impact">No place in the app would fail.</p>
  return (
    <section class="card impact bad-card" aria-label="Impact">
      <h2>{`${plural(places.length, 'place')} would fail`}</h2>
      <Places places={places} most={SHOWN} />
    </section>
  )
}

/** Places in the app that changes break, each with the reason. */
export function Places({
  places,
  most,
}: {
  readonly places: readonly BrokenPlace[]
  /** The maximum number of places shown. */
  readonly most: number
}): JSX.Element {
  return (
    <>
      <ul class="places">
        {places.slice(0, most).map(({ file, path, line, slug, reason }, index) => (
          <li key={index}>
            <p class="file flow">
              <EditorLink file={file} path={path} line={line} />
              {slug !== null && <PromptLink slug={slug} view="compare" />}
            </p>
            <p class="reason">
              <MarkdownLine text={reason} />
            </p>
          </li>
        ))}
      </ul>
      <More total={places.length} shown={most} />
    </>
  )
}

/** How many items a shortened list leaves out. */
export function More({
  total,
  shown,
  noun = '',
}: {
  readonly total: number
  readonly shown: number
  /** What is left out, in the singular. Default: clear from the list. */
  readonly noun?: string
}): JSX.Element | null {
  const rest = total - shown
  if (rest <= 0) return null
  return (
    <p class="dim small">{`and ${noun === '' ? `${count(rest)} more` : plural(rest, `more ${noun}`)}`}</p>
  )
}
