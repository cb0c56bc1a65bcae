import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { PageState } from '../../protocol.ts'
import type { Entry } from '../entries.ts'
import { charactersIn, count, ESTIMATE, estimateTokens } from '../numbers.ts'
import { Choice } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'
import { Inspector } from './inspector.tsx'
import { MarkdownText } from './markdown-text.tsx'
import { RawText } from './raw-text.tsx'

type TextFormat = 'raw' | 'markdown'

/** The stored texts of a prompt, next to its variables, importers and lints. */
export function TextView({
  entry,
  state,
}: {
  readonly entry: Entry
  readonly state: PageState
}): JSX.Element {
  const [look, setLook] = useState<TextFormat>('raw')
  const { system, user, source, join } = entry.prompt
  return (
    <div class="columns">
      <div class="texts">
        <div class="toolbar">
          <Choice
            label="How the texts are shown"
            value={look}
            onChange={setLook}
            options={[
              { value: 'raw', label: 'Raw' },
              { value: 'markdown', label: 'Markdown' },
            ]}
          />
        </div>
        <TextPanel name="System" field="system" text={system} entry={entry} look={look} />
        {user === '' ? (
          <p class="dim none">No user text.</p>
        ) : (
          <TextPanel name="User" field="user" text={user} entry={entry} look={look} />
        )}
        {join === null && (
          <TextPanel name="Whole text" field="source" text={source} entry={entry} look={look} />
        )}
      </div>
      <Inspector entry={entry} state={state} />
    </div>
  )
}

function TextPanel({
  name,
  field,
  text,
  entry,
  look,
}: {
  readonly name: string
  readonly field: 'system' | 'user' | 'source'
  readonly text: string
  readonly entry: Entry
  readonly look: TextFormat
}): JSX.Element {
  const characters = charactersIn(text)
  const lints = entry.prompt.lints.filter((lint) => lint.field === field)
  return (
    <section class="panel" aria-label={`${name} text`}>
      <header>
        <h2>{name}</h2>
        <span class="size" title={`Tokens are an estimate: ${ESTIMATE}.`}>
          {`${count(characters)} characters · ≈ ${count(estimateTokens(characters))} tokens`}
        </span>
        <CopyButton text={() => text} label={`the ${name.toLowerCase()} text`} />
      </header>
      {look === 'raw' ? (
        <RawText text={text} lints={lints} label={`${name} text`} />
      ) : (
        <MarkdownText text={text} />
      )}
    </section>
  )
}
