import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { isOnThisMachine, refusalOf } from '../../../src/page/server/http.ts'
import type { Source } from '../../../src/page/server/store.ts'
import { type Answer, ask, press, type Question, submit, textsIn } from '../../helpers/page/ask.ts'
import { projectAt, servedPage, testProject } from '../../helpers/page/project.ts'
import { liveLock } from '../../helpers/pinned.ts'

const DOCUMENTS = 'changes prompts prompts/support-triage prompts/support-triage/edit'.split(' ')

async function start(): Promise<string> {
  return (await projectAt('', liveLock({}))).url
}

type Send = (url: string, headers: NonNullable<Question['headers']>) => Promise<Answer>

const SITE = { 'sec-fetch-site': 'same-origin' }
const act: Send = (url, headers) => submit(`${url}changes`, { act: 'list' }, { headers })
const document: Send = (url, headers) => ask(`${url}changes`, { headers })
const events: Send = (url, headers) => ask(`${url}events`, { headers: { ...SITE, ...headers } })

const ALL = [act, document, events]

const HOST = 'This page is at http://OWN/ only.'
const MACHINE = 'Only a browser on this machine may do this.'
const FORM = 'Only a form of this page may do this.'
const SCRIPT = 'Only the script of this page may do this.'
const LINK = 'Other sites may only link to this page.'

/** As proxies, tunnels and port forwarding send them. */
const FORWARDING =
  'forwarded via x-forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip x-client-ip client-ip ' +
  'true-client-ip x-original-host x-original-forwarded-for x-cluster-client-ip x-envoy-external-address ' +
  'x-proxyuser-ip cf-connecting-ip cf-ray cf-visitor cdn-loop ngrok-skip-browser-warning tailscale-user-login ' +
  'fastly-client-ip fly-client-ip x-amzn-trace-id x-azure-clientip x-arr-log-id x-ms-proxy ' +
  'x-vercel-forwarded-for x-appengine-user-ip x-cloud-trace-context x-github-token'

const FOREIGN = ['null', 'http://127.0.0.1:1', 'http://localhost:PORT', 'https://evil.example']
const SITES = [undefined, 'none', 'same-site', 'cross-site']

test.each<readonly [string, string, readonly (string | undefined)[], readonly Send[]]>([
  ['host', HOST, ['127.0.0.1', 'localhost', 'localhost:1', 'app.localhost:PORT'], ALL],
  ['host', HOST, ['[::1]:PORT', '127.8.9.10:PORT', '127.0.0.1.evil.example:PORT'], ALL],
  ['origin', FORM, [undefined, ...FOREIGN, 'https://OWN'], [act]],
  ['origin', LINK, FOREIGN, [document]],
  ['origin', SCRIPT, FOREIGN, [events]],
  ['sec-fetch-site', FORM, SITES, [act]],
  ['sec-fetch-site', SCRIPT, SITES, [events]],
  ['sec-fetch-mode', FORM, [undefined, 'cors', 'same-origin', 'no-cors'], [act]],
  ['sec-fetch-dest', FORM, [undefined, 'empty', 'iframe', 'embed'], [act]],
  ...FORWARDING.split(' ').map((name) => [name, MACHINE, ['1'], ALL] as const),
])('a request with a foreign header %s is refused: %s', async (name, why, values, purposes) => {
  const { url, ...project } = await projectAt('', liveLock({}))
  const { host, port } = new URL(url)
  for (const send of purposes)
    for (const given of values) {
      const value = given?.replace('OWN', host).replace('PORT', port)
      const { status, headers, body } = await send(url, { [name]: value })
      const said = { status, body, purpose: send.name, value }
      expect(said).toMatchObject({ status: 403, body: `${why.replace('OWN', host)}\n` })
      expect(Object.keys(headers).join()).not.toContain('access-control')
    }
  expect(project.service.requests).toEqual([])
})

test.each([
  ['same-site', 'navigate', 'document', 200],
  ['cross-site', 'navigate', 'document', 200],
  ['cross-site', 'navigate', 'iframe', 403],
  ['same-site', 'no-cors', 'image', 403],
  ['cross-site', 'no-cors', 'script', 403],
  ['same-site', 'cors', 'empty', 403],
  ['same-origin', 'cors', 'empty', 200],
  ['none', 'navigate', 'document', 200],
])('a document is for links: Sec-Fetch-Site %s, Mode %s and Dest %s is %s', async (...given) => {
  const [site, mode, dest, status] = given
  const fetch = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest }
  const url = await start()
  const { host, port } = new URL(url)
  for (const [own, origin] of [
    [host, undefined],
    [host, `http://${host}`],
    [`localhost:${port}`, undefined],
  ])
    expect(await document(url, { ...fetch, host: own, origin })).toMatchObject({ status })
})

