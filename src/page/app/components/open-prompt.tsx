import type { JSX } from 'preact'
import type { PageState } from '../../protocol.ts'
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
  state,
  revision,
  reload,
}: {
  readonly entry: Entry
  readonly view: View
  readonly state: PageState
  /** Of the lock. */
  readonly revision: string
  readonly reload: () => void
}): JSX.Element {
  const { slug } = entry.prompt
  const reading = usePrompt(slug, revision)
  if (reading === undefined) return <div aria-busy="true" />
  if (reading.kind === 'error') return <ErrorMessage error={reading.error} />
  if (reading.kind === 'missing') return <MissingPrompt slug={slug} />
  const open = { ...entry, prompt: reading.prompt }
  return <PromptPage entry={open} view={view} state={state} reload={reload} />
}
