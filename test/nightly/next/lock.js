// The locks of the nightly checks of frameworks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { succeed } from './run.js'

const REPOSITORY = resolve(import.meta.dirname, '../../..')
const BINARY = join(REPOSITORY, 'dist/cli.js')

/** The lock of the playground's workspace with one version of `support-triage`. */
export async function lockOf(version, folder) {
  const place = join(folder, version)
  mkdirSync(place)
  const workspace = readFileSync(join(REPOSITORY, 'playground/workspace.yaml'), 'utf8')
  writeFileSync(join(place, 'package.json'), '{}')
  writeFileSync(join(place, 'workspace.yaml'), workspace.replace('live: v22', `live: ${version}`))
  const args = [BINARY, 'serve', 'workspace.yaml', '--port', '0', '--json']
  const service = spawn(process.execPath, args, {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(service.stdout, 'data')
  const { url } = JSON.parse(`${line}`.split('\n')[0])
  const variables = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_local' }
  await succeed(place, [process.execPath, BINARY, 'pull'], variables)
  service.kill()
  return readFileSync(join(place, 'prompts.lock.json'), 'utf8')
}
