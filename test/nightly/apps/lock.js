// The local service and the locks of the nightly jobs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BINARY, REPOSITORY, write } from './files.js'
import { succeed } from './run.js'

/** The workspace of the playground. */
export const WORKSPACE = join(REPOSITORY, 'playground/workspace.yaml')

/** The variable with the test key of the local service. */
export const WITH_TEST_KEY = { PROMPTS_TEST_API_KEY: 'svc_test_local' }

/**
 * The lock of the playground's workspace with one live version of `support-triage`.
 *
 * @param keys - variables with keys besides the live one
 */
export async function lockOf(version, folder, keys = {}) {
  const place = join(folder, version)
  const workspace = readFileSync(WORKSPACE, 'utf8').replace('live: v22', `live: ${version}`)
  write(place, { 'package.json': '{}', 'workspace.yaml': workspace })
  await withService(join(place, 'workspace.yaml'), (variables) =>
    succeed(place, [process.execPath, BINARY, 'pull'], { ...variables, ...keys }),
  )
  return readFileSync(join(place, 'prompts.lock.json'), 'utf8')
}

/**
 * Serves a workspace, or a lock, to a job, which gets the variables with the URL and the live key.
 *
 * @param options - of `prompts serve`
 */
export async function withService(path, job, ...options) {
  const given = [...(path.endsWith('.json') ? ['--lock', path] : [path]), ...options]
  const service = spawn(process.execPath, [BINARY, 'serve', ...given, '--port', '0', '--json'], {
    cwd: dirname(path),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'close').then(([code]) => {
    throw new Error(`\`prompts serve\` exited with ${code}`)
  })
  try {
    const [line] = await Promise.race([once(service.stdout, 'data'), ended])
    const { url } = JSON.parse(`${line}`.split('\n')[0])
    return await job({ PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_local' })
  } finally {
    service.kill()
    await ended.catch(() => undefined)
  }
}