test.each([
  ['127.0.0.1', 'localhost:5173', true],
  ['127.8.9.10', '127.8.9.10:80', true],
  ['::1', '[::1]:5173', true],
  ['::ffff:127.0.0.1', 'LOCALHOST:5173', true],
  ['::1', 'app.localhost:5173', true],
  ['127.0.0.1', undefined, false],
  ['127.0.0.1', 'app.example', false],
  ['127.0.0.1', '192.0.2.1:5173', false],
  ['::ffff:192.168.1.7', 'localhost:5173', false],
  ['fe80::1', 'localhost:5173', false],
  ['', 'localhost:5173', false],
])('whether a browser that connects from %s to %s is on this machine: %s', (...given) => {
  const [remoteAddress, host, isHere] = given
  expect(isOnThisMachine({ headers: { host }, socket: { remoteAddress } })).toBe(isHere)
})

test('a request of another machine is refused', () => {
  const socket = { remoteAddress: '192.168.1.7', localPort: 81 }
  const asked = { headers: { host: 'localhost:81' }, socket }
  for (const purpose of ['act', 'document', 'events'] as const)
    expect(refusalOf(asked, purpose)).toBe(MACHINE)
})

test('on port 80, browsers name no port', () => {
  const refused = (host: string, localPort: number): string | undefined =>
    refusalOf({ headers: { host }, socket: { remoteAddress: '127.0.0.1', localPort } }, 'document')
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(refused(host, 80)).toBeUndefined()
    expect(refused(host, 81)).toMatch(/^This page is at/)
  }
  expect(refused('evil.example', 80)).toMatch(/^This page is at/)
})

test('no path answers a foreign Host, as after DNS rebinding, or another method than GET and POST', async () => {
  const url = await start()
  for (const path of ['', ...DOCUMENTS, 'page.css', 'icon.svg', 'events']) {
    const foreign = { headers: { ...SITE, host: 'evil.example', origin: 'http://evil.example' } }
    const refused = await Promise.all([
      ask(url + path, foreign),
      submit(url + path, {}, foreign),
      ...['OPTIONS', 'PUT', 'DELETE', 'HEAD'].map((method) =>
        ask(url + path, { method, headers: SITE }),
      ),
    ])
    const said = refused.map(({ status }) => status)
    expect({ path, said }).toEqual({ path, said: [403, 403, 405, 405, 405, 405] })
    expect(JSON.stringify(refused)).not.toMatch(/access-control|triage/)
  }
})

test('a GET runs no compiler and reads no text', async () => {
  const run = vi.fn<() => Promise<never>>()
  const project = await testProject(liveLock({}))
  const { url } = await servedPage(project, { run: run as unknown as Source['run'] })
  for (const path of DOCUMENTS) expect((await ask(url + path)).status).toBe(200)
  expect(run).not.toHaveBeenCalled()
  expect(project.service.requests).toEqual([])
})

test('every answer forbids frames and every script but that of the page, which has at most 4 KB', async () => {
  const url = await start()
  for (const path of ['prompts', 'page.css', 'icon.svg', 'none']) {
    const { headers, body } = await ask(url + path)
    const policy = String(headers['content-security-policy'])
    const script = /<script>([^]*?)<\/script>/.exec(body)?.[1]
    const hash = script && createHash('sha256').update(script).digest('base64')
    expect(Buffer.byteLength(script ?? '')).toBeLessThanOrEqual(4096)
    expect(policy).toContain(`script-src ${hash ? `'sha256-${hash}'` : "'none'"};`)
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

test('a form that is larger than two texts can be is refused while it arrives', async () => {
  const url = await start()
  const body = 'x'.repeat(65 * 1024 * 1024)
  expect(await submit(`${url}prompts`, {}, { body })).toMatchObject({ status: 413 })
  // Browsers send an address of 9 kB again, as the referrer.
  const address = `${url}prompts/${encodeURIComponent('字'.repeat(1000))}`
  expect(await ask(address, { headers: { referer: address } })).toMatchObject({ status: 404 })
})

test.each([
  '',
  '{"act":"hold"}',
  'act=__proto__',
  'act=hold&row=null',
  'act=take&row=[',
  'act=hold&row=["prod","a"]',
  'act=hold&row=["live",{}]',
])('a body that no form has is refused: %j', async (body) => {
  const { url } = await projectAt('prompts/support-triage', liveLock({}))
  expect(await submit(url, {}, { body })).toMatchObject({ status: 400 })
})

test('an address that is none is 404', async () => {
  const url = await start()
  const paths = '..%2f..%2fpackage.json api __proto__ prompts/ prompts/a/b/c prompts/a/rewrite / //'
  for (const path of [...paths.split(' '), 'prompts/no-such', '%'])
    expect({ path, ...(await ask(url + path)) }).toMatchObject({ path, status: 404 })
  expect(await ask(url, { path: '//[' })).toMatchObject({ status: 404 })
  // A document for an address that is none has forms, too.
  const checked = await press(`${url}none`, 'Check now')
  expect(textsIn(checked, 'h1')).toEqual(['Page not found'])
  expect(textsIn(checked, 'p class="cluster" role="status"')).toEqual(['No change listed, 12:00'])
})
