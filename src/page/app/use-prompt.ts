import { useEffect, useState } from 'preact/hooks'
import type { PromptReading } from '../protocol.ts'
import { readPrompt } from './api.ts'
import { failureView } from './failure.ts'
import { usePage } from './use-page.ts'

/**
 * One prompt with its texts, read again when the lock changes. Until then the last texts stay.
 *
 * @returns `undefined` until it is read
 */
export function usePrompt(slug: string): PromptReading | undefined {
  const { prompts } = usePage().state
  const [reading, setReading] = useState<PromptReading>()
  useEffect(() => {
    let isCurrent = true
    const keep = (next: PromptReading): void => {
      if (isCurrent) setReading(next)
    }
    readPrompt(slug).then(keep, (error: unknown) => {
      keep({ kind: 'error', error: failureView(error) })
    })
    return () => void (isCurrent = false)
  }, [slug, prompts])
  return reading
}
