import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { actRefusal, hostRefusal, isOnThisMachine } from '../../../src/page/server/access.ts'

const PORT = 4401

/** A request with the headers of the page's own script, and some others. */
function asked(
  headers: IncomingHttpHeaders,
  peer = '127.0.0.1',
): Parameters<typeof hostRefusal>[0] {
  const host = headers.host ?? `127.0.0.1:${PORT}`
  const own = {
    host,
    origin: `http://${host}`,
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
  }
  return { headers: { ...own, ...headers }, socket: { remoteAddress: peer, localPort: PORT } }
}

const HOST = `This page is at http://127.0.0.1:${PORT}/ only.`
const SCRIPT = 'Only the script of this page may do this.'
const MACHINE = 'Only a browser on this machine may do this.'

/** As proxies, tunnels and port forwarding send them. */
const FORWARDING =
  'forwarded via x-forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip x-client-ip client-ip ' +
  'true-client-ip x-original-host x-original-forwarded-for x-cluster-client-ip x-envoy-external-address ' +
  'x-proxyuser-ip cf-connecting-ip cf-ray cf-visitor cdn-loop ngrok-skip-browser-warning tailscale-user-login ' +
  'fastly-client-ip fly-client-ip x-amzn-trace-id x-azure-clientip x-arr-log-id x-ms-proxy ' +
  'x-vercel-forwarded-for x-appengine-user-ip x-cloud-trace-context x-github-token'

/** The values of a header, and how a request with one of them is refused; `undefined` if it is answered. */
const RULES: readonly (readonly [string, readonly (string | undefined)[], string | undefined])[] = [
  ['host', [`127.0.0.1:${PORT}`, `localhost:${PORT}`], undefined],
  [
    'host',
    [undefined, '', 'localhost', '127.0.0.1', 'localhost:5173', `app.localhost:${PORT}`],
    HOST,
  ],
  ['host', [`[::1]:${PORT}`, `127.8.9.10:${PORT}`, `evil.example:${PORT}`], HOST],
  ['host', [`localhost.evil.example:${PORT}`, `127.0.0.1.evil.example:${PORT}`], HOST],
  ['content-type', [undefined, 'text/plain', 'text/plain; application/json'], SCRIPT],
  ['content-type', ['application/x-www-form-urlencoded'], SCRIPT],
  ['origin', [undefined, 'null', 'http://127.0.0.1:5173', `http://localhost:${PORT}`], SCRIPT],
  ['origin', [`https://127.0.0.1:${PORT}`, 'https://evil.example'], SCRIPT],
  ['sec-fetch-site', [undefined, 'none', 'same-site', 'cross-site'], SCRIPT],
  ['sec-fetch-mode', ['cors', 'same-origin'], undefined],
  ['sec-fetch-mode', [undefined, 'no-cors', 'navigate'], SCRIPT],
  ['sec-fetch-dest', [undefined, 'document', 'script'], SCRIPT],
  ...FORWARDING.split(' ').map((name) => [name, ['1'], MACHINE] as const),
]

describe('what reads texts, checks code or writes', () => {
  test.each(RULES.flatMap(([name, values, why]) => values.map((value) => ({ name, value, why }))))(
    'is refused for the header $name with $value: $why',
    ({ name, value, why }) => {
      const request = asked({ [name]: value })
      for (const writes of [true, false])
        expect(hostRefusal(request) ?? actRefusal(request, { page: true, writes })).toBe(why)
    },
  )

  test.each(['192.168.1.7', '10.0.0.1', '172.17.0.1', '::ffff:192.168.1.7', 'fe80::1', ''])(
    'is refused for the peer "%s"',
    (peer) => {
      for (const writes of [true, false])
        expect(actRefusal(asked({}, peer), { page: true, writes })).toBe(MACHINE)
    },
  )

  test.each(['read', false] as const)('may read and not write with the option page %s', (page) => {
    expect(actRefusal(asked({}), { page, writes: false })).toBe(undefined)
    expect(actRefusal(asked({}), { page, writes: true })).toContain('only reads')
  })
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
])('whether a browser that connects from %s to %s is on this machine: %s', (peer, host, want) => {
  const { headers, socket } = asked({}, peer)
  expect(isOnThisMachine({ headers: { ...headers, host }, socket })).toBe(want)
})
