import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cleanEnvironment } from './process.js'

const OBSERVER = join(import.meta.dirname, '../children/observe-requests.js')

/**
 * Starts the local service with the prompts of a lock, in a process of its own.
 *
 * @returns `env` for those who call it; `observe`, which gives what was asked since the last call;
 *   `close`
 */
export async function startService(work, { lock, latency = 0 }) {
  const args = ['serve', '--lock', lock, '--port', '0', '--latency', String(latency), '--json']
  const child = spawn(process.execPath, ['--import', OBSERVER, work.cli, ...args], {
    env: cleanEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.stdout.setEncoding('utf8')
  const [text] = await once(child.stdout, 'data')
  const { url, keys } = JSON.parse(text)
  return {
    url,
    key: keys.live,
    env: { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: keys.live },
    async observe() {
      child.send('observe')
      const [seen] = await once(child, 'message')
      return seen
    },
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
