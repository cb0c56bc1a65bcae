import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  actRefusal,
  assertShown,
  type Asked,
  hostRefusal,
  isOnThisMachine,
} from '../../../src/page/server/access.ts'

const PORT = 4401

/** A request of the page's own script, with the given changes. */
function asked({
  headers,
  peer = '127.0.0.1',
}: {
  readonly headers?: IncomingHttpHeaders
  readonly peer?: string
}): Asked {
  const own = {
    host: `127.0.0.1:${PORT}`,
    origin: `http://127.0.0.1:${PORT}`,
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
  }
  return { headers: { ...own, ...headers }, socket: { remoteAddress: peer, localPort: PORT } }
}

const READS = { page: true, writes: false }
const WRITES = { page: true, writes: true }

const PEERS = ['192.168.1.7', '10.0.0.1', '172.17.0.1', '::ffff:192.168.1.7', 'fe80::1', '']

/** As proxies, tunnels and port forwarding send them. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'true-client-ip',
  'x-original-host',
  'x-original-forwarded-for',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-proxyuser-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cf-visitor',
  'cdn-loop',
  'ngrok-skip-browser-warning',
  'tailscale-user-login',
  'fastly-client-ip',
  'fly-client-ip',
  'x-amzn-trace-id',
  'x-azure-clientip',
  'x-arr-log-id',
  'x-ms-proxy',
  'x-vercel-forwarded-for',
  'x-appengine-user-ip',
  'x-cloud-trace-context',
  'x-github-token',
]

describe('every request needs exactly the host of the page', () => {
  test.each([`127.0.0.1:${PORT}`, `localhost:${PORT}`])('%s is answered', (host) => {
    expect(hostRefusal(asked({ headers: { host } }))).toBe(undefined)
  })

  test.each([
    undefined,
    'localhost',
    '127.0.0.1',
    'localhost:5173',
    `app.localhost:${PORT}`,
    `[::1]:${PORT}`,
    `127.8.9.10:${PORT}`,
    `evil.example:${PORT}`,
    `localhost.evil.example:${PORT}`,
    `127.0.0.1.evil.example:${PORT}`,
  ])('%s is refused', (host) => {
    expect(hostRefusal(asked({ headers: { host } }))).toContain(`http://127.0.0.1:${PORT}/`)
  })
})

describe('what acts is for the script of the page', () => {
  test.each([
    { 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-mode': 'same-origin' },
    { host: `localhost:${PORT}`, origin: `http://localhost:${PORT}` },
  ])('with %o it is answered', (headers) => {
    expect(actRefusal(asked({ headers }), WRITES)).toBe(undefined)
  })

  test.each<IncomingHttpHeaders>([
    { 'content-type': undefined },
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/plain; application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { origin: undefined },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:5173' },
    { origin: `http://localhost:${PORT}` },
    { origin: `https://127.0.0.1:${PORT}` },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-mode': undefined },
    { 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-dest': undefined },
    { 'sec-fetch-dest': 'document' },
    { 'sec-fetch-dest': 'script' },
  ])('with %o it is refused', (headers) => {
    for (const does of [READS, WRITES])
      expect(actRefusal(asked({ headers }), does)).toBe('Only the script of this page may do this.')
  })

  test.each(PEERS)('from the peer "%s" it is refused', (peer) => {
    for (const does of [READS, WRITES])
      expect(actRefusal(asked({ peer }), does)).toContain('on this machine')
  })

  test.each(FORWARDING)('with the header %s of a proxy it is refused', (name) => {
    for (const does of [READS, WRITES])
      expect(actRefusal(asked({ headers: { [name]: '1' } }), does)).toContain('on this machine')
  })

  test.each(['read', false] as const)(
    'with the option page %s it may read and not write',
    (page) => {
      expect(actRefusal(asked({}), { page, writes: false })).toBe(undefined)
      expect(actRefusal(asked({}), { page, writes: true })).toContain('only reads')
    },
  )

  test('it is refused for another lock than the one on the screen', () => {
    const lock = { hash: 'sha256-b', path: 'prompts.lock.json' }
    assertShown('sha256-b', lock)
    for (const shown of ['sha256-a', '', undefined])
      expect(() => assertShown(shown, lock)).toThrow(
        expect.objectContaining({ code: 'LOCK_CHANGED' }),
      )
  })
})

describe('a browser on this machine', () => {
  test.each([
    ['127.0.0.1', 'localhost:5173'],
    ['127.8.9.10', '127.8.9.10:80'],
    ['::1', '[::1]:5173'],
    ['::ffff:127.0.0.1', 'LOCALHOST:5173'],
    ['::1', 'app.localhost:5173'],
  ])('connects from %s to %s', (peer, host) => {
    expect(isOnThisMachine(asked({ peer, headers: { host } }))).toBe(true)
  })

  test.each([undefined, 'app.example', '192.0.2.1:5173'])('does not ask for %s', (host) => {
    expect(isOnThisMachine(asked({ headers: { host } }))).toBe(false)
  })
})
