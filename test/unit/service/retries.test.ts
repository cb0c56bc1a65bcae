import { describe, expect, test } from 'vitest'
import type { Progress } from '../../../src/service/sender.ts'
import {
  type Play,
  answer,
  head,
  json,
  raw,
  reset,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import {
  connect,
  hastyClock,
  listed,
  rejection,
  served,
  toPinned,
} from '../../helpers/service-client.ts'

const BODY = JSON.stringify(served)
const JSON_TYPE = { 'content-type': 'application/json' }
const LENGTH = { ...JSON_TYPE, 'content-length': String(BODY.length) }

describe('recovery', () => {
  const recovering: [string, Play][] = [
    ['a reset', reset],
    ['a cut body', raw(head(200, LENGTH) + BODY.slice(0, 40))],
    ['an early end', raw(head(200, JSON_TYPE) + BODY.slice(0, 40))],
    ['a 429', answer(429, '')],
    ['a 500', answer(500, '')],
    ['a 503', answer(503, 'busy', { 'content-type': 'text/plain' })],
  ]
  test.each(recovering)('%s, then an answer, is that answer', async (_title, play) => {
    const server = await startFaultServer([play, play, json(served)])
    expect(await connect(server.url).get('support-triage')).toEqual(toPinned(served))
    expect(server.requests).toHaveLength(3)
    expect(server.requests.map(({ headers }) => headers['range'])).toEqual(Array(3).fill(undefined))
  })

  test('each retry is reported with its URL, delay and reason', async () => {
    const events: Progress[] = []
    const server = await startFaultServer([answer(502, ''), json(served)])
    await connect(server.url, { onProgress: (event) => events.push(event) }).get('support-triage')
    const url = `${server.url}/api/v1/prompts/support-triage`
    expect(events).toMatchObject([
      { url, attempt: 1, wait: 250, error: { code: 'SERVICE_FAILED' } },
    ])
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
    ['7', 7000],
    ['60', 60_000],
    ['0', 250],
    ['-5', 250],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 250],
    ['soon', 250],
    ['1e3', 250],
    ['', 250],
  ])('%j waits %i ms', async (header, wait) => {
    expect(await waitsFor(429, header)).toEqual([wait])
    expect(await waitsFor(503, header)).toEqual([wait])
  })

  test('a date is waited for', async () => {
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
  ])('%s fails at once and tells the wait', async (header, wait) => {
    const server = await startFaultServer(answer(429, '', { 'retry-after': header }))
    const error = await rejection(connect(server.url).list())
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { wait, attempts: 1 } })
    expect(server.requests).toHaveLength(1)
  })
})
