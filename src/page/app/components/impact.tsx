import type { JSX } from 'preact'
import { pluralize } from '../../../core/text/pluralize.ts'
import type { BrokenPlace, ImpactView } from '../../comparison-protocol.ts'
import { Card, ShortList } from './boxes.tsx'
import { EditorLink } from './editor-link.tsx'
import { PromptLink, Reason } from './pieces.tsx'

/** The maximum number of places shown. */
const SHOWN = 50

/** What a change breaks in the app. */
export function Impact({ impact }: { readonly impact: ImpactView }): JSX.Element {
  if (impact.kind === 'error') {
    return <p class="dim impact">{`The impact is unknown: ${impact.error.why}`}</p>
  }
  const { places } = impact
  if (places.length === 0) return <p class="dim impact">No place in the app would fail.</p>
  const title = `${pluralize(places.length, 'place')} would fail`
  return (
    <Card title={title} label="Impact" look="impact bad-card">
      <Places places={places} most={SHOWN} />
    </Card>
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
    <ShortList items={places} most={most} look="places">
      {({ file, path, line, slug, reason }, index) => (
        <li key={index}>
          <p class="file flow between">
            <EditorLink file={file} path={path} line={line} />
            {slug !== null && <PromptLink slug={slug} view="compare" />}
          </p>
          <p class="reason">
            <Reason text={reason} />
          </p>
        </li>
      )}
    </ShortList>
  )
}
