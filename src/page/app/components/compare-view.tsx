import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ComparisonView, CompareWith } from '../../comparison-protocol.ts'
import { compare, failureView } from '../api.ts'
import type { OpenEntry } from '../entries.ts'
import { usePage } from '../use-page.ts'
import { useSetting } from '../use-route.ts'
import { SettingChoice } from './choice.tsx'
import { Comparison, type DiffLayout, INLINE_FIRST, SPLIT_FIRST } from './comparison.tsx'
import { ErrorMessage } from './error-message.tsx'

/** Compares a prompt between lock and service, or between live and staging. */
export function CompareView({ entry }: { readonly entry: OpenEntry }): JSX.Element {
  const { missingKey } = usePage().state
  const sides = [
    { value: 'service', label: 'Lock ↔ service' },
    { value: 'staging', label: 'Live ↔ staging', disabled: missingKey !== null },
  ] as const
  const layouts = useMemo(defaultLayouts, [])
  const [compareWith] = useSetting('with', sides)
  const [layout] = useSetting('layout', layouts)
  const read = useComparison(entry, compareWith)
  return (
    <section class="compare" aria-label="Compare">
      <div class="toolbar flow">
        <SettingChoice name="with" label="What is compared" options={sides} />
        <SettingChoice name="layout" label="How changes are shown" options={layouts} />
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
function defaultLayouts(): typeof INLINE_FIRST {
  return matchMedia('(min-width: 900px)').matches ? SPLIT_FIRST : INLINE_FIRST
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
