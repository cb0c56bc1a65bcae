// The locks of the nightly checks of frameworks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BINARY } from './files.js'
import { succeed } from './run.js'

const WORKSPACE = resolve(import.meta.dirname, '../../../playground/workspace.yaml')

/** The lock of the playground's workspace with one version of `support-triage`. */
export async function lockOf(version, folder) {
  const place = join(folder, version)
  mkdirSync(place)
  const workspace = readFileSync(WORKSPACE, 'utf8')
  writeFileSync(join(place, 'package.json'), '{}')
  writeFileSync(join(place, 'workspace.yaml'), workspace.replace('live: v22', `live: ${version}`))
  const args = [BINARY, 'serve', 'workspace.yaml', '--port', '0', '--json']
  const service = spawn(process.execPath, args, {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'close').then(([code]) => {
    throw new Error(`\`prompts serve\` exited with ${code}`)
  })
  const [line] = await Promise.race([once(service.stdout, 'data'), ended])
  const { url } = JSON.parse(`${line}`.split('\n')[0])
  const variables = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_local' }
  await succeed(place, [process.execPath, BINARY, 'pull'], variables)
  service.kill()
  await ended.catch(() => undefined)
  return readFileSync(join(place, 'prompts.lock.json'), 'utf8')
}
