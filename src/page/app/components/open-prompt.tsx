import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PromptReading } from '../../protocol.ts'
import { failureView, readPrompt } from '../api.ts'
import type { Entry } from '../entries.ts'
import type { View } from '../route.ts'
import { usePage } from '../use-page.ts'
import { ErrorMessage } from './error-message.tsx'
import { MissingPrompt } from './missing.tsx'
import { PromptPage } from './prompt-page.tsx'

/** The page of a prompt of the list, once its texts are read. */
export function OpenPrompt({
  entry,
  view,
}: {
  readonly entry: Entry
  readonly view: View
}): JSX.Element {
  const { slug } = entry.prompt
  const reading = usePrompt(slug)
  if (reading === undefined) return <div aria-busy="true" />
  if (reading.kind === 'error') return <ErrorMessage error={reading.error} />
  if (reading.kind === 'missing') return <MissingPrompt slug={slug} />
  return <PromptPage entry={{ ...entry, prompt: reading.prompt }} view={view} />
}

/**
 * One prompt with its texts, read again when the lock changes. Until then the last texts stay.
 *
 * @returns `undefined` until it is read
 */
function usePrompt(slug: string): PromptReading | undefined {
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
