import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ComparisonView, CompareWith } from '../../comparison-protocol.ts'
import { compare } from '../api.ts'
import type { OpenEntry } from '../entries.ts'
import { failureView } from '../failure.ts'
import { usePage } from '../use-page.ts'
import { useSetting } from '../use-route.ts'
import { Choice } from './choice.tsx'
import { Comparison, type DiffLayout, LAYOUT_OPTIONS } from './comparison.tsx'
import { ErrorMessage } from './error-message.tsx'

const COMPARE_WITH: readonly CompareWith[] = ['service', 'staging']
const DIFF_LAYOUTS: readonly DiffLayout[] = ['split', 'inline']

/** Compares a prompt between lock and service, or between live and staging. */
export function CompareView({ entry }: { readonly entry: OpenEntry }): JSX.Element {
  const { missingKey } = usePage().state
  const [compareWith, setCompareWith] = useSetting('with', COMPARE_WITH, 'service')
  const [layout, setLayout] = useSetting('layout', DIFF_LAYOUTS, useMemo(defaultLayout, []))
  const read = useComparison(entry, compareWith)
  return (
    <section class="compare" aria-label="Compare">
      <div class="toolbar flow">
        <Choice
          label="What is compared"
          value={compareWith}
          onChange={setCompareWith}
          options={[
            { value: 'service', label: 'Lock ↔ service' },
            { value: 'staging', label: 'Live ↔ staging', disabled: missingKey !== null },
          ]}
        />
        <Choice
          label="How changes are shown"
          value={layout}
          onChange={setLayout}
          options={LAYOUT_OPTIONS}
        />
        <button type="button" class="button" disabled={read.reading} onClick={read.again}>
          {read.reading ? 'Reading…' : read.comparison === undefined ? 'Read' : 'Read again'}
        </button>
      </div>
      {missingKey !== null && (
        <p class="dim small">
          To compare live with staging, set <code>{missingKey}</code> to the key of the other
          environment.
        </p>
      )}
      <Outcome {...read} compareWith={compareWith} layout={layout} />
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
function useComparison({ prompt, drift }: OpenEntry, compareWith: CompareWith): Reading {
  const { reload } = usePage()
  const atOnce = drift !== undefined
  const [comparison, setComparison] = useState<ComparisonView>()
  const [reading, setReading] = useState(false)
  const read = async (fresh: boolean): Promise<void> => {
    setReading(true)
    setComparison(await compareSafely(prompt.slug, { compareWith, fresh }))
    setReading(false)
    reload()
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
  layout,
}: Reading & {
  readonly compareWith: CompareWith
  readonly layout: DiffLayout
}): JSX.Element {
  const { service } = usePage().state
  if (comparison?.kind === 'compared') {
    return <Comparison comparison={comparison} layout={layout} />
  }
  if (comparison?.kind === 'error') return <ErrorMessage error={comparison.error} />
  if (reading) {
    return (
      <p class="dim" role="status">
        Reading from the service…
      </p>
    )
  }
  if (compareWith === 'service' && service.kind === 'off') {
    return <ErrorMessage error={service.error} />
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
