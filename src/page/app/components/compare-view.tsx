import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ComparisonView, CompareWith, PageState } from '../../protocol.ts'
import { compare } from '../api.ts'
import type { OpenEntry } from '../entries.ts'
import { failureView } from '../failure.ts'
import { useSetting } from '../use-route.ts'
import { Choice } from './choice.tsx'
import { Comparison, type DiffLayout } from './comparison.tsx'
import { ErrorMessage } from './error-message.tsx'

const COMPARE_WITH: readonly CompareWith[] = ['service', 'staging']
const DIFF_LAYOUTS: readonly DiffLayout[] = ['split', 'inline']

/** Compares a prompt between lock and service, or between live and staging. */
export function CompareView({
  entry,
  state,
  reload,
}: {
  readonly entry: OpenEntry
  readonly state: PageState
  readonly reload: () => void
}): JSX.Element {
  const [compareWith, setCompareWith] = useSetting('with', COMPARE_WITH, 'service')
  const [layout, setLayout] = useSetting('layout', DIFF_LAYOUTS, useMemo(defaultLayout, []))
  const read = useComparison({
    entry,
    compareWith,
    atOnce: entry.drift !== undefined,
    onRead: reload,
  })
  return (
    <section class="compare" aria-label="Compare">
      <div class="toolbar">
        <Choice
          label="What is compared"
          value={compareWith}
          onChange={setCompareWith}
          options={[
            { value: 'service', label: 'Lock ↔ service' },
            { value: 'staging', label: 'Live ↔ staging', disabled: state.missingKey !== null },
          ]}
        />
        <Choice
          label="How changes are shown"
          value={layout}
          onChange={setLayout}
          options={[
            { value: 'split', label: 'Side by side' },
            { value: 'inline', label: 'Inline' },
          ]}
        />
        <button type="button" class="button" disabled={read.reading} onClick={read.again}>
          {read.reading ? 'Reading…' : read.comparison === undefined ? 'Read' : 'Read again'}
        </button>
      </div>
      {state.missingKey !== null && (
        <p class="dim note">
          To compare live with staging, set <code>{state.missingKey}</code> to the key of the other
          environment.
        </p>
      )}
      <Outcome {...read} compareWith={compareWith} state={state} layout={layout} />
    </section>
  )
}

/** Two columns need a wide window. */
function defaultLayout(): DiffLayout {
  return matchMedia('(min-width: 900px)').matches ? 'split' : 'inline'
}

interface Reading {
  readonly comparison: ComparisonView | undefined
  readonly reading: boolean
  readonly again: () => void
}

/** Reads are commonly metered, so a prompt is read automatically only if the list shows a change. */
function useComparison({
  entry: { prompt },
  compareWith,
  atOnce,
  onRead,
}: {
  readonly entry: OpenEntry
  readonly compareWith: CompareWith
  readonly atOnce: boolean
  readonly onRead: () => void
}): Reading {
  const [comparison, setComparison] = useState<ComparisonView>()
  const [reading, setReading] = useState(false)
  const read = async (fresh: boolean): Promise<void> => {
    setReading(true)
    setComparison(await compareSafely(prompt.slug, { compareWith, fresh }))
    setReading(false)
    onRead()
  }
  useEffect(() => {
    setComparison(undefined)
    if (atOnce || compareWith === 'staging') void read(false)
  }, [compareWith, prompt.integrity, atOnce])
  return { comparison, reading, again: () => void read(true) }
}

async function compareSafely(...args: Parameters<typeof compare>): Promise<ComparisonView> {
  try {
    return await compare(...args)
  } catch (error) {
    return { kind: 'error', error: failureView(error) }
  }
}

function Outcome({
  comparison,
  reading,
  compareWith,
  state,
  layout,
}: Reading & {
  readonly compareWith: CompareWith
  readonly state: PageState
  readonly layout: DiffLayout
}): JSX.Element {
  if (comparison?.kind === 'compared') {
    return <Comparison comparison={comparison} layout={layout} editor={state.editor} />
  }
  if (comparison?.kind === 'error') return <ErrorMessage error={comparison.error} />
  if (reading) {
    return (
      <p class="dim" role="status">
        Reading from the service…
      </p>
    )
  }
  if (compareWith === 'service' && state.service.kind === 'off') {
    return <ErrorMessage error={state.service.error} />
  }
  return (
    <div class="card">
      <p>The list of the service matches the lock for this prompt.</p>
      <p class="dim">
        The list has neither texts nor temperatures, and both can change without a new version. Read
        the prompt to compare them. Most plans meter reads.
      </p>
    </div>
  )
}
