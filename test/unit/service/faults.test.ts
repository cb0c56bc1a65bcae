import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Pool } from 'undici/index.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PromptsError } from '../../../src/errors/prompts-error.ts'
import { createSender, type Progress } from '../../../src/service/sender.ts'
import {
  type Play,
  answer,
  flood,
  hangUp,
  head,
  json,
  raw,
  reset,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import {
  connect,
  stopTime,
  listed,
  rejection,
  served,
  TIMEOUT,
  toPinned,
  untilTestEnds,
} from '../../helpers/service-client.ts'
import { SOON } from '../../helpers/soon.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const BODY = JSON.stringify(served)
const LENGTH = { ...JSON_TYPE, 'content-length': String(BODY.length) }
const CHUNKED = head(200, { ...JSON_TYPE, 'transfer-encoding': 'chunked' })
const SHORT = head(200, { ...LENGTH, 'content-length': '40' })
const LATIN = Buffer.from(BODY.replace('kind', 'k\u00efnd'), 'latin1')
const CUT = Buffer.from(BODY.replace('kind', 'k\u00efnd')).subarray(0, BODY.indexOf('kind') + 2)
const OTHER = { ...served, slug: 'other', environment: 'test' }
const MEGABYTE = 1024 * 1024
const PORTAL = `<html>\u001b[31m<title>Log in</title>${' x'.repeat(80)}`

type Code = PromptsError['code']
type Case = readonly [title: string, code: Code, play: Play, details?: object]

/** What a read of one prompt is refused with, after three attempts. */
const REPEATED: readonly Case[] = [
  ['a reset connection', 'SERVICE_UNREACHABLE', reset],
  ['a closed connection', 'SERVICE_UNREACHABLE', hangUp],
  ['something that is not HTTP', 'SERVICE_UNREACHABLE', raw('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
  ['a body that is cut', 'ANSWER_INCOMPLETE', raw(head(200, LENGTH) + BODY.slice(0, 40))],
  ['a length that is less than the body', 'ANSWER_INCOMPLETE', raw(SHORT + BODY)],
  ['chunks that end early', 'ANSWER_INCOMPLETE', raw(`${CHUNKED}5\r\n{"slu\r\n`)],
  ['chunks that are broken', 'ANSWER_INCOMPLETE', raw(`${CHUNKED}5\r\n{"slu\r\nzz\r\n`)],
  [
    'a body without length that ends early',
    'ANSWER_INCOMPLETE',
    raw(head(200, JSON_TYPE) + BODY.slice(0, -10)),
  ],
  ['a text that ends within a character', 'ANSWER_INCOMPLETE', answer(200, CUT)],
  ['JSON that ends after a bracket in a text', 'ANSWER_INCOMPLETE', answer(200, '{"a":"}",')],
  ['JSON that ends after an escaped quote', 'ANSWER_INCOMPLETE', answer(200, ' {"a":"\\"}')],
  ['429', 'RATE_LIMITED', answer(429, ''), { wait: '' }],
  // The last one is that of Cloudflare for a server that does not answer.
  ...[500, 501, 502, 503, 504, 522].map((status): Case => {
    const details = { status, excerpt: 'down', attempts: 3 }
    return [`${status}`, 'SERVICE_FAILED', answer(status, '{"error":"down"}'), details]
  }),
]

/** What it is refused with at once. */
const FINAL: readonly Case[] = [
  [
    'a length over the cap',
    'ANSWER_TOO_LARGE',
    raw(head(200, { ...JSON_TYPE, 'content-length': '999999999999' })),
    { limit: 32 * MEGABYTE },
  ],
  ['a body without end', 'ANSWER_TOO_LARGE', flood, { limit: 32 * MEGABYTE }],
  [
    'a compressed answer, which was not asked for',
    'ANSWER_NOT_JSON',
    answer(200, gzipSync(BODY), { 'content-encoding': 'gzip' }),
    { contentType: 'application/json encoded as gzip', excerpt: '' },
  ],
  [
    '401',
    'KEY_REFUSED',
    answer(401, '{"error":"unknown key"}'),
    { source: 'PROMPTS_API_KEY', excerpt: 'unknown key' },
  ],
  ['403', 'ACCESS_DENIED', answer(403, 'no')],
  [
    '403 with a large page',
    'ACCESS_DENIED',
    answer(403, `<h1>No</h1>${'.'.repeat(200_000)}`),
    { excerpt: `<h1>No</h1>${'.'.repeat(69)}` },
  ],
  ...[206, 300, 304, 418, 499].map((status): Case => [
    `${status}`,
    'STATUS_UNEXPECTED',
    answer(status, BODY),
    { status },
  ]),
  [
    'HTML of a captive portal',
    'ANSWER_NOT_JSON',
    answer(200, PORTAL, { 'content-type': 'text/html; profile=json' }),
    {
      contentType: 'text/html; profile=json',
      excerpt: PORTAL.replace('\u001b[31m', '').slice(0, 80),
    },
  ],
  ['HTML that calls itself JSON', 'ANSWER_NOT_JSON', answer(200, '<html>Log in</html>')],
  ['a page that ends early', 'ANSWER_NOT_JSON', answer(200, '<style>{')],
  ['more than JSON', 'ANSWER_NOT_JSON', answer(200, '{"a":"{"},')],
  ['NaN, which is not JSON', 'ANSWER_NOT_JSON', answer(200, BODY.replace('0.2', 'NaN'))],
  [
    'an answer of two types',
    'ANSWER_NOT_JSON',
    answer(200, '<p>', { 'content-type': 'text/html\r\ncontent-type: text/plain' }),
    { contentType: 'text/html, text/plain' },
  ],
  ['204', 'ANSWER_EMPTY', raw(head(204)), { status: 204 }],
  ['an empty body', 'ANSWER_EMPTY', answer(200, '', { 'content-type': 'text/plain' })],
  ['a blank body', 'ANSWER_EMPTY', answer(200, '\ufeff \n'), { status: 200 }],
  ['bytes that are not UTF-8', 'ANSWER_NOT_UTF8', answer(200, LATIN)],
  ['UTF-16', 'ANSWER_NOT_UTF8', answer(200, Buffer.from(`\ufeff${BODY}`, 'utf16le'))],
  [
    'another prompt and another environment than asked for',
    'ANSWER_INVALID',
    json(OTHER),
    {
      problems: [
        'GET /api/v1/prompts/support-triage: $.slug: expected “support-triage”, received “other”',
        'GET /api/v1/prompts/support-triage: $.environment: expected “live”, received “test”',
      ],
    },
  ],
]

/** What the list is refused with at once. */
const OF_LISTS: readonly Case[] = [
  ['404', 'SERVICE_NOT_FOUND', answer(404, '')],
  ['a list without end', 'ANSWER_TOO_LARGE', flood, { limit: 64 * MEGABYTE }],
  [
    'the same slug twice',
    'SLUG_DUPLICATE',
    json({ ...listed, prompts: [...listed.prompts, ...listed.prompts, ...listed.prompts] }),
    { slugs: ['support-triage'] },
  ],
]

test.each([
  ...REPEATED.map((fault) => [...fault.slice(0, 2), 3, fault] as const),
  ...[...FINAL, ...OF_LISTS].map((fault) => [...fault.slice(0, 2), 1, fault] as const),
])('%s is %s after %i attempt(s)', async (...row) => {
  const [attempts, fault] = row.slice(2) as [number, Case]
  const [, code, play, details = {}] = fault
  const events: Progress[] = []
  const server = await startFaultServer(play)
  const onProgress = (event: Progress): void => void events.push(event)
  const service = connect(server.url, { onProgress })
  const read = OF_LISTS.includes(fault) ? service.list() : service.get('support-triage')
  const error = await rejection(read)
  expect(error).toMatchObject({ code, details: attempts > 1 ? { attempts, ...details } : details })
  // What it is about: an address, or a prompt.
  expect(error.message).toMatch(/\/api\/v1\/prompts|support-triage/)
  expect(server.requests).toHaveLength(attempts)
  expect(events).toMatchObject(
    Array.from({ length: attempts - 1 }, (_, index) => ({
      kind: 'retry',
      attempt: index + 1,
      error: { code },
    })),
  )
})

test('an answer after failures is that answer, and each retry is reported', async () => {
  vi.stubEnv('DEBUG', 'unplugin-prompts:service')
  const log = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => void vi.unstubAllEnvs().restoreAllMocks())
  const events: Progress[] = []
  const server = await startFaultServer([reset, answer(503, 'busy'), json(served)])
  const service = connect(server.url, { onProgress: (event) => events.push(event) })
  expect(await service.get('support-triage')).toEqual(toPinned(served))
  expect(server.requests.map(({ headers }) => headers['range'])).toEqual(Array(3).fill(undefined))
  const url = `${server.url}/api/v1/prompts/support-triage`
  expect(events).toMatchObject([
    { url, attempt: 1, wait: 250, error: { code: 'SERVICE_UNREACHABLE' } },
    { url, attempt: 2, wait: 500, error: { code: 'SERVICE_FAILED' } },
  ])
  const lines = [
    'retry 1 in 250 ms',
    `${url}: status 503`,
    'retry 2 in 500 ms',
    `${url}: status 200`,
  ]
  expect(log.mock.calls).toEqual(lines.map((line) => [expect.stringContaining(line)]))
})

test.each([
  ['7', 7000],
  ['60', 60_000],
  ['0', 250],
  ['soon', 250],
])('after 429 and 503, Retry-After: %s waits %i ms', async (header, wait) => {
  for (const status of [429, 503]) {
    const { waits } = stopTime()
    const server = await startFaultServer([
      answer(status, '', { 'retry-after': header }),
      json(listed),
    ])
    expect(await connect(server.url).list()).toEqual(listed)
    expect(waits).toEqual([wait])
  }
})

test('a wait of more than a minute is not waited for, but told', async () => {
  const server = await startFaultServer(answer(429, '', { 'retry-after': '61' }))
  const error = await rejection(connect(server.url).list())
  expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { wait: '61 s', attempts: 1 } })
  expect(server.requests).toHaveLength(1)
})

