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
export interface StyledText {
  readonly text: string
  readonly format: Format
}

/** Columns of a screen that shows no code. */
const NARROW = 40

/** Width of the line numbers. */
const NUMBERS = 6

/** An output channel: prints lines, and formats texts for them. */
export interface Channel {
  /** Writes each text and a line break. On a terminal, longer lines wrap between words. */
  line(text?: string, ...more: readonly string[]): void
  /** Writes a line that is never wrapped, and no command in it changed: code to copy, or a patch. */
  exactLine(text: string): void
  /** Writes aligned rows, whose last cells wrap in their column on a terminal. */
  rows(rows: Rows): void
  /**
   * Writes an empty line, a title and indented rows; nothing without rows.
   *
   * @param max - more rows are only counted. Default: all are written
   * @param below - lines below each row, such as code, which narrow screens do not show. Default: none
   */
  section(title: string, rows: Rows, max?: number, below?: Rows): void
  /** Writes a line of a text behind its number and a sign, wrapped below itself. */
  numberedLine(number: number, parts: readonly StyledText[], sign?: string): void
  /** Styles a text if the stream shows colours. */
  style(format: Format, text: string): string
  /** A text of less importance. */
  dim(text: string): string
  /** A text after the sign of its result. */
  mark(result: Result, text: string): string
  /** What to do about a problem. */
  fix(advice: string): string
  /** Columns of the screen; `Infinity` for logs and files, whose whole lines can be searched. */
  readonly columns: number
}

/** Options of a channel. */
export interface ChannelSettings {
  /** Sanitizes a text before it is written. */
  readonly change: (text: string) => string
  /** Adapts commands and paths in sentences to this project. Default: they stay. */
  readonly suggest?: ((text: string) => string) | undefined
  readonly colours: boolean
  readonly columns: number
}

/** A channel to a stream; silent without one. */
export function createChannel(
  stream: Stream | undefined,
  { change, suggest = (text) => text, colours, columns }: ChannelSettings,
): Channel {
  const write = (text: string): void => void stream?.write(`${text}\n`)
  const exactLine = (text: string): void => write(change(text))
  // Colour support was already checked, with the variables of the call.
  const style = (format: Format, text: string): string =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text
  const line = (...texts: readonly string[]): void => {
    for (const text of texts.join('\n').split('\n'))
      // A path that is shortened may need no line break.
      wrapLine(change(suggest(text)), columns).forEach(write)
  }
  const dim = (text: string): string => style('dim', text)
  const rows = (cells: Rows, below: Rows = []): void => {
    for (const [index, lines] of wrapRows(cells, columns).entries()) {
      for (const text of lines) exactLine(suggest(text))
      for (const text of columns > NARROW ? (below[index] ?? []) : [])
        exactLine(dim(truncate(`    ${text}`, columns)))
    }
  }
  return {
    line,
    exactLine,
    rows: (cells) => rows(cells),
    section(title, cells, max = cells.length, below = []) {
      if (cells.length === 0) return
      line('', title)
      const indented = cells
        .slice(0, max)
        .map(([first = '', ...others]) => [`  ${first}`, ...others])
      rows(indented, below)
      const hidden = cells.length - max
      if (hidden > 0) line(dim(`  … and ${formatCount(hidden)} more`))
    },
    numberedLine(number, parts, sign = '') {
      const gutter = NUMBERS + displayWidth(sign) + 2
      for (const [index, row] of wrapParts(parts, columns - gutter).entries()) {
        const label = dim((index === 0 ? String(number) : '').padStart(NUMBERS))
        const text = row.map((part) => style(part.format, part.text)).join('')
        exactLine(`${label} ${sign} ${text}`.trimEnd())
      }
    },
    style,
    dim,
    mark(result, text) {
      const [sign, format] = SIGNS[result]
      return `${style(format, sign)} ${text}`
    },
    fix: (advice) => `${style('cyan', 'Fix:')} ${advice}`,
    columns,
  }
}
