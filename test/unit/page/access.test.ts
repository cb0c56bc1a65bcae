import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { isOnThisMachine, type Purpose, refusalOf } from '../../../src/page/server/access.ts'

const PORT = 4401

/** What browsers send for each purpose. */
const OWN: Readonly<Record<Purpose, IncomingHttpHeaders>> = {
  act: fetched('same-origin', 'navigate', 'document', `http://127.0.0.1:${PORT}`),
  document: fetched('none', 'navigate', 'document'),
  events: fetched('same-origin', 'cors', 'empty'),
}

function fetched(site: string, mode: string, dest: string, origin?: string): IncomingHttpHeaders {
  const fetch = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest }
  return { ...fetch, ...(origin !== undefined && { origin }) }
}

function asked(headers: IncomingHttpHeaders, peer = '127.0.0.1'): Parameters<typeof refusalOf>[0] {
  const host = `127.0.0.1:${PORT}`
  return { headers: { host, ...headers }, socket: { remoteAddress: peer, localPort: PORT } }
}

const HOST = `This page is at http://127.0.0.1:${PORT}/ only.`
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

const FOREIGN = [
  'null',
  'http://127.0.0.1:5173',
  `http://localhost:${PORT}`,
  'https://evil.example',
]

/** Purposes, the values of a header, and how a request with one of them is refused. */
type Rule = readonly [Purpose[], string, readonly (string | undefined)[], string | undefined]

const ALL: Purpose[] = ['act', 'document', 'events']

const RULES: readonly Rule[] = [
  [ALL, 'host', [undefined, '', 'localhost', '127.0.0.1', 'localhost:5173'], HOST],
  [ALL, 'host', [`app.localhost:${PORT}`, `[::1]:${PORT}`, `127.8.9.10:${PORT}`], HOST],
  [ALL, 'host', [`evil.example:${PORT}`, `127.0.0.1.evil.example:${PORT}`], HOST],
  [['document', 'events'], 'host', [`localhost:${PORT}`], undefined],
  [['act'], 'origin', [undefined, ...FOREIGN, `https://127.0.0.1:${PORT}`], FORM],
  [['document'], 'origin', FOREIGN, LINK],
  [['events'], 'origin', FOREIGN, SCRIPT],
  [['document', 'events'], 'origin', [undefined, `http://127.0.0.1:${PORT}`], undefined],
  [['act'], 'sec-fetch-site', [undefined, 'none', 'same-site', 'cross-site'], FORM],
  [['events'], 'sec-fetch-site', [undefined, 'none', 'same-site', 'cross-site'], SCRIPT],
  [['document'], 'sec-fetch-site', ['none', 'same-origin', 'same-site', 'cross-site'], undefined],
  [['act'], 'sec-fetch-mode', [undefined, 'cors', 'same-origin', 'no-cors'], FORM],
  [['act'], 'sec-fetch-dest', [undefined, 'empty', 'iframe', 'embed'], FORM],
  ...FORWARDING.split(' ').map((name): Rule => [ALL, name, ['1'], MACHINE]),
]

describe('a request of a browser', () => {
  const cases = RULES.flatMap(([purposes, name, values, why]) =>
    purposes.flatMap((purpose) => values.map((value) => ({ purpose, name, value, why }))),
  )
  test.each(cases)('for $purpose with the header $name: $value is refused: $why', (given) => {
    const { purpose, name, value, why } = given
    expect(refusalOf(asked({ ...OWN[purpose], [name]: value }), purpose)).toBe(why)
  })

  test.each(['cross-site', 'same-site'])('of a %s page is answered only as a link', (site) => {
    for (const [mode, dest, why] of [
      ['navigate', 'document', undefined],
      ['navigate', 'iframe', LINK],
      ['no-cors', 'image', LINK],
      ['no-cors', 'script', LINK],
      ['cors', 'empty', LINK],
    ] as const)
      expect(refusalOf(asked(fetched(site, mode, dest)), 'document')).toBe(why)
  })

  test.each(['192.168.1.7', '10.0.0.1', '172.17.0.1', '::ffff:192.168.1.7', 'fe80::1', ''])(
    'is refused for the peer "%s"',
    (peer) => {
      for (const purpose of ALL) expect(refusalOf(asked(OWN[purpose], peer), purpose)).toBe(MACHINE)
    },
  )
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
  const { socket } = asked({}, peer)
  expect(isOnThisMachine({ headers: { host }, socket })).toBe(want)
})
