import { dirname, relative, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import displayWidth from 'fast-string-width'
import { changeTexts, maskSecrets } from '../../core/secrets.ts'
import { escapeInvisible } from '../../core/text/json-string.ts'
import { formatCount } from '../../core/text/pluralize.ts'
import { neutralizeCiCommands } from '../../core/text/sanitize.ts'
import { describeSystemError, errorCode, PromptsError } from '../../errors/prompts-error.ts'
import { relativeInside } from '../../fs/paths.ts'
import { type Rows, truncate, wrapLine, wrapParts, wrapRows } from './layout.ts'

/** Moves to the start of the line and clears it. */
const ERASE_LINE = '\r\u001b[2K'

/** The streams of an interactive terminal. */
export interface InteractiveStreams {
  readonly input: Readable
  readonly output: Stream
}

/** The output of a command: data on stdout, messages on stderr. */
export interface Terminal {
  /** The requested data, on stdout. Silent with `--json` and `--silent`. */
  readonly stdout: Channel
  /** The same for sentences: they wrap in a file too, and after 100 columns. */
  readonly prose: Channel
  /** Messages, on stderr. Silent with `--json` and `--silent`. */
  readonly messages: Channel
  /** Errors, on stderr. Never silent. */
  readonly errors: Channel
  /** Whether `--json` was given. */
  readonly isJson: boolean
  /** Whether a progress bar can be drawn on stderr. */
  readonly canDraw: boolean
  /** `undefined` if the terminal isn't interactive. */
  readonly interactive: InteractiveStreams | undefined
  /** Prints the JSON object of `--json` on stdout. Does nothing without the option. */
  json(value: object): void
  /** Prints one line of JSON on stdout, for a command that runs on. Does nothing without `--json`. */
  jsonLine(value: object): void
  /** Writes to stdout unchanged, with `--json` and `--silent` too, for machine-readable lines. */
  raw(text: string): void
  /** Draws a text on the current line of stderr, instead of what is there: the progress bar. */
  draw(text: string): void
  /** Erases what is drawn, so that a message begins its own line. */
  erase(): void
  /** Redacts secrets in all further output, each in every spelling that is given. */
  redact(...secrets: readonly string[]): void
  /**
   * From here on, messages and errors suggest commands with this instead of `npx`, and paths in the project are
   * relative also where the working directory is a folder of it.
   */
  suggestWith(run: string, root: string): void
  /**
   * A text for this project: commands in it as the package manager runs them, paths relative to the
   * working directory.
   */
  suggest(text: string): string
}

/** What the process passes to a run. */
export interface CommandLine {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  /** The variables of the process. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly cwd: string
  /** The whole command line, without the paths of Node and of the script. */
  readonly argv: readonly string[]
  /** Aborted by Ctrl-C or SIGTERM; its reason is an Interruption. */
  readonly signal: AbortSignal
}

/** Creates the terminal of one run. All output of commands goes through it. */
export function createTerminal(line: Omit<CommandLine, 'signal'>): Terminal {
  const { stdout, stderr, stdin, env, cwd, argv } = line
  const json = isGiven(argv, '--json')
  let secrets: string[] = []
  const safe = (text: string): string => maskSecrets(text, secrets)
  const printable = (text: string): string => neutralizeCiCommands(safe(text))
  let runner = 'npx'
  const ways = new Map([[cwd, '']])
  const suggest = (text: string): string =>
    shortenPaths(text, ways).replaceAll(
      /(?<=^|`)npx (?=prompts )|(?<=`)(?=prompts [a-z-])/g,
      () => `${runner} `,
    )
  const isMuted = json || isGiven(argv, '--silent')
  const mask = { mask: safe }
  const change = isCommandLog(env) ? printable : safe
  const data = { ...mask, change, suggest: (text: string) => text }
  const message = { ...mask, change: printable, suggest }
  const screen = (stream: Stream): Pick<ChannelSettings, 'colours' | 'columns'> => {
    const isWrapped = stream.isTTY === true && !isSet(env['CI'])
    const columns = isWrapped ? columnsOf(stream) : Number.POSITIVE_INFINITY
    return { colours: hasColours(stream, env), columns }
  }
  const [audible, messages] = isMuted ? [] : [stdout, stderr]
  const proseColumns = Math.max(40, Math.min(columnsOf(stdout), 100))
  const draw = (text: string): void => void stderr.write(ERASE_LINE + safe(text))
  const canDraw = !isMuted && isScreen(stderr, env) && !isSet(env['CI'])
  return {
    stdout: new Channel(audible, { ...data, ...screen(stdout) }),
    prose: new Channel(audible, { ...data, ...screen(stdout), columns: proseColumns }),
    messages: new Channel(messages, { ...message, ...screen(stderr) }),
    errors: new Channel(stderr, { ...message, ...screen(stderr) }),
    isJson: json,
    canDraw,
    interactive: canDraw && stdin.isTTY === true ? { input: stdin, output: stderr } : undefined,
    json: (value) => void (json && stdout.write(`${safe(printJson(value))}\n`)),
    jsonLine: (value) => void (json && stdout.write(`${safe(JSON.stringify(value))}\n`)),
    raw: (text) => void stdout.write(safe(text)),
    draw,
    erase: () => canDraw && draw(''),
    redact(...more) {
      secrets = [...new Set([...secrets, ...more])]
    },
    suggestWith(run, root) {
      runner = run
      if (relativeInside(root, cwd)) ways.set(root, relative(cwd, root) + sep)
    },
    suggest,
  }
}

/** Searched before parsing, so usage errors are printed as JSON too. */
function isGiven(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? argv.length : end).includes(option)
}

