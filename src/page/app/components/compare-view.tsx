import type { JSX } from 'preact'
import type { CompareWith } from '../../comparison-protocol.ts'
import { readOrError } from '../api.ts'
import type { OpenEntry } from '../entries.ts'
import { usePage } from '../use-page.ts'
import { useReading } from '../use-answer.ts'
import { useSetting } from '../use-route.ts'
import { SettingChoice } from './choice.tsx'
import { Comparison, LayoutChoice, MissingKey } from './comparison.tsx'
import { ErrorMessage } from './boxes.tsx'

/** Compares a prompt between lock and service, or between live and staging. */
export function CompareView({ entry }: { readonly entry: OpenEntry }): JSX.Element {
  const { slug, integrity } = entry.prompt
  const { missingKey } = usePage().state
  const sides = [
    { value: 'service', label: 'Lock ↔ service' },
    { value: 'staging', label: 'Live ↔ staging', disabled: missingKey !== null },
  ] as const
  const [side] = useSetting('with', sides)
  // A prompt is read without a click only if the list shows a change.
  const mode = entry.drift !== undefined || side === 'staging' ? 'recent' : 'known'
  const {
    answer: comparison,
    isBusy,
    read,
  } = useReading(
    async (asked) => {
      if (asked === 'known') return undefined
      return readOrError('compare', { slug, with: side, ...(asked === 'fresh' && { fresh: '' }) })
    },
    mode,
    JSON.stringify([side, integrity, mode]),
  )
  return (
    <section class="compare" aria-label="Compare">
      <div class="toolbar flow">
        <SettingChoice name="with" label="What is compared" options={sides} />
        <LayoutChoice />
        <button type="button" class="button" disabled={isBusy} onClick={read}>
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
