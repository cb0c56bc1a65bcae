import type { JSX } from 'preact'
import type { PageState, SkippedView } from '../../../protocol.ts'
import { plural } from '../../numbers.ts'
import { MarkdownLine } from '../markdown-text.tsx'
import { RemoteText } from '../pieces.tsx'
import { Command } from '../command.tsx'

/** The changes that a pull can leave out because they break the app. */
export function Skipped({
  skipped,
  state,
}: {
  readonly skipped: readonly SkippedView[]
  readonly state: PageState
}): JSX.Element | null {
  if (skipped.length === 0) return null
  return (
    <section class="card skipped" aria-label="Without breaking changes">
      <h2>{`Without breaking changes, ${plural(skipped.length, 'prompt')} would be skipped`}</h2>
      <ul class="plain">
        {skipped.map(({ slug, reason }) => (
          <li key={slug}>
            <RemoteText text={slug} />
            <span class="reason">
              <MarkdownLine text={reason} />
            </span>
          </li>
        ))}
      </ul>
      <Command context={state} command="pull --skip-breaking" />
    </section>
  )
}
