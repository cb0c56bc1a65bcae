import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { PromptsError } from '../../../src/errors/prompts-error.ts'
import type { Client } from '../../../src/service/client.ts'
import type { Progress } from '../../../src/service/sender.ts'
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
import { connect, listed, rejection, served } from '../../helpers/service-client.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const BODY = JSON.stringify(served)
const LENGTH = { ...JSON_TYPE, 'content-length': String(BODY.length) }
const CHUNKED = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }

const get = (service: Client): Promise<unknown> => service.get('support-triage')
const list = (service: Client): Promise<unknown> => service.list()

type Case = readonly [
  title: string,
  code: PromptsError['code'],
  attempts: number,
  play: Play,
  more?: { readonly read?: (service: Client) => Promise<unknown>; readonly details?: object },
]

const cases: readonly Case[] = [
  ['a reset connection', 'SERVICE_UNREACHABLE', 3, reset],
  ['a closed connection', 'SERVICE_UNREACHABLE', 3, hangUp],
  ['something that is not HTTP', 'SERVICE_UNREACHABLE', 3, raw('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
  ['a body that is cut', 'ANSWER_INCOMPLETE', 3, raw(head(200, LENGTH) + BODY.slice(0, 40))],
  [
    'a length that is less than the body',
    'ANSWER_INCOMPLETE',
    3,
    raw(head(200, { ...LENGTH, 'content-length': '40' }) + BODY),
  ],
  [
    'chunks that end early',
    'ANSWER_INCOMPLETE',
    3,
    raw(`${head(200, CHUNKED)}${BODY.length.toString(16)}\r\n${BODY}\r\n`),
  ],
  [
    'chunks that are broken',
    'ANSWER_INCOMPLETE',
    3,
    raw(`${head(200, CHUNKED)}5\r\n{"slu\r\nzz\r\n`),
  ],
  [
    'a body without length that is closed early',
    'ANSWER_INCOMPLETE',
    3,
    raw(head(200, JSON_TYPE) + BODY.slice(0, -10)),
  ],
  [
    'a length over the cap',
    'ANSWER_TOO_LARGE',
    1,
    raw(head(200, { ...JSON_TYPE, 'content-length': '999999999999' })),
    { details: { limit: 32 * 1024 * 1024 } },
  ],
  ['a body without end', 'ANSWER_TOO_LARGE', 1, flood, { details: { limit: 32 * 1024 * 1024 } }],
  [
    'a list without end',
    'ANSWER_TOO_LARGE',
    1,
    flood,
    { read: list, details: { limit: 64 * 1024 * 1024 } },
  ],
  [
    'a compressed answer, which was not asked for',
    'ANSWER_NOT_JSON',
    1,
    answer(200, gzipSync(BODY), { 'content-encoding': 'gzip' }),
    { details: { contentType: 'application/json encoded as gzip', excerpt: '' } },
  ],
  [
    '401',
    'KEY_REFUSED',
    1,
    answer(401, '{"error":"unknown key"}'),
    { details: { source: 'PROMPTS_API_KEY', excerpt: 'unknown key' } },
  ],
  ['403', 'ACCESS_DENIED', 1, answer(403, 'no')],
  [
    '403 with a large page',
    'ACCESS_DENIED',
    1,
    answer(403, `<h1>No</h1>${'.'.repeat(200_000)}`),
    { details: { excerpt: `<h1>No</h1>${'.'.repeat(69)}` } },
  ],
  ['404', 'SERVICE_NOT_FOUND', 1, answer(404, ''), { read: list }],
  ['429', 'RATE_LIMITED', 3, answer(429, ''), { details: { wait: '' } }],
  ...[500, 502, 503, 504].map((status): Case => {
    const details = { status, excerpt: 'down', attempts: 3 }
    const play = answer(status, '{"error":"down"}')
    return [`${status}`, 'SERVICE_FAILED', 3, play, { details }]
  }),
  ['501', 'STATUS_UNEXPECTED', 1, answer(501, '')],
  ['418', 'STATUS_UNEXPECTED', 1, answer(418, '')],
  ['304', 'STATUS_UNEXPECTED', 1, answer(304, '')],
  ['300', 'STATUS_UNEXPECTED', 1, answer(300, '')],
  ['206', 'STATUS_UNEXPECTED', 1, answer(206, BODY)],
  [
    'HTML of a captive portal',
    'ANSWER_NOT_JSON',
    1,
    answer(200, `<html>\u001b[31m<title>Log in</title>${' x'.repeat(80)}`, {
      'content-type': 'text/html; charset=utf-8',
    }),
    {
      details: {
        contentType: 'text/html; charset=utf-8',
        excerpt: `<html><title>Log in</title>${' x'.repeat(80)}`.slice(0, 80),
      },
    },
  ],
  ['HTML that calls itself JSON', 'ANSWER_NOT_JSON', 1, answer(200, '<html>Log in</html>')],
  ['204', 'ANSWER_EMPTY', 1, raw(head(204)), { details: { status: 204 } }],
  ['an empty body', 'ANSWER_EMPTY', 1, answer(200, '')],
  ['a blank body', 'ANSWER_EMPTY', 1, answer(200, '\ufeff \n')],
  [
    'bytes that are not UTF-8',
    'ANSWER_NOT_UTF8',
    1,
    answer(200, Buffer.from(BODY.replace('kind', 'k\u00efnd'), 'latin1')),
  ],
  [
    'the same slug twice',
    'SLUG_DUPLICATE',
    1,
    json({ ...listed, prompts: [...listed.prompts, ...listed.prompts, ...listed.prompts] }),
    { read: list, details: { slugs: ['support-triage'] } },
  ],
  [
    'another prompt and another environment than asked for',
    'ANSWER_INVALID',
    1,
    json({ ...served, slug: 'other', environment: 'test' }),
    {
      details: {
        problems: [
          'GET /api/v1/prompts/support-triage: $.slug: expected “support-triage”, received “other”',
          'GET /api/v1/prompts/support-triage: $.environment: expected “live”, received “test”',
        ],
      },
    },
  ],
]

for (const [title, code, attempts, play, { read = get, details = {} } = {}] of cases)
  test(`${title} is ${code} after ${attempts} attempt(s)`, async () => {
    const events: Progress[] = []
    const server = await startFaultServer(play)
    // No case waits for the deadline, which a busy machine could reach with megabytes to read.
    const onProgress = (event: Progress): void => void events.push(event)
    const service = connect(server.url, { timeout: 60_000, onProgress })
    const error = await rejection(read(service))
    expect(error).toMatchObject({ code, details })
    expect(server.requests).toHaveLength(attempts)
    expect(events).toMatchObject(
      Array.from({ length: attempts - 1 }, (_, index) => ({ attempt: index + 1, error: { code } })),
    )
  })
