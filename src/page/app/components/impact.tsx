import type { JSX } from 'preact'
import type { ImpactView } from '../../protocol.ts'
import { plural } from '../numbers.ts'
import { EditorLink } from './editor-link.tsx'
import { MarkdownLine } from './markdown-text.tsx'

/** The maximum number of places shown. */
const SHOWN = 50

/** What a change breaks in the app. */
export function Impact({
  impact,
  editor,
}: {
  readonly impact: ImpactView
  readonly editor: string | null
}): JSX.Element {
  if (impact.kind === 'error') {
    return <p class="dim impact">{`The impact is unknown: ${impact.error.why}`}</p>
  }
  const { places } = impact
  if (places.length === 0) return <p class="dim impact">No place in the app would fail.</p>
  return (
    <section class="card impact" aria-label="Impact">
      <h2>{`${plural(places.length, 'place')} would fail`}</h2>
      <ul class="plain">
        {places.slice(0, SHOWN).map(({ file, path, line, reason }, index) => (
          <li key={index}>
            <EditorLink editor={editor} path={path} line={line}>
              {`${file}:${line}`}
            </EditorLink>
            <span class="reason">
              <MarkdownLine text={reason} />
            </span>
          </li>
        ))}
      </ul>
      {places.length > SHOWN && <p class="dim">{`and ${places.length - SHOWN} more`}</p>}
    </section>
  )
}
