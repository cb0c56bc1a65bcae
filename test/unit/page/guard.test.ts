import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../../src/local-service/workspace.ts'
import type { Source } from '../../../src/page/server/code.ts'
import { ask, type Fields, formsIn, lockOn, submit } from '../../helpers/page/ask.ts'
import { servedPage, testProject, type TestProject } from '../../helpers/page/project.ts'
import { liveLock, lockOf, parsedLock } from '../../helpers/pinned.ts'

async function start(project?: TestProject): Promise<string> {
  return (await servedPage(project ?? (await testProject(liveLock({}))))).url
}

const DOCUMENTS = 'changes prompts prompts/support-triage prompts/support-triage/edit'.split(' ')
const PATHS = ['', ...DOCUMENTS, 'page.css', 'icon.svg', 'events']
const PART = '["live","support-triage"]'
const WRITES = ['take', 'fix', 'hold', 'release', 'edit', 'restore', 'undo']

/** What came of an act: the document behind its redirect, or that of its answer. */
async function outcomeOf(url: string, fields: Fields): Promise<string> {
  const { status, headers, body } = await submit(url, fields)
  const { body: shown } =
    status === 303 ? await ask(new URL(headers.location ?? '', url).href) : { body }
  return /<div class="outcome[^]*?<\/div>(?=<div|<main)/.exec(shown)?.[0] ?? ''
}

/** An update of the only prompt, which the page has read. */
async function withUpdate(version = 'v23') {
  const served = workspaceFromLock(liveLock({ version, system: 'Be brief.' }))
  const project = await testProject(liveLock({}), { workspace: served })
  const url = `${await start(project)}changes`
  await submit(url, { act: 'list' })
  const formOf = async (act: string): Promise<Fields> =>
    formsIn((await ask(url)).body).find((form) => form['act']?.[0] === act) ?? {}
  await submit(url, await formOf('read'))
  await vi.waitFor(async () => expect(await formOf('take')).not.toEqual({}), { timeout: 40_000 })
  return { project, url, formOf }
}

test('no path answers a foreign Host, as after DNS rebinding, a form of another page, or another method', async () => {
  const url = await start()
  const [evil, other] = ['http://evil.example', 'http://127.0.0.1:1']
  const own = { 'sec-fetch-site': 'same-origin' }
  for (const path of PATHS) {
    const address = url + path
    const refused = await Promise.all([
      ask(address, { headers: { ...own, host: 'evil.example', origin: evil } }),
      submit(address, {}, { headers: { host: 'evil.example', origin: evil } }),
      submit(address, {}, { headers: { origin: other } }),
      ask(`${url}events`, { headers: { ...own, origin: other } }),
      ...['OPTIONS', 'PUT', 'DELETE', 'HEAD'].map((method) =>
        ask(address, { method, headers: own }),
      ),
    ])
    const said = refused.map(({ status }) => status)
    expect({ path, said }).toEqual({ path, said: [403, 403, 403, 403, 405, 405, 405, 405] })
    const names = refused.flatMap(({ headers }) => Object.keys(headers)).join()
    expect(names + refused.map(({ body }) => body).join()).not.toMatch(/access-control|triage/)
  }
  expect((await ask(`${url}events`)).status).toBe(403)
})

test('a GET runs no compiler and reads no text', async () => {
  const run = vi.fn<() => Promise<never>>()
  const project = await testProject(liveLock({}))
  const options = { run: run as unknown as Source['run'] }
  const { url } = await servedPage(project, options)
  for (const path of DOCUMENTS) expect((await ask(url + path)).status).toBe(200)
  expect(run).not.toHaveBeenCalled()
  expect(project.service.requests).toEqual([])
})

test('texts are read, and acts done, only for the lock that is on the screen', async () => {
  const { project, url, formOf } = await withUpdate()
  const { lock = '' } = await formOf('take')
  await project.writeLock(liveLock({ system: 'Edited.' }))
  const before = await readFile(project.lockPath, 'utf8')
  for (const act of [...WRITES, 'read', 'plan'])
    for (const shown of [lock, ''])
      expect(await outcomeOf(url, { act, row: PART, system: 'Mine.', lock: shown }), act).toContain(
        'LOCK_CHANGED',
      )
  expect(await readFile(project.lockPath, 'utf8')).toBe(before)
})

test('only the version that was on the screen is taken, with its text', async () => {
  const { project, url, formOf } = await withUpdate()
  const take = await formOf('take')
  const [name = ''] = take['row'] ?? []
  expect(JSON.parse(name)).toEqual(['live', 'support-triage', 'v22', 'v23', expect.any(String)])
  const before = await readFile(project.lockPath, 'utf8')
  for (const [old, other] of [
    ['v23', 'v24'],
    ['"v22"', '"v21"'],
    [/"sha256[^"]*"/, '"another text"'],
  ] as const) {
    const row = name.replace(old, other)
    expect(await outcomeOf(url, { ...take, row })).toContain('has another version now')
  }
  await project.serve(workspaceFromLock(liveLock({ version: 'v24' })))
  await submit(url, { act: 'list' })
  const said = await outcomeOf(url, take)
  expect(said).toMatch(/Nothing was written\. .*support-triage v23/)
  expect(await readFile(project.lockPath, 'utf8')).toBe(before)
})

