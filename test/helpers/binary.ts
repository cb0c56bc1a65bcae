import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { spawn as spawnOnTerminal } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'

/** An installed binary that is tested instead of the source, for runs on other versions of Node. */
export const INSTALLED: string | undefined = process.env['PROMPTS_BINARY']

/** The binary that `npm run build` makes, or the installed one. */
export const BINARY: string = INSTALLED ?? resolve(import.meta.dirname, '../../dist/cli.js')

type Variables = Readonly<Record<string, string>>

export interface Call {
  readonly cwd: string
  /** Variables in addition to PATH and HOME. The test's own variables are not passed on. */
  readonly env?: Variables | undefined
}

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly stdout: Readable
  readonly stderr: Readable
  /** The exit code, once it has ended. */
  readonly code: Promise<number | null>
  kill(signal?: 'SIGINT' | 'SIGTERM'): unknown
}

export interface RunningBinary extends Running {
  readonly pid: number | undefined
  kill(signal?: NodeJS.Signals): unknown
}

/** Starts the binary in a process of its own; it is killed with the test if it still runs then. */
export function startBinary(args: readonly string[], call: Call): RunningBinary {
  return startNode(process.execPath, [BINARY, ...args], call)
}

/** The same for any program of a Node. */
export function startNode(
  node: string,
  args: readonly string[],
  { cwd, env }: Call,
): RunningBinary {
  const child = spawn(node, args, { cwd, env: variables(env), stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { stdout, stderr } = child
  const code = new Promise<number | null>((done) => child.on('close', done))
  return { pid: child.pid, stdout, stderr, code, kill: (signal) => child.kill(signal) }
}

/** Runs the binary to its end, off a terminal. */
export function runBinary(args: readonly string[], call: Call): Promise<Run> {
  return finished(startBinary(args, call))
}

export async function finished({ stdout, stderr, code }: Running): Promise<Run> {
  const [out, error, exit] = await Promise.all([text(stdout), text(stderr), code])
  return { code: exit, stdout: out, stderr: error }
}

export function variables(env: Variables = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env }
}

/** What a person types, and when. */
export interface Keystroke {
  /** Text that must be on the screen first. */
  readonly await: string
  /** What happens elsewhere before the keys are typed, such as an edit in the service. */
  readonly before?: () => void
  readonly send: string
}

/** What a screen showed, and how the command on it ended. */
export interface ScreenRun {
  readonly code: number
  readonly output: string
}

/** Runs `prompts` on a pseudo-terminal; both streams come as one, as on a screen. */
export function promptsOnTerminal(args: readonly string[], call: ScreenCall): Promise<ScreenRun> {
  return onTerminal([process.execPath, BINARY, ...args], call)
}

interface ScreenCall extends Call {
  readonly steps?: readonly Keystroke[]
  /** 0 for a terminal without a size. Default: 100. */
  readonly columns?: number
}

export function onTerminal(
  argv: readonly string[],
  { cwd, env = {}, steps = [], columns = 100 }: ScreenCall,
): Promise<ScreenRun> {
  // A pseudo-terminal is made with a size; `stty` takes it away.
  const [file = '', ...args] =
    columns === 0 ? ['sh', '-c', 'stty cols 0; exec "$@"', 'sh', ...argv] : argv
  const terminal = spawnOnTerminal(file, args, {
    cwd,
    env: variables(env),
    name: env['TERM'] ?? 'xterm-256color',
    cols: columns || 100,
    rows: 40,
  })
  let running = true
  onTestFinished(() => (running ? terminal.kill('SIGKILL') : undefined))
  let output = ''
  const type = typist(steps, (keys) => terminal.write(keys))
  terminal.onData((piece) => type((output += piece)))
  return new Promise((ended) =>
    terminal.onExit(({ exitCode }) => {
      running = false
      ended({ code: exitCode, output })
    }),
  )
}

/** Types each step when its text is on the screen; called with everything that was on it. */
export function typist(
  steps: readonly Keystroke[],
  send: (keys: string) => void,
): (output: string) => void {
  let seen = 0
  const waiting = [...steps]
  return (output) => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const found = output.indexOf(next.await, seen)
      if (found === -1) return
      seen = found + 1
      waiting.shift()
      next.before?.()
      send(next.send)
    }
  }
}