test.each([
  ['http://127.0.0.1:1', /127\.0\.0\.1:1\b.*ECONNREFUSED/],
  ['https://prompts.invalid', /prompts\.invalid/],
])('the unreachable host of %s is named after three attempts', async (url, reason) => {
  expect(await rejection(connect(url).list())).toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    details: { attempts: 3, reason: expect.stringMatching(reason) },
  })
})

/** What a read comes to whose connections fail with a code. */
async function failedWith(code: string): Promise<PromptsError> {
  const cause = Object.assign(new Error(`connect ${code}`), { code })
  const request = vi.spyOn(Pool.prototype, 'request').mockRejectedValue(cause)
  onTestFinished(() => request.mockRestore())
  return rejection(connect('https://prompts.example').list())
}

test.each([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  'EACCES',
  'MY_CERT_ERROR',
])(
  'a connection that fails with %s is made again, and its host and code are told once',
  async (code) => {
    const error = await failedWith(code)
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', details: { attempts: 3 } })
    const { reason } = error.details as { reason: string }
    expect(reason).not.toContain('*')
    for (const part of ['prompts.example', code]) expect(reason.split(part)).toHaveLength(2)
  },
)

test.each([
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'CRL_HAS_EXPIRED',
  'HOSTNAME_MISMATCH',
  'INVALID_PURPOSE',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UND_ERR_PRX_TLS',
])('a connection that fails with %s is about a certificate, and not made again', async (code) => {
  const details = { reason: expect.stringMatching(new RegExp(`prompts.example.*${code}`)) }
  expect(await failedWith(code)).toMatchObject({ code: 'CERTIFICATE_INVALID', details })
})

