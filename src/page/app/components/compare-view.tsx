import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ComparisonView, CompareWith } from '../../comparison-protocol.ts'
import { readOrError } from '../api.ts'
import type { OpenEntry } from '../entries.ts'
import { usePage } from '../use-page.ts'
import { useSetting } from '../use-route.ts'
import { SettingChoice } from './choice.tsx'
import { Comparison, LayoutChoice, MissingKey } from './comparison.tsx'
import { ErrorMessage } from './error-message.tsx'

/** Compares a prompt between lock and service, or between live and staging. */
export function CompareView({ entry }: { readonly entry: OpenEntry }): JSX.Element {
  const { missingKey } = usePage().state
  const sides = [
    { value: 'service', label: 'Lock ↔ service' },
    { value: 'staging', label: 'Live ↔ staging', disabled: missingKey !== null },
  ] as const
  const [side] = useSetting('with', sides)
  const reading = useComparison(entry, side)
  const { comparison, isBusy } = reading
  return (
    <section class="compare" aria-label="Compare">
      <div class="toolbar flow">
        <SettingChoice name="with" label="What is compared" options={sides} />
        <LayoutChoice />
        <button type="button" class="button" disabled={isBusy} onClick={reading.again}>
          {isBusy ? 'Reading…' : comparison === undefined ? 'Read' : 'Read again'}
        </button>
      </div>
      <MissingKey compared="live with staging" />
      {comparison?.kind === 'compared' ? (
        <Comparison comparison={comparison} />
      ) : comparison?.kind === 'error' ? (
        <ErrorMessage error={comparison.error} />
      ) : (
        <NotRead isBusy={isBusy} side={side} />
      )}
    </section>
  )
}

interface Reading {
  readonly comparison: ComparisonView | undefined
  readonly isBusy: boolean
  readonly again: () => void
}

/** Reads are commonly metered, so a prompt is read automatically only if the list shows a change. */
function useComparison({ prompt, drift }: OpenEntry, side: CompareWith): Reading {
  const { reload } = usePage()
  const atOnce = drift !== undefined
  const [comparison, setComparison] = useState<ComparisonView>()
  const [isBusy, setIsBusy] = useState(false)
  const read = async (freshness: { readonly fresh?: '' }): Promise<void> => {
    setIsBusy(true)
    setComparison(await readOrError('compare', { slug: prompt.slug, with: side, ...freshness }))
    setIsBusy(false)
    reload()
  }
  useEffect(() => {
    setComparison(undefined)
    if (atOnce || side === 'staging') void read({})
  }, [side, prompt.integrity, atOnce])
  return { comparison, isBusy, again: () => void read({ fresh: '' }) }
}

function NotRead({
  isBusy,
  side,
}: {
  readonly isBusy: boolean
  readonly side: CompareWith
}): JSX.Element {
  const { service } = usePage().state
  if (isBusy) {
    return (
      <p class="dim" role="status">
        Reading from the service…
      </p>
    )
  }
  if (side === 'service' && service.kind === 'off') return <ErrorMessage error={service.error} />
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
