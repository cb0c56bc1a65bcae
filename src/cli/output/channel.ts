import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import displayWidth from 'fast-string-width'
import type { Segment } from '../../features/diff/text-diff.ts'
import { type Rows, wrapLine, wrapRows, wrapSegments } from './layout.ts'

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
export const SIGNS: Readonly<Record<Result, readonly [sign: string, format: Format]>> = {
  ok: ['✔', 'green'],
  warning: ['▲', 'yellow'],
  error: ['✖', 'red'],
  skipped: ['○', 'dim'],
}

/** An output channel: prints lines, and formats texts for them. */
export interface Channel {
  /** Writes each text and a line break. On a terminal, longer lines wrap between words. */
  line(text?: string, ...more: readonly string[]): void
  /** Writes a line that is never wrapped: code to copy, or a patch. */
  exactLine(text: string): void
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
  readonly colours: boolean
  readonly columns: number
}

/** A channel to a stream; silent without one. */
export function createChannel(
  stream: Stream | undefined,
  { change, colours, columns }: ChannelSettings,
): Channel {
  const exactLine = (text: string): void => void stream?.write(`${change(text)}\n`)
  // Colour support was already checked, with the variables of the call.
  const style = (format: Format, text: string): string =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text
  return {
    line(...texts) {
      for (const line of texts.join('\n').split('\n')) wrapLine(line, columns).forEach(exactLine)
    },
    exactLine,
    style,
    dim: (text) => style('dim', text),
    mark(result, text) {
      const [sign, format] = SIGNS[result]
      return `${style(format, sign)} ${text}`
    },
    fix: (advice) => `${style('cyan', 'Fix:')} ${advice}`,
    columns,
  }
}

/** Prints aligned rows, whose last cells wrap in their column on a terminal. */
export function printRows(rows: Rows, channel: Channel): void {
  for (const line of wrapRows(rows, channel.columns).flat()) channel.line(line)
}

/** Width of the line numbers. */
const NUMBERS = 6

/** How a line of a text is printed behind its number. */
interface NumberedLine {
  readonly number: number
  /** What follows the number. Default: nothing. */
  readonly sign?: string
  readonly segments: readonly Segment[]
  readonly paint: (segment: Segment) => string
}

/** Prints a line of a text behind its number, wrapped below itself. */
export function printNumberedLine(
  { number, sign = '', segments, paint }: NumberedLine,
  channel: Channel,
): void {
  const gutter = NUMBERS + displayWidth(sign) + 2
  for (const [index, row] of wrapSegments(segments, channel.columns - gutter).entries()) {
    const label = channel.dim((index === 0 ? String(number) : '').padStart(NUMBERS))
    channel.line(`${label} ${sign} ${row.map(paint).join('')}`.trimEnd())
  }
}
