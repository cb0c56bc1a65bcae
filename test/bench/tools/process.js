import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'

const REPORT = join(import.meta.dirname, '../children/report-cpu.js')

/**
 * Runs a script of Node in a process of its own, to its end.
 *
 * @param codes - the exit codes that are expected
 * @returns `cpu` and `elapsed`, its processor time and its whole time in milliseconds, and `memory`, the most that it
 *   had in bytes
 */
export async function runNode(script, args, { cwd, env = {}, codes = [0] }) {
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', REPORT, script, ...args], {
    cwd,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const report = {}
  child.on('message', (message) => Object.assign(report, message))
  const [code] = await once(child, 'close')
  if (!codes.includes(code))
    throw new Error(`${script} ${args.join(' ')} ended with ${code}\n${output}`)
  return { ...report, elapsed: performance.now() - start }
}

/** The same for a program that is none of Node, by GNU time. */
export async function runNative(program, args, { cwd }) {
  const { stderr } = await promisify(execFile)(
    '/usr/bin/time',
    ['-f', '%U %S %M', program, ...args],
    { cwd },
  )
  const [user, system, kilobytes] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { cpu: (user + system) * 1000, memory: kilobytes * 1024 }
}

/** The variables of this process without those that would change what is measured. */
export function cleanEnvironment(env) {
  const rest = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|PROMPTS_|NODE_OPTIONS|NODE_ENV|VITEST|.*_proxy$)/i.test(name),
  )
  return { ...Object.fromEntries(rest), NO_COLOR: '1', ...env }
}
