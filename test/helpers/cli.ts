import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import { Interruption } from '../../src/cli/shell/command.ts'
import { runCommandLine } from '../../src/cli/commands/main.ts'
import {
  type Call,
  finished,
  INSTALLED,
  type Keystroke,
  type Run,
  type Running,
  type ScreenRun,
  startBinary,
  typist,
  variables,
} from './binary.ts'

export { temporaryFolder as folderWith } from './temporary-folder.ts'

interface LocalCall extends Call {
  /** Prints as on a terminal of so many columns, on which nobody can be asked. Default: as in a file. */
  readonly columns?: number
}

/** A run, and what it printed if that was JSON. */
interface JsonRun extends Run {
  readonly json?: ReturnType<typeof JSON.parse>
}

/**
 * Runs `prompts` to its end: from source and in this process. What it prints with `--json` is checked
 * against the schema, and is parsed as `json`.
 */
export async function prompts(args: readonly string[], call: LocalCall): Promise<JsonRun> {
  const run = await finished(start(args, call))
  const end = args.indexOf('--')
  if (!args.slice(0, end === -1 ? args.length : end).includes('--json')) return run
  const { assertJsonOutput } = await import('./json-output.ts')
  assertJsonOutput(args, run.stdout)
  return { ...run, json: JSON.parse(run.stdout) }
}

/**
 * Starts `prompts` from source and in this process; it is interrupted with the test if it still runs
 * then. Under {@link INSTALLED} the installed binary runs instead.
 */
export function start(args: readonly string[], { cwd, env, columns }: LocalCall): Running {
  if (INSTALLED !== undefined) return startBinary(args, { cwd, env })
  const aborter = new AbortController()
  const screen = columns === undefined ? {} : { isTTY: true, columns }
  const stdout = Object.assign(new PassThrough(), screen)
  const stderr = Object.assign(new PassThrough(), screen)
  const kill = (signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): void =>
    aborter.abort(new Interruption(signal))
  onTestFinished(() => kill())
  const code = runCommandLine({
    argv: args,
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: variables(env),
    cwd,
    signal: aborter.signal,
  }).finally(() => {
    stdout.end()
    stderr.end()
  })
  return { stdout, stderr, kill, code }
}

interface ScreenCall extends Call {
  /** Default: 100. */
  readonly columns?: number
  /** What a person types. Default: nobody can be asked. */
  readonly steps?: readonly Keystroke[]
}

/**
 * Runs `prompts` from source and in this process with a screen and a keyboard; both streams come as
 * one, as on a screen. For a real terminal, see `promptsOnTerminal`.
 */
export async function promptsOnScreen(
  args: readonly string[],
  { cwd, env, columns = 100, steps }: ScreenCall,
): Promise<ScreenRun> {
  let output = ''
  const stdin = Object.assign(new PassThrough(), { isTTY: steps !== undefined, setRawMode })
  const type = typist(steps ?? [], (keys) => void setImmediate(() => stdin.write(keys)))
  const write = (piece: unknown, _encoding: unknown, done: () => void): void => {
    type((output += String(piece)))
    done()
  }
  const screen = Object.assign(new Writable({ write }), { isTTY: true, columns })
  const code = await runCommandLine({
    argv: args,
    stdin,
    stdout: screen,
    stderr: screen,
    env: variables({ TERM: 'xterm-256color', ...env }),
    cwd,
    signal: new AbortController().signal,
  })
  return { code, output }
}

/** A keyboard in this process has no other mode. */
function setRawMode(): void {}

/** What a command printed, without what differs from run to run: for snapshots. */
export function transcript(
  { stdout, stderr }: Pick<Run, 'stdout' | 'stderr'>,
  cwd: string,
): string {
  return (
    `${stdout}── stderr ──\n${stderr}`
      .replaceAll(cwd, '<cwd>')
      .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '<host>')
      // A slow machine has time to tell how far it is.
      .replaceAll(/^\d+ of \d+ prompts fetched\n/gm, '')
  )
}

/** The lines that stand on a screen in the end, without colours and what was erased. */
export function screenLines(output: string): string[] {
  const lines = output.split('\n').map((line) => line.split('\r\u001b[2K').at(-1) ?? '')
  return lines.map(stripVTControlCharacters)
}

export async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true })
  const entries = await Promise.all(
    names.toSorted().map(async (name): Promise<[string, string][]> => {
      const path = join(folder, name)
      return (await stat(path)).isFile() ? [[name, await readFile(path, 'utf8')]] : []
    }),
  )
  return Object.fromEntries(entries.flat())
}
