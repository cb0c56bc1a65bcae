import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { Client } from '../../../src/service/hosted.ts'
import { type Play, answer, head, json, raw, startFaultServer } from '../../helpers/fault-server.ts'
import {
  KEY,
  connect,
  listed,
  outcome,
  rejection,
  served,
  summary,
} from '../../helpers/service-client.ts'

const hidden = `${KEY.slice(0, 12)}\u200b${KEY.slice(12)}`
const TEXT = { 'content-type': 'text/plain' }

const echoes: [string, Play][] = [
  ['the body of a 401', answer(401, KEY)],
  ['the error of a 401', answer(401, JSON.stringify({ error: `Bearer ${KEY} is unknown` }))],
  ['the body of a 403, with an invisible character', answer(403, `Bearer ${hidden}`)],
  ['the cut end of an excerpt', answer(403, `${'x'.repeat(70)}${KEY}`)],
  ['the body of a 500', answer(500, KEY)],
  ['the body of a 418', answer(418, KEY)],
  ['the host of a redirect', answer(302, '', { location: `https://${KEY}.example/` })],
  ['the query of a redirect', answer(302, '', { location: `https://evil.example/?${KEY}` })],
  ['a content type', answer(200, '{}', { 'content-type': KEY })],
  ['a content encoding', answer(200, '{}', { 'content-encoding': KEY })],
  ['a body that is no JSON', answer(200, KEY, TEXT)],
  ['JSON that does not parse', answer(200, `{"a":"b"} ${KEY}`)],
  ['JSON that is cut within the key', answer(200, `{"slug":"${KEY.slice(0, -1)}`)],
  ['bytes that are no HTTP', raw(`${KEY} ${KEY}\r\n\r\n`)],
  ['a chunk size', raw(`${head(200, { 'transfer-encoding': 'chunked' })}${KEY}\r\n`)],
  ['a header that is no header', raw(`HTTP/1.1 200 OK\r\n${KEY}\u0000\r\n\r\n`)],
  ['Retry-After', answer(429, KEY, { 'retry-after': KEY })],
  ['the slug of a prompt', json({ ...served, slug: KEY })],
  ['a field of the body', json({ ...served, [KEY]: KEY, temperature: KEY, folder: [KEY] })],
  [
    'slugs of the list',
    json({ ...listed, prompts: [1, 2].map(() => ({ ...summary, slug: KEY })) }),
  ],
  ['a page of the list', json({ ...listed, [`next${KEY}`]: KEY, next: KEY })],
  ['the plan status', json({ ...listed, planStatus: 'b' }, { 'x-service-plan-status': KEY })],
]

const reads: [string, (service: Client) => Promise<unknown>][] = [
  ['the list', (service) => service.list()],
  ['a prompt', (service) => service.get('support-triage')],
  ['a prompt that is called like the key', (service) => service.get(KEY)],
]

const table = echoes.flatMap(([place, play]) =>
  reads.map(([what, read]) => ({ place, play, what, read })),
)

test.each(table)('the key in $place stays hidden when $what is read', async ({ play, read }) => {
  const told: unknown[] = []
  const server = await startFaultServer(play)
  const service = connect(server.url, {
    onProgress: (event) => told.push(event),
    onWarning: (message) => told.push(message),
  })
  told.push(...[await outcome(read(service))].filter((end) => end instanceof Error))
  expect(traces(told).filter((trace) => trace.toLowerCase().includes(KEY.toLowerCase()))).toEqual(
    [],
  )
  expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`)
})

test('a key with characters that a path encodes stays hidden there too', async () => {
  const key = 'svc_live_ab/cd+ef==0123456789'
  const server = await startFaultServer(answer(500, ''))
  const error = await rejection(connect(server.url, { key: { value: key } }).get(key))
  expect(traces(error).join('\n')).not.toMatch(/ab(?:\/|%2F)cd/)
})

test('causes are kept, without what was received', async () => {
  const server = await startFaultServer(raw(`${KEY}\r\n\r\n`))
  const error = await rejection(connect(server.url).list())
  expect(error.cause).toMatchObject({ name: 'HTTPParserError' })
  expect(error.cause).not.toHaveProperty('data')
})

/** Everything that a person or a tool could see of a value. */
function traces(value: unknown): string[] {
  const own = [inspect(value, { depth: 20, showHidden: true, getters: true })]
  if (Array.isArray(value)) return [...own, ...value.flatMap(traces)]
  if (!(value instanceof Error)) return [...own, JSON.stringify(value) ?? '']
  return [...own, value.message, value.stack ?? '', JSON.stringify(value), ...traces(value.cause)]
}
