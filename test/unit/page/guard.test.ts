import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { PageState } from '../../../src/page/protocol.ts'
import { workspaceFromLock } from '../../../src/local-service/workspace.ts'
import { act, ask } from '../../helpers/page/ask.ts'
import { buildPage } from '../../helpers/page/built-page.ts'
import { servedPage, testProject, type TestProject } from '../../helpers/page/project.ts'
import { liveLock } from '../../helpers/pinned.ts'

beforeAll(() => buildPage())

async function start(project?: TestProject): Promise<string> {
  return (await servedPage(project ?? (await testProject(liveLock({}))))).url
}

async function stateOf(url: string): Promise<PageState> {
  return JSON.parse((await act(url, 'state')).body) as PageState
}

/** Asks an endpoint as the script of the page does, for the lock on the screen unless there is another. */
async function send(url: string, name: string, query: object): Promise<string> {
  const lock = (await stateOf(url)).hash
  return (await act(url, name, { body: JSON.stringify({ lock, ...query }) })).body
}

const FILES = ['', 'app.js', 'icon.svg', 'api/events']
const ACTS = ['state', 'changes', 'impact', 'uses', 'history', 'fix', 'write', 'open']
const PART = 'live support-triage'

test('every request with a foreign Host gets 403 and nothing of the lock, as after DNS rebinding', async () => {
  const url = await start()
  for (const host of ['evil.example', 'localhost', '[::1]:80', 'app.localhost']) {
    const headers = { host, origin: `http://${host}` }
    for (const path of FILES) expect((await ask(url + path, { headers })).status).toBe(403)
    for (const name of ACTS) {
      const { status, body } = await act(url, name, { headers })
      expect({ host, name, status }).toEqual({ host, name, status: 403 })
      expect(body).not.toContain('support-triage')
    }
  }
})

test('an act that is not of the page’s own script gets 403, and no header of CORS', async () => {
  const url = await start()
  for (const name of ACTS) {
    const { status, headers } = await act(url, name, { headers: { origin: 'http://127.0.0.1:1' } })
    expect({ name, status }).toEqual({ name, status: 403 })
    expect(Object.keys(headers).filter((header) => header.startsWith('access-control'))).toEqual([])
  }
})

test('a page behind a proxy shows nothing of the lock', async () => {
  const url = await start()
  const { status, body } = await act(url, 'state', { headers: { 'x-forwarded-for': '10.0.0.9' } })
  expect(status).toBe(403)
  expect(body).not.toContain('support-triage')
})

test('acts are a POST, the rest is a GET, and every other method is 405', async () => {
  const url = await start()
  const paths = [
    ...FILES.map((path) => [path, 'GET']),
    ...ACTS.map((name) => [`api/${name}`, 'POST']),
  ]
  for (const [path = '', allow] of paths) {
    const methods = ['OPTIONS', 'PUT', 'PATCH', 'DELETE', 'HEAD', allow === 'GET' ? 'POST' : 'GET']
    for (const method of methods) {
      const answer = await ask(url + path, { method })
      expect({ path, method, ...answer }).toMatchObject({
        path,
        method,
        status: 405,
        headers: { allow },
      })
    }
  }
})

test('texts are read only for the lock that is on the screen', async () => {
  const served = workspaceFromLock(liveLock({ version: 'v23', system: 'Be brief.' }))
  const project = await testProject(liveLock({}), { workspace: served })
  const url = await start(project)
  const { hash: lock } = await stateOf(url)
  await project.writeLock(liveLock({ system: 'Edited.' }))
  const query = { with: 'service', read: 'all' }
  for (const shown of [lock, '', undefined])
    expect(await send(url, 'changes', { ...query, lock: shown })).toContain('LOCK_CHANGED')
  expect(project.service.requests.filter(({ path }) => path.includes('/prompts/'))).toEqual([])
  expect(await send(url, 'changes', query)).toContain('Be brief.')
})

