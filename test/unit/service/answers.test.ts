import { describe, expect, test } from 'vitest'
import { type Play, answer, head, json, raw, startFaultServer } from '../../helpers/fault-server.ts'
import {
  connect,
  listed,
  rejection,
  served,
  summary,
  toPinned,
} from '../../helpers/service-client.ts'

/** The outcome of reading the list that a server answers with. */
async function listOf(play: Play): Promise<unknown> {
  return connect((await startFaultServer(play)).url).list()
}

/** The outcome of reading one prompt. */
async function promptOf(play: Play): Promise<unknown> {
  return connect((await startFaultServer(play)).url).get('support-triage')
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe('what is read', () => {
  const hostile = '`${x}` \\ \r\n \r \u2028 \0 </script> <!-- {{a}} \u001b[31m \u202e é 😀'

  test.each([
    ['hostile text', { ...served, source: hostile, systemSource: hostile, userSource: '' }],
    ['10 MB of text', { ...served, userSource: 'é{{ x }}\n'.repeat(1_000_000) }],
  ])('a prompt with %s is read as it is', async (_, prompt) => {
    expect(await promptOf(json(prompt))).toEqual(toPinned(prompt))
  })

  test('a byte order mark is stripped, and unknown fields are left out', async () => {
    const more = { id: 7, tags: ['x'], constructor: 'x' }
    const body = JSON.stringify({ ...served, ...more })
    expect(await promptOf(answer(200, `\ufeff${body}`))).toEqual(toPinned(served))
    const prompts = [{ ...summary, ...more }]
    expect(await listOf(json({ ...listed, ...more, prompts }))).toEqual(listed)
  })

  test('a list is sorted by slug, since services have it in any order', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((slug) => ({ ...summary, slug }))
    const list = await listOf(json({ ...listed, prompts: [c, a, b] }))
    expect(list).toEqual({ ...listed, prompts: [a, b, c] })
  })

  test.each([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/problem+json' },
    { 'content-type': 'text/json', 'content-encoding': 'Identity ' },
    { 'content-type': '' },
    {},
  ])('an answer with the headers %j may be JSON', async (headers) => {
    expect(await listOf(raw(head(200, headers) + JSON.stringify(listed)))).toEqual(listed)
  })

  test('provisional answers before an answer are ignored', async () => {
    const long = { ...listed, planStatus: 'x'.repeat(100_000) }
    const hints = head(102) + head(103, { link: '</next>; rel=next' })
    const whole = head(200, { ...JSON_TYPE, connection: 'close' })
    expect(await listOf(raw(hints + whole + JSON.stringify(long)))).toEqual(long)
  })

  test('a body may arrive in chunks that split a character', async () => {
    const list = { ...listed, planStatus: '✓ äöü 😀' }
    const bytes = Buffer.from(JSON.stringify(list))
    const inPieces: Play = (socket) => {
      socket.setNoDelay(true)
      socket.write(head(200, { ...JSON_TYPE, 'content-length': `${bytes.length}` }))
      for (const byte of bytes) setImmediate(() => socket.write(Uint8Array.of(byte)))
    }
    expect(await listOf(inPieces)).toEqual(list)
  })
})

describe('an invalid answer', () => {
  test.each<[string, unknown, string[]]>([
    ['no object', null, ['$: expected an object, received null']],
    ['an array', [], ['$: expected an object, received array']],
    ['no fields', {}, ['$.prompts: missing', '$.planStatus: missing']],
    ['no list', { ...listed, prompts: {} }, ['$.prompts: expected an array, received object']],
    [
      'wrong fields in several rows',
      {
        planStatus: 1,
        prompts: [summary, { ...summary, slug: 5, stagingVersion: false }, null, { slug: 'b' }],
      },
      [
        '$.prompts[1].slug: expected a string, received number',
        '$.prompts[1].stagingVersion: expected a string or null, received boolean',
        '$.prompts[2]: expected an object, received null',
        '$.prompts[3].folder: missing',
        '$.prompts[3].model: missing',
        '$.prompts[3].liveVersion: missing',
        '$.prompts[3].stagingVersion: missing',
        '$.planStatus: expected a string, received number',
      ],
    ],
  ])('a list with %s is an error with all its problems', async (_, body, problems) => {
    expect(await rejection(listOf(json(body)))).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: problems.map((problem) => `GET /api/v1/prompts: ${problem}`) },
    })
  })

  test.each([
    ['"warm"', 'received string'],
    ['1e999', 'received Infinity'],
    ['-1e999', 'received -Infinity'],
    ['null', 'received null'],
  ])('a prompt with the temperature %s is an error', async (temperature, problem) => {
    const { url } = await startFaultServer(
      answer(200, JSON.stringify(served).replace('0.2', temperature)),
    )
    const path = 'GET /base/api/v1/prompts/support-triage'
    expect(await rejection(connect(`${url}/base`).get('support-triage'))).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: [`${path}: $.temperature: expected a finite number, ${problem}`] },
    })
  })

  test('a prompt of an unknown environment is an error', async () => {
    const error = await rejection(promptOf(json({ ...served, environment: 'production' })))
    const problem = '$.environment: expected "live" or "test", received string'
    expect(error.details).toMatchObject({ problems: [expect.stringContaining(problem)] })
  })

  test('names that are too long are an error, in a list and in a prompt', async () => {
    const long = 'x'.repeat(1001)
    const labels = { liveVersion: long, stagingVersion: long }
    const prompts = [{ slug: long, folder: long, model: long, ...labels }]
    expect((await rejection(listOf(json({ ...listed, prompts })))).details).toEqual({
      problems: ['slug', 'folder', 'model', ...Object.keys(labels)].map((field) =>
        expect.stringContaining(`[0].${field}: `),
      ),
    })
    const error = await rejection(promptOf(json({ ...served, folder: long, version: long })))
    expect(error.details).toEqual({
      problems: ['version', 'folder'].map((field) => expect.stringContaining(field)),
    })
  })

  test('a text of more than 10 MB, counted in bytes, is an error', async () => {
    const userSource = 'é'.repeat(5 * 1024 * 1024)
    await promptOf(json({ ...served, userSource }))
    const error = await rejection(promptOf(json({ ...served, userSource: `${userSource}x` })))
    expect(error).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: [expect.stringContaining('$.userSource: expected at most 10,485,760')] },
    })
  })
})

test.each([
  [{}, '<https://prompts.example/api/v1/prompts?page=2>; rel="next"'],
  [{}, '</a>; rel=prev, </b>; rel=next'],
  [{}, '</a>; rel=first\r\nlink: </b>; rel=next'],
  [{ next: '/api/v1/prompts?page=2' }, ''],
  [{ nextPage: 2 }, ''],
  [{ next_cursor: 'abc' }, ''],
  [{ nextPageToken: 'abc' }, ''],
])('a list with the fields %j and the Link header %j has more pages', async (fields, link) => {
  const play = json({ ...listed, ...fields }, { link })
  const sign = expect.stringContaining(Object.keys(fields)[0] ?? 'Link')
  expect(await rejection(listOf(play))).toMatchObject({
    code: 'ANSWER_PAGINATED',
    details: { sign },
  })
})

test.each([
  [{ next: null }, ''],
  [{ next_cursor: '' }, ''],
  [{ total: 500, renewsNext: 'May' }, '</a>; rel="prev", </b>; rel="x-next"'],
  [{}, '</next>; title="next"'],
])('a list with the fields %j and the Link header %j is whole', async (fields, link) => {
  expect(await listOf(json({ ...listed, ...fields }, { link }))).toEqual(listed)
})
