import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/** The binary that `npm run build` made, or the one that PROMPTS_BINARY names: an installed one. */
export const BINARY: string =
  process.env['PROMPTS_BINARY'] ?? resolve(import.meta.dirname, '../../dist/cli.js')

type Variables = Readonly<Record<string, string>>

/** How a command is called. */
export interface Call {
  /** The working directory. */
  readonly cwd: string
  /** Variables beside PATH and HOME; none of the test's own process are passed on. */
  readonly env?: Variables
}

/** What a run left. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `prompts` to its end, off a terminal. */
export async function prompts(args: readonly string[], call: Call): Promise<Run> {
  const child = start(args, call)
  return finished(child)
}

/** Starts `prompts`; it is killed with the test if it still runs then. */
export function start(args: readonly string[], { cwd, env = {} }: Call): ChildProcess {
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Waits for the end of a started command. */
export async function finished(child: ChildProcess): Promise<Run> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new TypeError('The streams are not piped.')
  const code = new Promise<number | null>((done) => child.on('close', done))
  const [out, error, exit] = await Promise.all([text(stdout), text(stderr), code])
  return { code: exit, stdout: out, stderr: error }
}

function environment(env: Variables): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env }
}

/** What a person types, and when. */
export interface Keystroke {
  /** Text that must be on the screen first. */
  readonly await: string
  readonly send: string
}

/** What a screen showed, and how the command on it ended. */
interface ScreenRun {
  readonly code: number
  readonly output: string
}

/** Runs `prompts` on a pseudo-terminal; both streams come as one, as on a screen. */
export function promptsOnTerminal(args: readonly string[], call: ScreenCall): Promise<ScreenRun> {
  return onTerminal([process.execPath, BINARY, ...args], call)
}

/** A call on a pseudo-terminal. */
interface ScreenCall extends Call {
  readonly steps?: readonly Keystroke[]
  /** 0 where the terminal was given no size. Default: 100. */
  readonly columns?: number
}

/** Runs any command on a pseudo-terminal. */
export async function onTerminal(
  argv: readonly string[],
  { cwd, env = {}, steps = [], columns = 100 }: ScreenCall,
): Promise<ScreenRun> {
  const python = spawn('python3', [join(import.meta.dirname, 'on-terminal.py')])
  onTestFinished(() => void python.kill('SIGKILL'))
  const variables = environment({ TERM: 'xterm-256color', ...env })
  python.stdin.end(JSON.stringify({ argv, cwd, env: variables, columns, steps }))
  return JSON.parse(await text(python.stdout))
}

/** A folder with these files, by their paths in it, that goes with the test. */
export async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    // oxlint-disable-next-line no-await-in-loop -- a folder may be made by the one before
    await mkdir(dirname(join(folder, path)), { recursive: true })
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(join(folder, path), content)
  }
  return folder
}

/** Every file of a folder with its content, by path. */
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
