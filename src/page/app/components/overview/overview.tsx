import type { JSX } from 'preact'
import type { PageState } from '../../../protocol.ts'
import type { Entry } from '../../entries.ts'
import { count, estimateTokens, plural } from '../../numbers.ts'
import { Attention } from './attention.tsx'
import { BreakCheck } from './break-check.tsx'
import { CodeMap } from './code-map.tsx'
import { Service } from './service.tsx'
import { Shares } from './shares.tsx'
import { Tiles } from './tiles.tsx'

/** An overview of the pinned prompts: what needs attention, uses in the code, folders and models. */
export function Overview({
  state,
  entries,
  reload,
  onQuery,
}: {
  readonly state: PageState
  readonly entries: readonly Entry[]
  readonly reload: () => void
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const characters = entries.reduce((sum, { prompt }) => sum + prompt.characters, 0)
  return (
    <div class="overview">
      <header>
        <h1>{plural(entries.length, 'prompt')} pinned</h1>
        <p class="lead">
          {`${count(characters)} characters, ≈ ${count(estimateTokens(characters))} tokens, ${state.environment} environment. `}
          <span class="key-hint">
            Press <kbd>/</kbd> to search.
          </span>
        </p>
      </header>
      <Service state={state} />
      <Tiles state={state} entries={entries} onQuery={onQuery} />
      <div class="overview-grid">
        <div class="stack">
          <BreakCheck state={state} entries={entries} reload={reload} />
          <Attention
            entries={entries}
            isChecked={state.service.kind === 'reached'}
            onQuery={onQuery}
          />
          <Shares
            title="Folders"
            entries={entries}
            fieldOf={({ prompt }) => prompt.folder}
            field="folder"
            onQuery={onQuery}
          />
        </div>
        <div class="stack">
          <CodeMap state={state} entries={entries} onQuery={onQuery} />
          <Shares
            title="Models"
            entries={entries}
            fieldOf={({ prompt }) => prompt.model}
            field="model"
            onQuery={onQuery}
          />
        </div>
      </div>
    </div>
  )
}
