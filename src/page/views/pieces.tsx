/** Small parts of documents. Text of the service is drawn by these only, with hidden characters by name. */
import type { ComponentChildren, JSX } from 'preact'
import { parseTemplate } from '../../core/template.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import type { ErrorView } from '../shown.ts'

/** Double braces in a text without tokens, as far as a note quotes them. */
const NOTE = /(\{\{(?:(?!\{\{|\}\}).){0,38}(?:\}\})?)/

interface PiecesProps {
  readonly text: string
  /** What is marked besides hidden characters. Default: nothing. */
  readonly marks?: 'tokens' | 'tokens and notes'
}

/** Text of the service. */
export function Pieces({ text, marks }: PiecesProps): JSX.Element {
  const parts = marks ? parseTemplate(text) : [text]
  const pieces = parts.flatMap((part) => {
    if (typeof part !== 'string') return <mark class="token">{part.raw}</mark>
    if (marks !== 'tokens and notes') return visible(part)
    return part
      .split(NOTE)
      .map((piece, index) =>
        index % 2 === 1 ? <span class="note-text">{visible(piece)}</span> : visible(piece),
      )
  })
  return <>{pieces}</>
}

/** Hidden characters would be shown as nothing, or change what stands beside them. */
function visible(text: string): string {
  return text.split('\n').map(makeVisible).join('\n')
}

/** A short text of the service, such as a slug. */
export function Remote({ text }: { text: string }): JSX.Element {
  return <bdi children={<Pieces text={text} />} />
}

/** The same in code. */
export function RemoteCode({ text }: { text: string }): JSX.Element {
  return <code children={<Remote text={text} />} />
}

/** A sentence with code between backticks; may contain text of the service. */
export function Reason({ text }: { text: string }): JSX.Element {
  const parts = text.split('`')
  const isCode = (index: number): boolean => index % 2 === 1 && index < parts.length - 1
  const pieces = parts.map((part, index) =>
    isCode(index) ? <RemoteCode text={part} /> : <Pieces text={part} />,
  )
  return <span>{pieces}</span>
}

interface PanelProps {
  readonly title: string
  readonly label?: string
  readonly id?: string
  /** Next to the title. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A box for a text, with a title above. */
export function Panel({ title, label = title, id, aside, children }: PanelProps): JSX.Element {
  return (
    <section class="panel" aria-label={label} id={id}>
      <header class="flow">
        <h2 class="grow">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** An error of the catalogue: what happened, and how to fix it. */
export function ErrorMessage({ error: { why, fix, code } }: { error: ErrorView }): JSX.Element {
  return (
    <div class="error-message" role="alert">
      <p class="why" children={<Pieces text={why} />} />
      <p children={<Pieces text={fix} />} />
      <code class="dim">{code}</code>
    </div>
  )
}

/**
 * A button with which the script copies a text, which is JSON here: attributes would change line ends.
 *
 * @param label - what is copied, such as `the system text`
 */
export function CopyButton({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    <button type="button" class="button copy" data-copy={JSON.stringify(text)}>
      <span aria-live="polite">Copy</span>
      <span class="offscreen">{` ${label}`}</span>
    </button>
  )
}

/**
 * `1,234 characters, about 309 tokens`: one per four characters for every model. Real tokenizers differ by
 * language and model, and none of them is small.
 */
export function sizeOf(characters: number): string {
  return `${pluralize(characters, 'character')}, about ${pluralize(Math.ceil(characters / 4), 'token')}`
}

/** Opens a place of the app in the editor: a button of the one form for this. */
export function EditorLink({ file, line }: { file: string; line?: number | null }): JSX.Element {
  const place = line ? `${file}:${line}` : file
  return (
    <button form="open" name="open" value={place} class="bare" title="Open in the editor">
      <code>{place}</code>
    </button>
  )
}

/** What a document says where it has nothing to list. */
export function Message({ title, children }: MessageProps): JSX.Element {
  return (
    <section class="message stack">
      <h1>{title}</h1>
      <div class="dim">{children}</div>
    </section>
  )
}

interface MessageProps {
  readonly title: string
  readonly children: ComponentChildren
}
