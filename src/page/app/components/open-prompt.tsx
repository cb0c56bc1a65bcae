import type { JSX } from 'preact'
import type { Entry } from '../entries.ts'
import type { View } from '../route.ts'
import { usePrompt } from '../use-prompt.ts'
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
