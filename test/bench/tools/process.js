import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const REPORT = join(import.meta.dirname, '../children/report-cpu.js')

/**
 * Runs a script of Node in a process of its own, to its end.
 *
 * @returns `cpu`, its processor time in milliseconds
 */
export async function runNode(script, args, { cwd, env = {} }) {
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
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}\n${output}`)
  return report
}

/** The variables of this process without those that would change what is measured. */
export function cleanEnvironment(env) {
  const rest = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|PROMPTS_|NODE_OPTIONS|NODE_ENV|VITEST|.*_proxy$)/i.test(name),
  )
  return { ...Object.fromEntries(rest), NO_COLOR: '1', ...env }
}
