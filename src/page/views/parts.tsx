/** Small parts of documents. Text of the service is drawn by these only, with hidden characters by name. */
import { type ComponentProps, type Context, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { changedTexts, type ChangeRow, type ComparedRow } from '../../core/change-row.ts'
import { describeEffects, describeVersion } from '../../core/describe-change.ts'
import { type PartId, partKey, type PromptText } from '../../core/prompt.ts'
import { parseTemplate } from '../../core/template.ts'
import { countCharacters, pluralize } from '../../core/text/pluralize.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import { diffTexts, type DiffLine, lineText, LOOKALIKES } from '../../features/diff/text-diff.ts'
import type { ErrorView, Follow, View } from '../shown.ts'

/** The view of the document that is being drawn. */
export const ViewContext: Context<View> = createContext<View>({} as View)

export function useView(): View {
  return useContext(ViewContext)
}

/** What can follow the last act, if it was about this part. */
export function useFollow(part: PartId): Partial<Follow> {
  const { follow } = useView()
  return follow && partKey(follow.of) === partKey(part) ? follow : {}
}

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

/** An error of the catalogue: what happened, and how to fix it. */
export function ErrorMessage({ why, fix, code }: ErrorView): JSX.Element {
  return (
    <div class="error-message" role="alert">
      <p class="why" children={<Pieces text={why} />} />
      <p children={<Pieces text={fix} />} />
      <code class="dim">{code}</code>
    </div>
  )
}

interface TitledProps extends ComponentProps<'div'> {
  readonly title: string
}

/** What a document says where it has nothing to list. */
export function Message({ title, children }: TitledProps): JSX.Element {
  return (
    <section class="message stack">
      <h1>{title}</h1>
      <div class="dim">{children}</div>
    </section>
  )
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
export function sizeOf(...texts: readonly string[]): string {
  const characters = texts.reduce((sum, text) => sum + countCharacters(text), 0)
  return `${pluralize(characters, 'character')}, about ${pluralize(Math.ceil(characters / 4), 'token')}`
}

/** What a change is, in a few words: `contract: +language, user text`. What breaks is said beside it. */
export function summaryOf(row: ChangeRow): string {
  const effects = describeEffects(row, String)
  return ['unread', 'breaking'].includes(row.class) ? effects : `${row.class}: ${effects}`
}

/** The version labels of a change. */
export function versionOf(row: ChangeRow): string {
  return describeVersion(row, String)
}

interface PanelProps extends TitledProps {
  readonly label: string
  /** Next to the title. */
  readonly aside?: JSX.Element
}

/** A box for a text, with a title above. The keyboard reaches what is wider than the box. */
export function Panel({ title, label, id, aside, ...text }: PanelProps): JSX.Element {
  return (
    <section class="panel" aria-label={label} id={id}>
      <header class="flow">
        <h2 class="grow">{title}</h2>
        {aside}
      </header>
      <div role="group" tabIndex={0} aria-label={label} {...text} />
    </section>
  )
}

/** What the page calls the texts of a prompt. */
export const TEXT_NAMES = { system: 'System', user: 'User', source: 'Whole text' } as const

/** One text of a prompt, with its size and with line numbers, counted as in the lock and in notes. */
export function TextPanel({ field, text }: PromptText): JSX.Element {
  const label = `${TEXT_NAMES[field]} text`
  const aside = (
    <>
      <span class="dim small">{sizeOf(text)}</span>
      <CopyButton text={text} label={`the ${label.toLowerCase()}`} />
    </>
  )
  return (
    <Panel title={TEXT_NAMES[field]} label={label} id={field} class="raw" aside={aside}>
      {text.split('\n').map((line, index) => (
        <span class="line" id={`${field}-${index + 1}`}>
          <Pieces text={line} marks="tokens and notes" />
          {'\n'}
        </span>
      ))}
    </Panel>
  )
}

interface DifferenceProps extends ComparedRow {
  /** Which of several of one prompt it is. Default: the only one. */
  readonly name?: string
}

/** The texts that differ, until which there are none. */
export function Difference({ slug, change, name = 'compared' }: DifferenceProps): JSX.Element {
  const panels = changedTexts(change).map(({ field, before, after }) => {
    const title = TEXT_NAMES[field]
    const texts = { before: before ?? '', after: after ?? '' }
    return <DiffPanel title={title} label={`${title} text of ${slug} ${name}`} {...texts} />
  })
  return <>{panels}</>
}

interface DiffProps extends PanelProps {
  readonly before: string
  readonly after: string
}

/** The only diff of the page. */
export function DiffPanel({ before, after, ...panel }: DiffProps): JSX.Element {
  const hunks = diffTexts(before, after)
  const lines = hunks.flatMap((hunk, index) => {
    const gap = gapBetween(hunks[index - 1], hunk)
    return [
      gap > 0 && <p class="gap dim small" children={pluralize(gap, 'unchanged line')} />,
      <div class="hunk">{hunk.map(drawLine)}</div>,
    ]
  })
  return <Panel {...panel} children={lines} />
}

/** The number of lines between two hunks, or before the first one. */
function gapBetween(before: readonly DiffLine[] = [], after: readonly DiffLine[]): number {
  const end = before.findLast(({ kind }) => kind !== 'removed')?.number ?? 0
  const start = after.find(({ kind }) => kind !== 'removed')?.number ?? end + 1
  return start - end - 1
}

const SIGNS = { same: [' ', ''], removed: ['−', 'removed: '], added: ['+', 'added: '] } as const

function drawLine({ kind, number, segments, differsIn }: DiffLine): JSX.Element {
  const [sign, spoken] = SIGNS[kind]
  const content = segments.map(({ text, changed }) => {
    const pieces = <Pieces text={text} marks="tokens" />
    return changed ? <mark>{pieces}</mark> : pieces
  })
  return (
    <div class={`diff-line ${kind}`}>
      <span class="number" aria-hidden="true" children={number} />
      <span class="sign" aria-hidden="true" children={sign} />
      <span class="offscreen">{spoken}</span>
      <span class="content">
        {content}
        {differsIn && <span class="dim small">{` (${LOOKALIKES[differsIn]})`}</span>}
      </span>
    </div>
  )
}

/** A longer difference is closed at first: what is decided about it would be far below. */
const SHORT = { lines: 40, characters: 4000 }

export function isShort({ change }: ComparedRow): boolean {
  const lines = changedTexts(change).flatMap(({ before, after }) =>
    diffTexts(before ?? '', after ?? '')
      .flat()
      .map(lineText),
  )
  return lines.length <= SHORT.lines && lines.join('').length <= SHORT.characters
}