test('what is decided is written only for the lock that is on the screen', async () => {
  const project = await testProject(liveLock({}))
  const url = await start(project)
  const { hash: lock } = await stateOf(url)
  await project.writeLock(liveLock({ system: 'Edited.' }))
  const before = await readFile(project.lockPath, 'utf8')
  for (const name of ['take', 'fix', 'hold', 'edit', 'release', 'restore', 'undo'])
    expect(await send(url, 'write', { act: name, part: PART, system: 'Mine.', lock })).toContain(
      'LOCK_CHANGED',
    )
  expect(await readFile(project.lockPath, 'utf8')).toBe(before)
})

test('only what was shown is fixed, and only what this page wrote last is undone', async () => {
  const project = await testProject(liveLock({}))
  const url = await start(project)
  for (const name of ['undo', 'fix'])
    expect(await send(url, 'write', { act: name, part: PART })).toContain('LOCK_CHANGED')
  const hold = { act: 'hold', part: PART, reason: 'Legal.' }
  expect((await stateOf(url)).canUndo).toBe(false)
  expect(await send(url, 'write', hold)).toContain('"kind":"written"')
  expect(await stateOf(url)).toMatchObject({
    canUndo: true,
    prompts: [{ held: { reason: 'Legal.' } }],
  })
  await project.writeLock(liveLock({ system: 'Edited.' }))
  expect((await stateOf(url)).canUndo).toBe(false)
  expect(await send(url, 'write', { act: 'undo' })).toContain('LOCK_CHANGED')
})

test('a page that only reads writes nothing', async () => {
  const files = { 'prompts.config.json': '{ "page": "read" }' }
  const url = await start(await testProject(liveLock({}), { files }))
  const { hash: lock, canWrite } = await stateOf(url)
  expect(canWrite).toBe(false)
  const body = JSON.stringify({ act: 'hold', part: PART, lock })
  expect((await act(url, 'write', { body })).status).toBe(403)
  expect((await stateOf(url)).hash).toBe(lock)
})

test('every file forbids frames and all but the page’s own script', async () => {
  const url = await start()
  for (const path of FILES.slice(0, 3)) {
    const { headers } = await ask(url + path)
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    )
    expect(policy.join()).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  }
})

test('an address or an endpoint that is none is 404', async () => {
  const url = await start()
  const paths =
    '..%2f..%2fpackage.json %2e%2e%2f%2e%2e%2fpackage.json api index.html/ __proto__ / // /['
  for (const path of paths.split(' '))
    expect({ path, ...(await ask(url + path)) }).toMatchObject({ path, status: 404 })
  for (const name of ['', 'toString', '__proto__'])
    expect({ name, ...(await act(url, name)) }).toMatchObject({ name, status: 404 })
})

test('no key is in an answer, even if the service rejects and echoes it, and a prompt of the lock contains it', async () => {
  const live = 'svc_live_Canary0123456789abcdefXYZ'
  const staging = 'svc_test_Canary9876543210zyxwvuABC'
  const env = { PROMPTS_API_KEY: live, PROMPTS_TEST_API_KEY: staging }
  const prompt = { system: `Use ${live}, ${staging}.`, folder: live }
  const url = await start(await testProject(liveLock(prompt), { env }))
  const state = await act(url, 'state')
  const { hash: lock } = JSON.parse(state.body) as PageState
  const answers = await Promise.all([
    ...FILES.slice(0, 3).map((path) => ask(url + path)),
    ...['list', 'all'].map((read) =>
      act(url, 'changes', { body: JSON.stringify({ with: 'service', read, lock }) }),
    ),
  ])
  const said = [state, ...answers].map(({ headers, body }) => JSON.stringify(headers) + body).join()
  for (const shown of ['KEY_REFUSED', 'Use [key], [key].']) expect(said).toContain(shown)
  for (const key of [live, staging]) expect(said).not.toContain(key)
})
