import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { escapeInvisible } from '../../core/text/json-string.ts'
import { neutralizeCiCommands } from '../../core/text/sanitize.ts'

/** How a text is shown, in the words of node:util's `styleText`. */
export type Format = Parameters<typeof styleText>[0]

/** One of the two streams of a process. */
export type Stream = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** The streams for asking a person. */
export interface InteractiveStreams {
  readonly input: Readable
  readonly output: Writable
}

/** A way out to the reader. */
export interface Channel {
  /** Writes whole lines; a line end is added. */
  line(text?: string): void
  /** Styles a text where the stream shows colours, else gives it back. */
  style(format: Format, text: string): string
}

/** The output of a command: data on stdout, messages on stderr. */
export interface Terminal {
  /** What was asked for, on stdout; nothing under `--json` and `--silent`. */
  readonly stdout: Channel
  /** What goes along with it, on stderr; nothing under `--silent`, and no progress under `--json`. */
  readonly messages: Channel
  /** What went wrong, on stderr; never silenced. */
  readonly errors: Channel
  /** Whether `--json` was given. */
  readonly isJson: boolean
  /** Columns for words; 80 where there is no screen. */
  readonly width: number
  /** Columns for data, without an end where it goes to a file or a program. */
  readonly stdoutWidth: number
  /** Columns for drawing: what is longer is broken, and can't be taken away again. */
  readonly stderrWidth: number
  /** Whether a progress bar can be drawn on stderr. */
  readonly canDraw: boolean
  /** `undefined` where there is nobody to be asked. */
  readonly interactive: InteractiveStreams | undefined
  /** The one object of `--json`, on stdout; nothing without the option. */
  json(value: object): void
  /** Writes to stdout as it is, for lines that a machine reads. */
  raw(text: string): void
  /** Writes to stderr as it is, for drawing. */
  draw(text: string): void
  /** From here on, this text is never written. */
  redact(secret: string): void
  /** From here on, messages and errors suggest commands with this instead of `npx`. */
  suggestWith(run: string): void
  /** A text with the suggested commands in it as the project's package manager runs them. */
  suggest(text: string): string
}

/** What a terminal is made of. */
export interface TerminalSettings {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly json: boolean
  readonly silent: boolean
}

/** The terminal of one run: every output of the commands goes through it. */
export function createTerminal(settings: TerminalSettings): Terminal {
  const { stdout, stderr, stdin, env, json, silent } = settings
  const secrets = new Set<string>()
  const safe = (text: string): string => redactAll(text, secrets)
  const printable = (text: string): string => neutralizeCiCommands(safe(text))
  let runner = 'npx'
  const suggest = (text: string): string =>
    text.replaceAll('`npx prompts', () => `\`${runner} prompts`)
  const message = (text: string): string => printable(suggest(text))
  const channel = (stream: Stream, muted: boolean, change = printable): Channel =>
    createChannel(muted ? undefined : stream, { change, colours: hasColours(stream, env) })
  const canDraw = !silent && !json && isInteractiveTerminal(stderr, env)
  return {
    ...widths(settings),
    stdout: channel(stdout, json || silent, isCommandLog(env) ? printable : safe),
    messages: channel(stderr, json || silent, message),
    errors: channel(stderr, false, message),
    isJson: json,
    canDraw,
    interactive: canDraw && stdin.isTTY === true ? { input: stdin, output: stderr } : undefined,
    json: (value) => void (json && stdout.write(`${safe(printJson(value))}\n`)),
    raw: (text) => void stdout.write(safe(text)),
    draw: (text) => void stderr.write(safe(text)),
    redact: (secret) => void (secret.length >= MIN_SECRET_LENGTH && secrets.add(secret)),
    suggestWith: (run) => void (runner = run),
    suggest,
  }
}

interface ChannelSettings {
  /** Makes a text fit to be written. */
  readonly change: (text: string) => string
  readonly colours: boolean
}

/** A channel to a stream, or to nowhere. */
function createChannel(stream: Stream | undefined, { change, colours }: ChannelSettings): Channel {
  return {
    line(text = '') {
      stream?.write(`${change(text)}\n`)
    },
    // The stream was asked before, with the variables of the call.
    style: (format, text) =>
      colours && text !== '' ? styleText(format, text, { validateStream: false }) : text,
  }
}

/**
 * Whether a CI server reads commands from stdout. Elsewhere data is written as it is, so that
 * `prompts diff --unified > prompts.patch` applies.
 */
function isCommandLog(env: TerminalSettings['env']): boolean {
  return ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'].some((name) => isSet(env[name]))
}

/** What is shorter is no key, and hiding it would spoil every other word. */
const MIN_SECRET_LENGTH = 8

function widths({
  stdout,
  stderr,
}: TerminalSettings): Pick<Terminal, 'width' | 'stdoutWidth' | 'stderrWidth'> {
  return {
    width: Math.max(40, columnsOf(stdout) ?? columnsOf(stderr) ?? 80),
    stdoutWidth: stdout.isTTY === true ? (columnsOf(stdout) ?? 80) : Number.POSITIVE_INFINITY,
    stderrWidth: columnsOf(stderr) ?? 80,
  }
}

/** A pseudo-terminal that was given no size says that it has 0 columns. */
function columnsOf({ columns = 0 }: Stream): number | undefined {
  return columns === 0 ? undefined : columns
}

/** Whether a stream is a screen that somebody looks at and that can be drawn on. */
function isInteractiveTerminal({ isTTY }: Stream, env: TerminalSettings['env']): boolean {
  return isTTY === true && env['TERM'] !== 'dumb' && !isSet(env['CI'])
}

/** `##[` is a command to GitHub's runner anywhere in a line. */
function printJson(value: object): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2)).replaceAll('##', '#\\u0023')
}

function redactAll(text: string, secrets: ReadonlySet<string>): string {
  return [...secrets].reduce((safe, secret) => safe.replaceAll(secret, '[key]'), text)
}

/** FORCE_COLOR before NO_COLOR, as Node itself has it; then what the stream is. */
function hasColours(stream: Stream, env: TerminalSettings['env']): boolean {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return !isSet(env['NO_COLOR']) && stream.isTTY === true && env['TERM'] !== 'dumb'
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}
