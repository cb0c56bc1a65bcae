import { spawn } from 'node:child_process'
import { join } from 'node:path'

const REPORT = join(import.meta.dirname, '../children/report-peak.js')

/**
 * Runs a script of Node in a process of its own, to its end.
 *
 * @returns milliseconds from start to end, the process's own peak memory in kilobytes, and what
 *   it sent by `process.send`
 */
export async function runNode(script, args = [], { cwd, env = {}, flags = [] } = {}) {
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', REPORT, ...flags, script, ...args], {
    cwd,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = collectOutput(child)
  const report = {}
  child.on('message', (message) => Object.assign(report, message))
  const code = await new Promise((resolve) => {
    child.on('close', resolve)
  })
  const ms = performance.now() - started
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}\n${output.all()}`)
  return { ms, stdout: output.stdout(), ...report }
}

/** The variables of this process without those that would change what is measured. */
export function cleanEnvironment(env) {
  const rest = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|PROMPTS_|NODE_OPTIONS|NODE_ENV|VITEST|.*_proxy$)/i.test(name),
  )
  return { ...Object.fromEntries(rest), NO_COLOR: '1', ...env }
}

function collectOutput(child) {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text))
  }
  return { stdout: () => texts.stdout, all: () => texts.stdout + texts.stderr }
}
