import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { PromptService } from '../../src/core/service.ts'
import type { PromptsError } from '../../src/errors.ts'
import type { RetryEvent } from '../../src/io/service.ts'
import {
  type Play,
  answer,
  drip,
  flood,
  hangUp,
  head,
  json,
  raw,
  reset,
  stall,
  startFaultServer,
} from '../helpers/fault-server.ts'
import { connect, hastyClock, listed, rejection, served } from '../helpers/service-client.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const BODY = JSON.stringify(served)
const LENGTH = { ...JSON_TYPE, 'content-length': String(BODY.length) }
const CHUNKED = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }

const get = (service: PromptService): Promise<unknown> => service.get('support-triage')
const list = (service: PromptService): Promise<unknown> => service.list()

interface Case {
  readonly row: number
  readonly title: string
  readonly play: Play
  readonly code: PromptsError['code']
  readonly attempts: number
  readonly read?: (service: PromptService) => Promise<unknown>
  readonly details?: object
}

const cases: readonly Case[] = [
  { row: 2, title: 'a reset connection', play: reset, code: 'SERVICE_UNREACHABLE', attempts: 3 },
  { row: 2, title: 'a closed connection', play: hangUp, code: 'SERVICE_UNREACHABLE', attempts: 3 },
  {
    row: 2,
    title: 'something that is no HTTP',
    play: raw('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
    code: 'SERVICE_UNREACHABLE',
    attempts: 3,
  },
  {
    row: 6,
    title: 'a body that is cut',
    play: raw(head(200, LENGTH) + BODY.slice(0, 40)),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    row: 6,
    title: 'a body without its beginning of length',
    play: raw(head(200, { ...LENGTH, 'content-length': '40' }) + BODY),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    row: 6,
    title: 'chunks that end early',
    play: raw(`${head(200, CHUNKED)}${BODY.length.toString(16)}\r\n${BODY}\r\n`),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    row: 6,
    title: 'chunks that are broken',
    play: raw(`${head(200, CHUNKED)}5\r\n{"slu\r\nzz\r\n`),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    row: 7,
    title: 'a body without length that is closed early',
    play: raw(head(200, JSON_TYPE) + BODY.slice(0, -10)),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    row: 8,
    title: 'a length over the cap',
    play: raw(head(200, { ...JSON_TYPE, 'content-length': '999999999999' })),
    code: 'ANSWER_TOO_LARGE',
    attempts: 1,
    details: { limit: 32 * 1024 * 1024 },
  },
  {
    row: 8,
    title: 'a body without end',
    play: flood,
    code: 'ANSWER_TOO_LARGE',
    attempts: 1,
    details: { limit: 32 * 1024 * 1024 },
  },
  {
    row: 8,
    title: 'a list without end',
    play: flood,
    read: list,
    code: 'ANSWER_TOO_LARGE',
    attempts: 1,
    details: { limit: 64 * 1024 * 1024 },
  },
  {
    row: 8,
    title: 'a compressed answer, which was not asked for',
    play: answer(200, gzipSync(BODY), { 'content-encoding': 'gzip' }),
    code: 'ANSWER_NOT_JSON',
    attempts: 1,
    details: { contentType: 'application/json encoded as gzip', excerpt: '' },
  },
  {
    row: 11,
    title: '401',
    play: answer(401, '{"error":"unknown key"}'),
    code: 'KEY_REFUSED',
    attempts: 1,
    details: { source: 'PROMPTS_API_KEY', excerpt: 'unknown key' },
  },
  { row: 12, title: '403', play: answer(403, 'no'), code: 'ACCESS_DENIED', attempts: 1 },
  { row: 14, title: '404', play: answer(404, ''), read: list, code: 'SERVICE_NOT_FOUND', attempts: 1 },
  { row: 15, title: '429', play: answer(429, ''), code: 'RATE_LIMITED', attempts: 3, details: { wait: '' } },
  ...[500, 502, 503, 504].map((status): Case => {
    const play = answer(status, '{"error":"down"}')
    const details = { status, excerpt: 'down', attempts: 3 }
    return { row: 17, title: `${status}`, play, code: 'SERVICE_FAILED', attempts: 3, details }
  }),
  { row: 17, title: '501', play: answer(501, ''), code: 'STATUS_UNEXPECTED', attempts: 1 },
  { row: 17, title: '418', play: answer(418, ''), code: 'STATUS_UNEXPECTED', attempts: 1 },
  { row: 17, title: '206', play: answer(206, BODY), code: 'STATUS_UNEXPECTED', attempts: 1 },
  {
    row: 19,
    title: 'HTML of a captive portal',
    play: answer(200, `<html>\u001b[31m<title>Log in</title>${' x'.repeat(80)}`, {
      'content-type': 'text/html; charset=utf-8',
    }),
    code: 'ANSWER_NOT_JSON',
    attempts: 1,
    details: {
      contentType: 'text/html; charset=utf-8',
      excerpt: `<html><title>Log in</title>${' x'.repeat(80)}`.slice(0, 80),
    },
  },
  {
    row: 19,
    title: 'HTML that calls itself JSON',
    play: answer(200, '<html>Log in</html>'),
    code: 'ANSWER_NOT_JSON',
    attempts: 1,
  },
  { row: 20, title: '204', play: raw(head(204)), code: 'ANSWER_EMPTY', attempts: 1, details: { status: 204 } },
  { row: 20, title: 'an empty body', play: answer(200, ''), code: 'ANSWER_EMPTY', attempts: 1 },
  { row: 20, title: 'a blank body', play: answer(200, '\ufeff \n'), code: 'ANSWER_EMPTY', attempts: 1 },
  {
    row: 21,
    title: 'bytes that are not UTF-8',
    play: answer(200, Buffer.from(BODY.replace('kind', 'k\u00efnd'), 'latin1')),
    code: 'ANSWER_NOT_UTF8',
    attempts: 1,
  },
  {
    row: 25,
    title: 'the same slug twice',
    play: json({ ...listed, prompts: [...listed.prompts, ...listed.prompts, ...listed.prompts] }),
    read: list,
    code: 'SLUG_DUPLICATE',
    attempts: 1,
    details: { slugs: ['support-triage'] },
  },
  {
    row: 28,
    title: 'another prompt and another environment than asked for',
    play: json({ ...served, slug: 'other', environment: 'test' }),
    code: 'ANSWER_INVALID',
    attempts: 1,
    details: {
      problems: [
        'GET /api/v1/prompts/support-triage: $.slug: expected “support-triage”, as asked for, received “other”',
        'GET /api/v1/prompts/support-triage: $.environment: expected “live”, as asked for, received “test”',
      ],
    },
  },
]

test.each(cases)(
  '$title is $code after $attempts attempt(s) (FAULTS $row)',
  async ({ play, code, attempts, read = get, details = {} }) => {
    const events: RetryEvent[] = []
    const server = await startFaultServer(play)
    const service = connect(server.url, { onRetry: (event) => events.push(event) })
    const error = await rejection(read(service))
    expect(error).toMatchObject({ code, details })
    expect(server.requests).toHaveLength(attempts)
    expect(events.map(({ attempt, error: { code: each } }) => [attempt, each])).toEqual(
      Array.from({ length: attempts - 1 }, (_, index) => [index + 1, code]),
    )
  },
)

describe('recovery', () => {
  const recovering: [number, string, Play][] = [
    [2, 'a reset', reset],
    [6, 'a cut body', raw(head(200, LENGTH) + BODY.slice(0, 40))],
    [7, 'an early end', raw(head(200, JSON_TYPE) + BODY.slice(0, 40))],
    [15, 'a 429', answer(429, '')],
    [17, 'a 500', answer(500, '')],
    [17, 'a 503', answer(503, 'busy', { 'content-type': 'text/plain' })],
  ]
  test.each(recovering)('(FAULTS %i) %s, then an answer, is that answer', async (_row, _title, play) => {
    const server = await startFaultServer([play, play, json(served)])
    expect(await connect(server.url).get('support-triage')).toEqual(served)
    expect(server.requests).toHaveLength(3)
    expect(server.requests.map(({ headers }) => headers['range'])).toEqual(Array(3).fill(undefined))
  })

  test('each retry is told with its address, wait and reason (FAULTS 17)', async () => {
    const events: RetryEvent[] = []
    const server = await startFaultServer([answer(502, ''), json(served)])
    await connect(server.url, { onRetry: (event) => events.push(event) }).get('support-triage')
    const url = `${server.url}/api/v1/prompts/support-triage`
    expect(events).toMatchObject([{ url, attempt: 1, wait: 250, error: { code: 'SERVICE_FAILED' } }])
  })
})

describe('refused connections', () => {
  test('a port that nobody listens on is retried and named (FAULTS 2)', async () => {
    const clock = hastyClock(1)
    const error = await rejection(connect('http://127.0.0.1:1', {}, clock).list())
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', details: { attempts: 3 } })
    expect(error.why).toContain('127.0.0.1:1 refused the connection (ECONNREFUSED)')
    expect(clock.waits).toEqual([500, 1000])
  })

  test('a host that does not exist is retried and named (FAULTS 1)', async () => {
    const error = await rejection(connect('https://prompts.invalid').list())
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', details: { attempts: 3 } })
    expect(error.why).toMatch(/prompts\.invalid (?:was not found|could not be looked up|.* name)/)
  })

  test('a self-signed certificate is refused without a retry (FAULTS 3)', async () => {
    const server = await startFaultServer(json(listed), { tls: true })
    const error = await rejection(connect(server.url).list())
    expect(error).toMatchObject({
      code: 'CERTIFICATE_INVALID',
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    expect(error.message).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED')
    expect([server.connections(), server.requests.length]).toEqual([1, 0])
  })
})

describe('deadlines', () => {
  test('headers that never come are retried while the deadline allows it (FAULTS 4)', async () => {
    const server = await startFaultServer(stall)
    const begin = performance.now()
    const error = await rejection(connect(server.url, { timeout: 600 }, hastyClock(0)).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { milliseconds: 600 } })
    expect(server.requests).toHaveLength(3)
    expect(performance.now() - begin).toBeLessThan(1500)
  })

  test('an answer after a stalled attempt is that answer (FAULTS 4)', async () => {
    const server = await startFaultServer([stall, json(listed)])
    expect(await connect(server.url, { timeout: 900 }).list()).toEqual(listed)
    expect(server.requests).toHaveLength(2)
  })

  test('a drip ends at the deadline, without a retry (FAULTS 5)', async () => {
    const server = await startFaultServer(drip(20))
    const begin = performance.now()
    const error = await rejection(connect(server.url, { timeout: 500 }).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { attempts: 1 } })
    expect(performance.now() - begin).toBeGreaterThan(450)
    expect(performance.now() - begin).toBeLessThan(1500)
  })

  test('an error whose body drips does not use up the deadline (FAULTS 5)', async () => {
    const slowly: Play = (socket) => {
      socket.write(head(503, { 'content-length': '100000' }))
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const server = await startFaultServer([slowly, json(listed)])
    expect(await connect(server.url, { timeout: 900 }).list()).toEqual(listed)
  })

  test('a TLS handshake that hangs is a timeout (FAULTS 4)', async () => {
    const server = await startFaultServer(stall)
    const url = server.url.replace('http:', 'https:')
    const error = await rejection(connect(url, { timeout: 400 }, hastyClock(0)).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT' })
  })
})

describe('Retry-After', () => {
  const waitsFor = async (status: number, header: string): Promise<number[]> => {
    const clock = hastyClock(0.5)
    const limited = answer(status, '', { 'retry-after': header })
    const server = await startFaultServer([limited, json(listed)])
    expect(await connect(server.url, { timeout: 2000 }, clock).list()).toEqual(listed)
    return clock.waits
  }

  test.each([
    ['0', 0],
    ['7', 7000],
    ['60', 60_000],
    ['-5', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['soon', 250],
    ['1e3', 250],
    ['', 250],
  ])('%j waits %i ms (FAULTS 15, 16)', async (header, wait) => {
    expect(await waitsFor(429, header)).toEqual([wait])
    expect(await waitsFor(503, header)).toEqual([wait])
  })

  test('a date is waited for (FAULTS 16)', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString()
    const [wait = 0] = await waitsFor(429, date)
    expect(wait).toBeGreaterThan(18_000)
    expect(wait).toBeLessThanOrEqual(20_000)
  })

  test.each([
    ['61', '61 s'],
    ['86401', 'more than a day'],
    ['9'.repeat(400), 'more than a day'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 'more than a day'],
  ])('%s fails at once and tells the wait (FAULTS 15, 16)', async (header, wait) => {
    const server = await startFaultServer(answer(429, '', { 'retry-after': header }))
    const error = await rejection(connect(server.url).list())
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { wait, attempts: 1 } })
    expect(server.requests).toHaveLength(1)
  })

  test('a real wait that is longer than the deadline does not end it (FAULTS 15)', async () => {
    const limited = answer(429, '', { 'retry-after': '1' })
    const server = await startFaultServer([limited, json(listed)])
    const { systemClock } = await import('../../src/io/retry.ts')
    const service = connect(server.url, { timeout: 500 }, systemClock)
    expect(await service.list()).toEqual(listed)
  })
})

describe('redirects', () => {
  test.each([
    [301, 'https://evil.example/path?q=1', 'https://evil.example'],
    [302, '//evil.example:8443/', 'https?://evil.example:8443'],
    [303, 'https://user:pw@evil.example/', 'https://evil.example'],
    [307, undefined, 'an address it does not give'],
    [308, 'http://[', 'an address it does not give'],
  ])('%i to %s is not followed (FAULTS 18)', async (status, location, target) => {
    const headers = location === undefined ? {} : { location }
    const server = await startFaultServer(answer(status, '', headers))
    const error = await rejection(connect(server.url).list())
    expect(error.code).toBe('REDIRECTED')
    expect((error.details as { target: string }).target).toMatch(new RegExp(`^${target}$`))
    expect(server.requests).toHaveLength(1)
  })
})