test.each([
  ['without a length', raw(`${head(200)}1234`)],
  ['with a length', answer(200, '1234')],
])('a body %s may be as large as its limit, and not larger', async (_, play) => {
  const { url } = await startFaultServer(play)
  const context = { name: '', secrets: [], concurrency: 1, timeout: TIMEOUT, processEnv: {} }
  const send = createSender({ ...context, signal: untilTestEnds() }, url)
  const read = (limit: number) =>
    send({ path: '/', keySource: '', limit, isRepeatable: false }, ({ body }) => body.length)
  expect(await read(4)).toBe(4)
  expect(await rejection(read(3))).toMatchObject({
    code: 'ANSWER_TOO_LARGE',
    details: { limit: 3 },
  })
})

test('a self-signed certificate is an error without a retry', async () => {
  const server = await startFaultServer(json(listed), { tls: true })
  const error = await rejection(connect(server.url).list())
  const cause = { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }
  expect(error).toMatchObject({ code: 'CERTIFICATE_INVALID', cause })
  expect(error.message).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED')
  expect([server.connections(), server.requests.length]).toEqual([1, 0])
})

describe('what does not end', () => {
  /** A page of an error that never ends; its first bytes are enough. */
  const endlessError: Play = (socket) => {
    socket.write(head(403, { 'content-length': '999999999' }))
    const timer = setInterval(() => socket.write('x'.repeat(10_000)), 1)
    socket.on('close', () => clearInterval(timer))
  }

  test.each([
    ['an answer that is too large', flood, 'ANSWER_TOO_LARGE'],
    ['an error without end', endlessError, 'ACCESS_DENIED'],
  ] as const)('%s does not go on being received', async (_title, play, code) => {
    const sockets: Socket[] = []
    const { url } = await startFaultServer((socket, request) => {
      sockets.push(socket)
      play(socket, request)
    })
    expect((await rejection(connect(url).get('a'))).code).toBe(code)
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), SOON)
  })
})

test.each([
  [301, 'https://evil.example/path?q=1', 'https://evil.example'],
  [302, '//evil.example:8443/', 'https?://evil.example:8443'],
  [303, 'https://user:pw@evil.example/', 'https://evil.example'],
  [307, undefined, 'an unknown address'],
  [308, 'http://[', 'an unknown address'],
  [302, 'javascript:alert(1)', 'javascript:'],
])('a redirect with %i to %s is not followed', async (status, location, target) => {
  const headers = location === undefined ? {} : { location }
  const server = await startFaultServer(answer(status, '', headers))
  const error = await rejection(connect(server.url).list())
  expect(error.code).toBe('REDIRECTED')
  expect((error.details as { target: string }).target).toMatch(new RegExp(`^${target}$`))
  expect(server.requests).toHaveLength(1)
})
