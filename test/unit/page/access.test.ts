import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createGate } from '../../../src/page/server/access.ts'
import type { PageResponse } from '../../../src/page/server/respond.ts'

const gate = createGate({ hosts: () => ['app.example', '192.0.2.1'] })
const token = tokenOf(gate)
const cookie = cookieOf(responseTo({ query: token }))

function tokenOf({ tokenQuery }: { readonly tokenQuery: string }): string {
  return new URLSearchParams(tokenQuery).get('token') ?? ''
}

function cookieOf(response: PageResponse | undefined): string {
  return response?.headers['set-cookie']?.split('=')[0] ?? ''
}

interface Given {
  readonly peer?: string | undefined
  readonly headers?: IncomingHttpHeaders
  readonly query?: string
}

/** The response to a request from this machine, with the given changes. */
function responseTo(given: Given): PageResponse | undefined {
  const { query } = given
  const remoteAddress = 'peer' in given ? given.peer : '127.0.0.1'
  const headers = { host: 'localhost:5173', ...given.headers }
  const request = { socket: { remoteAddress }, headers, url: '/' } as unknown as IncomingMessage
  return gate.check(request, new URLSearchParams(query === undefined ? {} : { token: query }))
}

function accessFor(given: Given): 'granted' | 'token-accepted' | 'missing-token' | 'rejected' {
  const response = responseTo(given)
  if (response === undefined) return 'granted'
  if (response.status === 302) return 'token-accepted'
  return String(response.body).includes('need a token') ? 'missing-token' : 'rejected'
}

describe('a client on this machine has access without the token', () => {
  test.each([
    ['127.0.0.1', 'localhost:5173'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.8.9.10', '127.8.9.10:80'],
    ['::1', '[::1]:5173'],
    ['::ffff:127.0.0.1', 'LOCALHOST:5173'],
    ['::1', 'app.localhost:5173'],
  ])('%s asking for %s', (peer, host) => {
    expect(accessFor({ peer, headers: { host } })).toBe('granted')
  })
})

const PEERS = [
  '192.168.1.7',
  '10.0.0.1',
  '172.17.0.1',
  '::ffff:192.168.1.7',
  'fe80::1',
  '',
  undefined,
]

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

const ELSEWHERE: readonly (readonly [string, Given])[] = [
  ...PEERS.map((peer) => [`the peer ${peer}`, { peer }] as const),
  ...FORWARDING.map((name) => [`the header ${name}`, { headers: { [name]: '1' } }] as const),
  ['a name of the dev server', { headers: { host: 'app.example' } }],
  ['an address of the network', { headers: { host: '192.0.2.1:5173' } }],
]

describe.each(ELSEWHERE)('with %s', (_, given) => {
  test('a client has access only with the token', () => {
    const withHeaders = (headers: IncomingHttpHeaders): Given => ({
      ...given,
      headers: { ...given.headers, ...headers },
    })
    expect(accessFor(given)).toBe('missing-token')
    expect(accessFor({ ...given, query: token })).toBe('token-accepted')
    expect(accessFor(withHeaders({ 'x-prompts-token': token }))).toBe('granted')
    expect(accessFor(withHeaders({ cookie: `a=b; ${cookie}=${token}; c=d` }))).toBe('granted')
  })
})

test.each([
  ['another one', { query: tokenOf(createGate({})) }],
  ['the beginning of it', { query: token.slice(0, -1) }],
  ['more than it', { headers: { 'x-prompts-token': `${token}0` } }],
  ['none', { query: '' }],
  ['it in a cookie of another server', { headers: { cookie: `prompts-page-0=${token}` } }],
  ['it twice', { headers: { cookie: `${cookie}=${token}${token}` } }],
])('a token is refused: %s', (_, given: Given) => {
  expect(accessFor({ ...given, peer: '192.168.1.7' })).toBe('missing-token')
})

test.each([
  ['a foreign name (DNS rebinding)', { host: 'evil.example' }],
  ['a name that begins like ours', { host: 'localhost.evil.example' }],
  ['a name that ends like an address', { host: '127.0.0.1.evil.example' }],
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['a foreign site', { 'sec-fetch-site': 'cross-site' }],
])('the token opens nothing to %s', (_, headers) => {
  expect(accessFor({ headers, query: token })).toBe('rejected')
  expect(accessFor({ headers: { ...headers, cookie: `${cookie}=${token}` } })).toBe('rejected')
})
