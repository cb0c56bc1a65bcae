import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import displayWidth from 'fast-string-width'
import { formatCount } from '../../core/text/pluralize.ts'
import { type Rows, truncate, wrapLine, wrapParts, wrapRows } from './layout.ts'

/** A text format of node:util's `styleText`. */
export type Format = Parameters<typeof styleText>[0]

/** An output stream of a process. */
export type Stream = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** A result that has a sign. */
export type Result = 'ok' | 'warning' | 'error' | 'skipped'

/** The signs of results, and their colours. */
const SIGNS: Readonly<Record<Result, readonly [sign: string, format: Format]>> = {
  ok: ['✔', 'green'],
  warning: ['▲', 'yellow'],
  error: ['✖', 'red'],
  skipped: ['○', 'dim'],
}

/** A part of a line with its format. */
interface StyledText {
  readonly text: string
  readonly format: Format
}

/** Columns of a screen that shows no code. */
const NARROW = 40

/** Width of the line numbers. */
const NUMBERS = 6

/** How a channel prints. */
export interface ChannelSettings {
  /** Sanitizes a text before it is written. */
  readonly change: (text: string) => string
  /** Adapts commands and paths in sentences to this project. */
  readonly suggest: (text: string) => string
  readonly colours: boolean
  /** Columns of the screen; `Infinity` for logs and files, whose whole lines can be searched. */
  readonly columns: number
}

/** An output channel: prints lines, and formats texts for them. Silent without a stream. */
export class Channel {
  readonly columns: number
  readonly #stream: Stream | undefined
  readonly #settings: ChannelSettings

  constructor(stream: Stream | undefined, settings: ChannelSettings) {
    this.#stream = stream
    this.#settings = settings
    this.columns = settings.columns
  }

  /** Writes each text and a line break. On a terminal, longer lines wrap between words. */
  line(...texts: readonly string[]): void {
    const { change, suggest } = this.#settings
    for (const text of texts.join('\n').split('\n'))
      // A path that is shortened may need no line break.
      for (const row of wrapLine(change(suggest(text)), this.columns)) this.#write(row)
  }

  /** Writes a line that is never wrapped, and no command in it changed: code to copy, or a patch. */
  exactLine(text: string): void {
    this.#write(this.#settings.change(text))
  }

  #write(text: string): void {
    this.#stream?.write(`${text}\n`)
  }

  /**
   * Writes aligned rows, whose last cells wrap in their column on a terminal.
   *
   * @param below - lines below each row, such as code, which narrow screens do not show. Default: none
   */
  rows(rows: Rows, below: Rows = []): void {
    for (const [index, lines] of wrapRows(rows, this.columns).entries()) {
      for (const text of lines) this.exactLine(this.#settings.suggest(text))
      for (const text of this.columns > NARROW ? (below[index] ?? []) : [])
        this.exactLine(this.dim(truncate(`    ${text}`, this.columns)))
    }
  }

  /**
   * Writes an empty line, a title and indented rows; nothing without rows.
   *
   * @param max - more rows are only counted. Default: all are written
   * @param below - as for {@link rows}
   */
  section(title: string, rows: Rows, max: number = rows.length, below?: Rows): void {
    if (rows.length === 0) return
    this.line('', title)
    const visible = rows.slice(0, max)
    this.rows(
      visible.map(([first = '', ...others]) => [`  ${first}`, ...others]),
      below,
    )
    const hidden = rows.length - max
    if (hidden > 0) this.line(this.dim(`  … and ${formatCount(hidden)} more`))
  }

  /** Writes a line of a text behind its number and a sign, wrapped below itself. */
  numberedLine(number: number, parts: readonly StyledText[], sign = ''): void {
    const gutter = NUMBERS + displayWidth(sign) + 2
    for (const [index, row] of wrapParts(parts, this.columns - gutter).entries()) {
      const label = this.dim((index === 0 ? String(number) : '').padStart(NUMBERS))
      const text = row.map((part) => this.style(part.format, part.text)).join('')
      this.exactLine(`${label} ${sign} ${text}`.trimEnd())
    }
  }

  /** Styles a text if the stream shows colours. */
  style(format: Format, text: string): string {
    // Colour support was already checked, with the variables of the call.
    const isStyled = this.#settings.colours && text !== ''
    return isStyled ? styleText(format, text, { validateStream: false }) : text
  }

  /** A text of less importance. */
  dim(text: string): string {
    return this.style('dim', text)
  }

  /** A text after the sign of its result. */
  mark(result: Result, text: string): string {
    const [sign, format] = SIGNS[result]
    return `${this.style(format, sign)} ${text}`
  }

  /** What to do about a problem. */
  fix(advice: string): string {
    return `${this.style('cyan', 'Fix:')} ${advice}`
  }
}
