import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
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

const FILES = ['', 'app.js', 'icon.svg', 'api/events']
const ACTS = ['state', 'changes', 'impact', 'uses', 'history', 'fix', 'write', 'open']

test.each(['evil.example', 'localhost', '[::1]:80', 'app.localhost'])(
  'every request with the Host %s gets 403, as after DNS rebinding',
  async (host) => {
    const url = await start()
    const headers = { host }
    const answers = [
      ...FILES.map((path) => ask(url + path, { headers })),
      ...ACTS.map((name) => act(url, name, { headers: { ...headers, origin: `http://${host}` } })),
    ]
    for (const { status, body } of await Promise.all(answers)) {
      expect(status).toBe(403)
      expect(body).not.toContain('support-triage')
    }
  },
)

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

test.each(['OPTIONS', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('%s is 405 everywhere', async (method) => {
  const url = await start()
  for (const path of [...FILES, ...ACTS.map((name) => `api/${name}`)])
    expect({ path, ...(await ask(url + path, { method })) }).toMatchObject({ path, status: 405 })
})

test('acts are no GET, and the rest is no POST', async () => {
  const url = await start()
  for (const name of ACTS)
    expect((await act(url, name, { method: 'GET', body: '' })).headers.allow).toBe('POST')
  for (const path of FILES)
    expect((await ask(url + path, { method: 'POST' })).headers.allow).toBe('GET')
})

test('texts are read only for the lock that is on the screen', async () => {
  const project = await testProject(liveLock({}), {
    workspace: workspaceFromLock(liveLock({ version: 'v23', system: 'Be brief.' })),
  })
  const url = await start(project)
  const { hash } = JSON.parse((await act(url, 'state')).body) as PageState
  const read = (lock: string): Promise<{ readonly body: string }> =>
    act(url, 'changes', { body: JSON.stringify({ with: 'service', read: 'all', lock }) })
  await project.writeLock(liveLock({ system: 'Edited.' }))
  expect((await read(hash)).body).toContain('LOCK_CHANGED')
  expect(project.service.requests.filter(({ path }) => path.includes('/prompts/'))).toEqual([])
  const { hash: next } = JSON.parse((await act(url, 'state')).body) as PageState
  expect((await read(next)).body).toContain('Be brief.')
})

test('what is decided is written only for the lock that is on the screen', async () => {
  const project = await testProject(liveLock({}))
  const url = await start(project)
  const { hash: lock } = JSON.parse((await act(url, 'state')).body) as PageState
  const edited = liveLock({ system: 'Edited.' })
  await project.writeLock(edited)
  const before = await readFile(project.lockPath, 'utf8')
  const part = 'live support-triage'
  for (const query of [
    { act: 'hold', part },
    { act: 'edit', part, system: 'Mine.' },
    { act: 'take' },
    { act: 'fix', part },
    { act: 'undo' },
  ])
    expect((await act(url, 'write', { body: JSON.stringify({ ...query, lock }) })).body).toContain(
      'LOCK_CHANGED',
    )
  expect(await readFile(project.lockPath, 'utf8')).toBe(before)
})

test.each(['undo', 'fix'])('there is no %s before there is one on the screen', async (name) => {
  const url = await start()
  const { hash: lock, canUndo } = JSON.parse((await act(url, 'state')).body) as PageState
  expect(canUndo).toBe(false)
  const body = JSON.stringify({ act: name, part: 'live support-triage', lock })
  expect((await act(url, 'write', { body })).body).toContain('LOCK_CHANGED')
})

test('what was written is no longer undone once another program has changed the lock', async () => {
  const project = await testProject(liveLock({}))
  const url = await start(project)
  const state = async (): Promise<PageState> =>
    JSON.parse((await act(url, 'state')).body) as PageState
  const write = async (query: object): Promise<string> =>
    (await act(url, 'write', { body: JSON.stringify({ ...query, lock: (await state()).hash }) }))
      .body
  expect(await write({ act: 'hold', part: 'live support-triage', reason: 'Legal.' })).toContain(
    '"kind":"written"',
  )
  expect(await state()).toMatchObject({ canUndo: true, prompts: [{ held: { reason: 'Legal.' } }] })
  await project.writeLock(liveLock({ system: 'Edited.' }))
  expect(await state()).toMatchObject({ canUndo: false })
  expect(await write({ act: 'undo' })).toContain('LOCK_CHANGED')
})

test('a page that only reads writes nothing', async () => {
  const files = { 'prompts.config.json': '{ "page": "read" }' }
  const project = await testProject(liveLock({}), { files })
  const url = await start(project)
  const { hash: lock, canWrite } = JSON.parse((await act(url, 'state')).body) as PageState
  const body = JSON.stringify({ act: 'hold', part: 'live support-triage', lock })
  expect({ canWrite, ...(await act(url, 'write', { body })) }).toMatchObject({
    canWrite: false,
    status: 403,
  })
})

test.each(FILES.slice(0, 3))(
  'every answer forbids frames and all but the page’s own script: /%s',
  async (path) => {
    const { headers } = await ask((await start()) + path)
    const policy = headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  },
)

test.each([
  '..%2f..%2fpackage.json',
  '%2e%2e%2f%2e%2e%2fpackage.json',
  'api',
  'index.html/',
  '__proto__',
  '/',
  '//',
  '/[',
])('an address that is none is 404: %s', async (path) => {
  expect((await ask(`${await start()}${path}`)).status).toBe(404)
})

test.each(['', 'toString', '__proto__'])('an endpoint that is none is 404: "%s"', async (name) => {
  expect((await act(await start(), name)).status).toBe(404)
})

describe('the keys', () => {
  const live = 'svc_live_Canary0123456789abcdefXYZ'
  const staging = 'svc_test_Canary9876543210zyxwvuABC'

  async function askEverything(project: TestProject): Promise<string> {
    const url = await start(project)
    const state = await act(url, 'state')
    const { hash: lock } = JSON.parse(state.body) as PageState
    const queries = [
      { with: 'service', read: 'list' },
      { with: 'service', read: 'all', lock },
    ]
    const answers = await Promise.all([
      state,
      ...FILES.slice(0, 3).map((path) => ask(url + path)),
      ...queries.map((query) => act(url, 'changes', { body: JSON.stringify(query) })),
    ])
    return answers.map(({ headers, body }) => JSON.stringify(headers) + body).join('\n')
  }

  test('are in no answer, even if the service rejects and echoes them', async () => {
    const env = { PROMPTS_API_KEY: live, PROMPTS_TEST_API_KEY: staging }
    const said = await askEverything(await testProject(liveLock({}), { env }))
    expect(said).toContain('KEY_REFUSED')
    expect(said).not.toContain(live)
    expect(said).not.toContain(staging)
  })

  test('are in no answer, even if a prompt of the lock contains one', async () => {
    const env = { PROMPTS_API_KEY: live, PROMPTS_TEST_API_KEY: staging }
    const lock = liveLock({ system: `Use ${live}, ${staging}.`, folder: live })
    const said = await askEverything(await testProject(lock, { env }))
    expect(said).toContain('Use [key], [key].')
    expect(said).not.toContain(live)
    expect(said).not.toContain(staging)
  })
})
