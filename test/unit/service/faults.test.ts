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

interface Case {
  readonly title: string
  readonly play: Play
  readonly code: PromptsError['code']
  readonly attempts: number
  readonly read?: (service: Client) => Promise<unknown>
  readonly details?: object
}

const cases: readonly Case[] = [
  { title: 'a reset connection', play: reset, code: 'SERVICE_UNREACHABLE', attempts: 3 },
  { title: 'a closed connection', play: hangUp, code: 'SERVICE_UNREACHABLE', attempts: 3 },
  {
    title: 'something that is not HTTP',
    play: raw('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
    code: 'SERVICE_UNREACHABLE',
    attempts: 3,
  },
  {
    title: 'a body that is cut',
    play: raw(head(200, LENGTH) + BODY.slice(0, 40)),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    title: 'a length that is less than the body',
    play: raw(head(200, { ...LENGTH, 'content-length': '40' }) + BODY),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    title: 'chunks that end early',
    play: raw(`${head(200, CHUNKED)}${BODY.length.toString(16)}\r\n${BODY}\r\n`),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    title: 'chunks that are broken',
    play: raw(`${head(200, CHUNKED)}5\r\n{"slu\r\nzz\r\n`),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    title: 'a body without length that is closed early',
    play: raw(head(200, JSON_TYPE) + BODY.slice(0, -10)),
    code: 'ANSWER_INCOMPLETE',
    attempts: 3,
  },
  {
    title: 'a length over the cap',
    play: raw(head(200, { ...JSON_TYPE, 'content-length': '999999999999' })),
    code: 'ANSWER_TOO_LARGE',
    attempts: 1,
    details: { limit: 32 * 1024 * 1024 },
  },
  {
    title: 'a body without end',
    play: flood,
    code: 'ANSWER_TOO_LARGE',
    attempts: 1,
    details: { limit: 32 * 1024 * 1024 },
  },
  {
    title: 'a list without end',
    play: flood,
    read: list,
    code: 'ANSWER_TOO_LARGE',
    attempts: 1,
    details: { limit: 64 * 1024 * 1024 },
  },
  {
    title: 'a compressed answer, which was not asked for',
    play: answer(200, gzipSync(BODY), { 'content-encoding': 'gzip' }),
    code: 'ANSWER_NOT_JSON',
    attempts: 1,
    details: { contentType: 'application/json encoded as gzip', excerpt: '' },
  },
  {
    title: '401',
    play: answer(401, '{"error":"unknown key"}'),
    code: 'KEY_REFUSED',
    attempts: 1,
    details: { source: 'PROMPTS_API_KEY', excerpt: 'unknown key' },
  },
  { title: '403', play: answer(403, 'no'), code: 'ACCESS_DENIED', attempts: 1 },
  {
    title: '403 with a large page',
    play: answer(403, `<h1>No</h1>${'.'.repeat(200_000)}`),
    code: 'ACCESS_DENIED',
    attempts: 1,
    details: { excerpt: `<h1>No</h1>${'.'.repeat(69)}` },
  },
  {
    title: '404',
    play: answer(404, ''),
    read: list,
    code: 'SERVICE_NOT_FOUND',
    attempts: 1,
  },
  {
    title: '429',
    play: answer(429, ''),
    code: 'RATE_LIMITED',
    attempts: 3,
    details: { wait: '' },
  },
  ...[500, 502, 503, 504].map((status): Case => {
    const play = answer(status, '{"error":"down"}')
    const details = { status, excerpt: 'down', attempts: 3 }
    return { title: `${status}`, play, code: 'SERVICE_FAILED', attempts: 3, details }
  }),
  { title: '501', play: answer(501, ''), code: 'STATUS_UNEXPECTED', attempts: 1 },
  { title: '418', play: answer(418, ''), code: 'STATUS_UNEXPECTED', attempts: 1 },
  { title: '304', play: answer(304, ''), code: 'STATUS_UNEXPECTED', attempts: 1 },
  { title: '300', play: answer(300, ''), code: 'STATUS_UNEXPECTED', attempts: 1 },
  { title: '206', play: answer(206, BODY), code: 'STATUS_UNEXPECTED', attempts: 1 },
  {
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
    title: 'HTML that calls itself JSON',
    play: answer(200, '<html>Log in</html>'),
    code: 'ANSWER_NOT_JSON',
    attempts: 1,
  },
  {
    title: '204',
    play: raw(head(204)),
    code: 'ANSWER_EMPTY',
    attempts: 1,
    details: { status: 204 },
  },
  { title: 'an empty body', play: answer(200, ''), code: 'ANSWER_EMPTY', attempts: 1 },
  {
    title: 'a blank body',
    play: answer(200, '\ufeff \n'),
    code: 'ANSWER_EMPTY',
    attempts: 1,
  },
  {
    title: 'bytes that are not UTF-8',
    play: answer(200, Buffer.from(BODY.replace('kind', 'k\u00efnd'), 'latin1')),
    code: 'ANSWER_NOT_UTF8',
    attempts: 1,
  },
  {
    title: 'the same slug twice',
    play: json({ ...listed, prompts: [...listed.prompts, ...listed.prompts, ...listed.prompts] }),
    read: list,
    code: 'SLUG_DUPLICATE',
    attempts: 1,
    details: { slugs: ['support-triage'] },
  },
  {
    title: 'another prompt and another environment than asked for',
    play: json({ ...served, slug: 'other', environment: 'test' }),
    code: 'ANSWER_INVALID',
    attempts: 1,
    details: {
      problems: [
        'GET /api/v1/prompts/support-triage: $.slug: expected “support-triage”, received “other”',
        'GET /api/v1/prompts/support-triage: $.environment: expected “live”, received “test”',
      ],
    },
  },
]

test.each(cases)(
  '$title is $code after $attempts attempt(s)',
  async ({ play, code, attempts, read = get, details = {} }) => {
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
  },
)