test('a new prompt is one change with its staging version, which is read and taken with it', async () => {
  const added = { slug: 'other', version: 'v1' }
  const staging = [{ ...added, version: 'v2', system: 'Be brief.' }]
  const served = lockOf({ live: [{}, added], staging })
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const project = await testProject(liveLock({}), { workspace: workspaceFromLock(served), env })
  const url = `${await start(project)}changes`
  await submit(url, { act: 'list' })
  const formsOf = async (act: string): Promise<Fields[]> =>
    formsIn((await ask(url)).body).filter((form) => form['act']?.[0] === act)
  const [read = {}] = await formsOf('read')
  await submit(url, read)
  await vi.waitFor(async () => expect(await formsOf('take')).not.toEqual([]), { timeout: 40_000 })
  const takes = await formsOf('take')
  expect(new Set(takes.flatMap(({ row }) => row)).size).toBe(1)
  expect((await ask(url)).body).toMatch(/System \(staging\)/)
  await submit(url, takes[0] ?? {})
  expect(parsedLock(await readFile(project.lockPath, 'utf8'))).toEqual(served)
})

test('an outcome names what was written, is shown at its address only, and is undone while it is the last', async () => {
  const project = await testProject(liveLock({}, { slug: 'other' }))
  const url = `${await start(project)}prompts/support-triage`
  const before = await readFile(project.lockPath, 'utf8')
  const hold = { act: 'hold', row: PART, reason: 'Legal.', lock: await lockOn(url) }
  const { status, headers } = await submit(url, hold)
  expect(status).toBe(303)
  const shown = new URL(headers.location ?? '', url).href
  expect((await ask(shown)).body).toMatch(/Held .*support-triage v22[^]*>Undo</)
  expect((await ask(url)).body).not.toContain('class="outcome')
  // The window that was too late.
  expect(await outcomeOf(url, hold)).toContain('LOCK_CHANGED')
  const undo = { act: 'undo', lock: await lockOn(url) }
  expect(await outcomeOf(shown, undo)).toMatch(/Undone\. Pinned again: .*support-triage v22/)
  expect(await readFile(project.lockPath, 'utf8')).toBe(before)
  expect((await ask(shown)).body).not.toContain('>Undo<')
  expect(await outcomeOf(url, undo)).toContain('LOCK_CHANGED')
})

test('a page that only reads writes nothing, and offers nothing that does', async () => {
  const files = { 'prompts.config.json': '{ "page": "read" }' }
  const project = await testProject(liveLock({}), { files })
  const url = `${await start(project)}prompts/support-triage`
  const before = await readFile(project.lockPath, 'utf8')
  const lock = await lockOn(url)
  for (const act of WRITES)
    expect((await submit(url, { act, row: PART, system: 'Mine.', lock })).status).toBe(403)
  expect(await readFile(project.lockPath, 'utf8')).toBe(before)
  expect(formsIn((await ask(url)).body).flatMap(({ act = [] }) => act)).toEqual(['list'])
})

test('a form that is none of the page is 400', async () => {
  const url = await start()
  for (const fields of [
    {},
    { act: 'toString' },
    { act: 'hold', row: '{' },
    { act: 'hold', row: '["prod","a"]' },
    { act: 'hold', row: '["live",{}]' },
    { act: 'take', row: '[]' },
  ])
    expect((await submit(`${url}changes`, fields)).status).toBe(400)
  for (const path of ['events', 'page.css', 'none'])
    expect((await submit(url + path, { act: 'list' })).status).toBe(404)
})

test('every answer forbids frames and every script but that of the page, which has at most 4 KB', async () => {
  const url = await start()
  for (const path of ['prompts', 'page.css', 'icon.svg', 'none']) {
    const { headers, body } = await ask(url + path)
    const policy = String(headers['content-security-policy'])
    const script = /<script>([^]*?)<\/script>/.exec(body)?.[1]
    const hash = createHash('sha256')
      .update(script ?? '')
      .digest('base64')
    const allowed = script === undefined ? "'none'" : `'sha256-${hash}'`
    expect(Buffer.byteLength(script ?? '')).toBeLessThanOrEqual(4096)
    expect(policy).toContain(`script-src ${allowed};`)
    for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule)
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  }
})

test('an address that is none is 404', async () => {
  const url = await start()
  const paths = '..%2f..%2fpackage.json api __proto__ prompts/ prompts/a/b/c prompts/a/rewrite / //'
  for (const path of [...paths.split(' '), 'prompts/no-such', '%'])
    expect({ path, ...(await ask(url + path)) }).toMatchObject({ path, status: 404 })
  expect(await ask(url, { path: '//[' })).toMatchObject({ status: 404 })
})

test('no key is in an answer, even if the service rejects and echoes it, and a prompt of the lock contains it', async () => {
  const live = 'svc_live_Canary0123456789abcdefXYZ'
  const staging = 'svc_test_Canary9876543210zyxwvuABC'
  const env = { PROMPTS_API_KEY: live, PROMPTS_TEST_API_KEY: staging }
  const prompt = { system: `Use ${live}, ${staging}.`, folder: live }
  const url = await start(await testProject(liveLock(prompt), { env }))
  await submit(`${url}changes`, { act: 'list' })
  const answers = await Promise.all(DOCUMENTS.map((path) => ask(url + path)))
  const said = answers.map(({ headers, body }) => JSON.stringify(headers) + body).join()
  for (const shown of ['KEY_REFUSED', 'Use [key], [key].']) expect(said).toContain(shown)
  for (const key of [live, staging]) expect(said).not.toContain(key)
})
