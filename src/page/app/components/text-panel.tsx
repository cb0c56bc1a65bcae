import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { OpenEntry } from '../entries.ts'
import { charactersIn, count, ESTIMATE, estimateTokens } from '../numbers.ts'
import type { TextField, TextPlace } from '../places.ts'
import { CopyButton } from './copy-button.tsx'
import { MarkdownText } from './markdown-text.tsx'
import { RawText } from './raw-text.tsx'

/** One text of a prompt, with its size. */
export function TextPanel({
  name,
  field,
  text,
  entry,
  format,
  target,
  isWhole,
}: {
  readonly name: string
  readonly field: TextField
  readonly text: string
  readonly entry: OpenEntry
  readonly format: 'raw' | 'markdown'
  /** The line to scroll to, of any text. */
  readonly target: TextPlace | undefined
  /** Whether all lines of a long text are shown. */
  readonly isWhole: boolean
}): JSX.Element {
  const characters = charactersIn(text)
  const lints = useMemo(
    () => entry.prompt.lints.filter((lint) => lint.field === field),
    [entry.prompt, field],
  )
  return (
    <section class="panel" aria-label={`${name} text`} data-field={field}>
      <header>
        <h2>{name}</h2>
        <span class="size dim small" title={`Tokens are an estimate: ${ESTIMATE}.`}>
          {`${count(characters)} characters · ≈ ${count(estimateTokens(characters))} tokens`}
        </span>
        <CopyButton text={() => text} label={`the ${name.toLowerCase()} text`} />
      </header>
      {format === 'raw' ? (
        <RawText
          text={text}
          lints={lints}
          label={`${name} text`}
          target={target?.field === field ? target : undefined}
          isWhole={isWhole}
        />
      ) : (
        <MarkdownText text={text} />
      )}
    </section>
  )
}
