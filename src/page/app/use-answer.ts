import { useEffect, useState } from 'preact/hooks'
import type { ReadMode } from '../comparison-protocol.ts'
import { usePage } from './use-page.ts'

/**
 * The answer to a request, which is made again when a key changes. Until then the last one stays.
 *
 * @param ask - may not fail
 * @returns `undefined` until the first answer
 */
export function useAnswer<Answer>(
  ask: () => Promise<Answer>,
  keys: readonly unknown[],
): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>()
  useEffect(() => {
    let isCurrent = true
    void ask().then((next) => isCurrent && setAnswer(() => next))
    return () => void (isCurrent = false)
  }, keys)
  return answer
}

/** An answer that may cost reads of the service. */
export interface Reading<Answer> {
  /** `undefined` until it is there. */
  readonly answer: Answer | undefined
  readonly isBusy: boolean
  /** Reads it, even if it was read recently. */
  readonly read: () => void
}

/**
 * The answer to a request that may cost reads. It is forgotten when the key changes.
 *
 * @param mode - what may be read without a click: reads are commonly metered
 */
export function useReading<Answer>(
  ask: (mode: ReadMode) => Promise<Answer>,
  mode: ReadMode,
  key: string,
): Reading<Answer> {
  const { reload } = usePage()
  const [clicks, setClicks] = useState({ key, count: 0 })
  const count = clicks.key === key ? clicks.count : 0
  const asked = count > 0 ? 'fresh' : mode
  const request = JSON.stringify([key, asked, count])
  const last = useAnswer(async () => {
    const answer = await ask(asked)
    if (asked !== 'known') reload()
    return { key, request, answer }
  }, [request])
  return {
    answer: last?.key === key ? last.answer : undefined,
    isBusy: asked !== 'known' && last?.request !== request,
    read: () => setClicks({ key, count: count + 1 }),
  }
}
