import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cleanEnvironment } from './process.js'

/**
 * Starts the local service with the prompts of a lock, in a process of its own.
 *
 * @returns `env` for those who call it; `close`
 */
export async function startService(work, lock) {
  const args = [work.cli, 'serve', '--lock', lock, '--port', '0', '--json']
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await once(child.stdout, 'data')
  const { url, keys } = JSON.parse(`${text}`)
  return {
    env: { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: keys.live },
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
