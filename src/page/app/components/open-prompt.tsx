import type { JSX } from 'preact'
import { readOrError } from '../api.ts'
import type { Entry } from '../entries.ts'
import type { View } from '../route.ts'
import { useAnswer } from '../use-answer.ts'
import { usePage } from '../use-page.ts'
import { ErrorMessage } from './error-message.tsx'
import { MissingPrompt } from './missing.tsx'
import { PromptPage } from './prompt-page.tsx'

/** The page of a prompt of the list, once its texts are read; again when the lock changes. */
export function OpenPrompt({
  entry,
  view,
}: {
  readonly entry: Entry
  readonly view: View
}): JSX.Element {
  const { slug } = entry.prompt
  const { prompts } = usePage().state
  const reading = useAnswer(() => readOrError('prompt', { slug }), [slug, prompts])
  if (reading === undefined) return <div aria-busy="true" />
  if (reading.kind === 'error') return <ErrorMessage error={reading.error} />
  if (reading.kind === 'missing') return <MissingPrompt slug={slug} />
  return <PromptPage entry={{ ...entry, prompt: reading.prompt }} view={view} />
}