/**
 * Whether a CI server interprets commands on stdout. Otherwise data is written unchanged, so
 * `prompts diff --format patch > prompts.patch` produces a valid patch.
 */
function isCommandLog(env: CommandLine['env']): boolean {
  return ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'].some((name) => isSet(env[name]))
}

/** A pseudo-terminal without a size reports 0 columns. */
function columnsOf({ columns = 0 }: Stream): number {
  return columns === 0 ? 80 : columns
}

/** Whether a stream is a terminal with colours and a cursor. */
function isScreen({ isTTY }: Stream, env: CommandLine['env']): boolean {
  return isTTY === true && env['TERM'] !== 'dumb'
}

/** Makes paths below folders relative, by the ways to these. */
function shortenPaths(text: string, ways: ReadonlyMap<string, string>): string {
  let short = text
  for (const [folder, way] of ways) {
    if (folder === dirname(folder)) continue
    const rest = short
    short = rest.replaceAll(folder + sep, (path, at: number) =>
      PATH_START.test(rest.slice(Math.max(0, at - 6), at)) ? way : path,
    )
  }
  return short
}

/** What is before a path, such as a style; `/app/` is no path within `/app/packages/app/`. */
const PATH_START = /(?:^|[^\w.-]|\[\d+m)$/

/** GitHub's runner interprets `##[` anywhere in a line. */
function printJson(value: object): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2)).replaceAll('##', '#\\u0023')
}

/** FORCE_COLOR overrides NO_COLOR, as in Node. Otherwise it depends on the stream. */
function hasColours(stream: Stream, env: CommandLine['env']): boolean {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return !isSet(env['NO_COLOR']) && isScreen(stream, env)
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}

/**
 * Calls `report` for the first stream that can't be written. A closed pipe, as with `head`, is not
 * an error.
 *
 * @param streams - by their name in the error
 */
export function watchOutput(
  streams: Readonly<Record<string, Writable>>,
  report: (error: PromptsError) => void,
): void {
  let isReported = false
  for (const [stream, writable] of Object.entries(streams)) {
    writable.on('error', (cause) => {
      if (isReported || errorCode(cause) === 'EPIPE') return
      isReported = true
      const details = { stream, reason: describeSystemError(cause) }
      report(new PromptsError('OUTPUT_UNWRITABLE', details, { cause }))
    })
  }
}

/** A text format of node:util's `styleText`. */
export type Format = Parameters<typeof styleText>[0]

/** An output stream of a process. */
type Stream = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** A result that has a sign. */
type Result = 'ok' | 'warning' | 'error' | 'skipped'

/** The signs of results, and their colours. */
const SIGNS: Readonly<Record<Result, readonly [sign: string, format: Format]>> = {
  ok: ['✔', 'green'],
  warning: ['▲', 'yellow'],
  error: ['✖', 'red'],
  skipped: ['○', 'dim'],
}

/** Width of the line numbers. */
const NUMBERS = 6

/** How a channel prints. */
interface ChannelSettings {
  /** Masks the secrets in a text. */
  readonly mask: (text: string) => string
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

  /** What JSON has of a value, without secrets: for what is cut, styled or escaped before it is written. */
  masked<Value>(value: Value): Value {
    return changeTexts(value, this.#settings.mask)
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
   * @param below - lines below each row, such as code. Default: none
   */
  rows(rows: Rows, below: Rows = []): void {
    for (const [index, lines] of wrapRows(rows, this.columns).entries()) {
      for (const text of lines) this.exactLine(this.#settings.suggest(text))
      for (const text of below[index] ?? [])
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
  numberedLine(
    number: number,
    parts: readonly { text: string; format: Format }[],
    sign = '',
  ): void {
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
