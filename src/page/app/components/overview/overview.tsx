import type { JSX } from 'preact'
import { pluralize } from '../../../../core/text/pluralize.ts'
import { sizeOf } from '../../numbers.ts'
import { useChanges } from '../../use-changes.ts'
import { usePage } from '../../use-page.ts'
import { Attention } from './attention.tsx'
import { BreakCheck } from './break-check.tsx'
import { CodeMap } from './code-map.tsx'
import { Service } from './service.tsx'
import { Shares } from './shares.tsx'
import { Tiles } from './tiles.tsx'

/** An overview of the pinned prompts: what needs attention, uses in the code, folders and models. */
export function Overview(): JSX.Element {
  const { state, entries } = usePage()
  // Reads are metered, so they wait for a click.
  const reading = useChanges({ kind: 'service' }, 'known')
  const characters = entries.reduce((sum, { prompt }) => sum + prompt.characters, 0)
  return (
    <div class="page overview">
      <header>
        <h1>{pluralize(entries.length, 'prompt')} pinned</h1>
        <p class="lead dim">
          {`${sizeOf(characters, ', ')}, ${state.environment} environment. `}
          <span class="key-hint">
            Press <kbd>/</kbd> to search.
          </span>
        </p>
      </header>
      <Service />
      <Tiles />
      <div class="overview-grid">
        <div class="stack">
          <BreakCheck {...reading} />
          <Attention hasLines={reading.impact !== undefined} />
          <Shares title="Folders" field="folder" />
        </div>
        <div class="stack">
          <CodeMap />
          <Shares title="Models" field="model" />
        </div>
      </div>
    </div>
  )
}
