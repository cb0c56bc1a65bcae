import { describe, expect, test } from 'vitest'
import { answer, json, startFaultServer } from '../../helpers/fault-server.ts'
import {
  connect,
  listed,
  rejection,
  served,
  summary,
  toPinned,
} from '../../helpers/service-client.ts'

describe('what is read', () => {
  test('a byte order mark is stripped', async () => {
    const server = await startFaultServer(answer(200, `\ufeff${JSON.stringify(served)}`))
    expect(await connect(server.url).get('support-triage')).toEqual(toPinned(served))
  })

  test('unknown fields are left out', async () => {
    const more = { id: 7, tags: ['x'], constructor: 'x' }
    const prompts = [{ ...summary, ...more }]
    const list = await startFaultServer(json({ ...listed, ...more, prompts }))
    const get = await startFaultServer(json({ ...served, ...more }))
    expect(await connect(list.url).list()).toEqual(listed)
    expect(await connect(get.url).get('support-triage')).toEqual(toPinned(served))
  })

  test('hostile text is not changed', async () => {
    const text = '`${x}` \\ \r\n \r \u2028 \0 </script> <!-- {{a}} \u001b[31m \u202e é 😀'
    const prompt = { ...served, source: text, systemSource: text, userSource: '' }
    const server = await startFaultServer(json(prompt))
    expect(await connect(server.url).get('support-triage')).toEqual(toPinned(prompt))
  })

  test('a prompt of 10 MB is read completely', async () => {
    const prompt = { ...served, userSource: 'é{{ x }}\n'.repeat(1_000_000) }
    const server = await startFaultServer(json(prompt, { 'content-encoding': 'identity' }))
    expect(await connect(server.url).get('support-triage')).toEqual(toPinned(prompt))
  })

  test.each(['application/json; charset=utf-8', 'application/problem+json', 'text/json', ''])(
    'the content type %j may hold JSON',
    async (type) => {
      const server = await startFaultServer(json(listed, { 'content-type': type }))
      expect(await connect(server.url).list()).toEqual(listed)
    },
  )
})

describe('all problems of an invalid response are reported together', () => {
  const bodies: [string, unknown, string[]][] = [
    ['no object', null, ['$: expected an object, received null']],
    ['an array', [], ['$: expected an object, received array']],
    ['no fields', {}, ['$.prompts: missing', '$.planStatus: missing']],
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
    ['no list', { ...listed, prompts: {} }, ['$.prompts: expected an array, received object']],
  ]
  test.each(bodies)('a list with %s', async (_title, body, problems) => {
    const server = await startFaultServer(json(body))
    const error = await rejection(connect(server.url).list())
    expect(error).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: problems.map((problem) => `GET /api/v1/prompts: ${problem}`) },
    })
  })

  test.each([
    ['"warm"', '$.temperature: expected a finite number, received string'],
    ['1e999', '$.temperature: expected a finite number, received Infinity'],
    ['-1e999', '$.temperature: expected a finite number, received -Infinity'],
    ['null', '$.temperature: expected a finite number, received null'],
  ])('a prompt with the temperature %s', async (temperature, problem) => {
    const body = JSON.stringify(served).replace('0.2', temperature)
    const server = await startFaultServer(answer(200, body))
    const error = await rejection(connect(`${server.url}/base`).get('support-triage'))
    expect(error).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: [`GET /base/api/v1/prompts/support-triage: ${problem}`] },
    })
  })

  test('a prompt with NaN, which is not JSON', async () => {
    const body = JSON.stringify(served).replace('0.2', 'NaN')
    const server = await startFaultServer(answer(200, body))
    const error = await rejection(connect(server.url).get('support-triage'))
    expect(error.code).toBe('ANSWER_NOT_JSON')
  })

  test('names that are too long, in a list and in a prompt', async () => {
    const long = 'x'.repeat(1001)
    const row = { ...summary, slug: long, folder: long, model: long, liveVersion: long }
    const prompts = [{ ...row, stagingVersion: long }]
    const server = await startFaultServer(json({ ...listed, prompts }))
    const fields = ['slug', 'folder', 'model', 'liveVersion', 'stagingVersion']
    expect(await rejection(connect(server.url).list())).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: fields.map((field) => expect.stringContaining(`[0].${field}: `)) },
    })
    const other = await startFaultServer(json({ ...served, folder: long, version: long }))
    expect(await rejection(connect(other.url).get('support-triage'))).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: ['folder', 'version'].map((field) => expect.stringContaining(field)) },
    })
  })

  test('a text of more than 10 MB, counted in bytes', async () => {
    const text = 'é'.repeat(5 * 1024 * 1024)
    const server = await startFaultServer(json({ ...served, userSource: text }))
    await connect(server.url).get('support-triage')
    const other = await startFaultServer(json({ ...served, userSource: `${text}x` }))
    expect(await rejection(connect(other.url).get('support-triage'))).toMatchObject({
      code: 'ANSWER_INVALID',
      details: { problems: [expect.stringContaining('$.userSource: expected at most 10,485,760')] },
    })
  })

  test('a prompt of an unknown environment', async () => {
    const server = await startFaultServer(json({ ...served, environment: 'production' }))
    const error = await rejection(connect(server.url).get('support-triage'))
    expect(error.details).toMatchObject({
      problems: [
        'GET /api/v1/prompts/support-triage: $.environment: expected "live" or "test", received string',
      ],
    })
  })
})

describe('signs of pagination', () => {
  test.each([
    '<https://prompts.example/api/v1/prompts?page=2>; rel="next"',
    '</a>; rel=prev, </b>; rel=next',
  ])('the Link header %s', async (link) => {
    const server = await startFaultServer(json(listed, { link }))
    expect(await rejection(connect(server.url).list())).toMatchObject({ code: 'ANSWER_PAGINATED' })
  })

  test.each([
    { next: '/api/v1/prompts?page=2' },
    { nextPage: 2 },
    { next_cursor: 'abc' },
    { nextPageToken: 'abc' },
  ])('the body field %j', async (fields) => {
    const server = await startFaultServer(json({ ...listed, ...fields }))
    expect(await rejection(connect(server.url).list())).toMatchObject({ code: 'ANSWER_PAGINATED' })
  })

  test.each([
    [{ next: null }, ''],
    [{ next_cursor: '' }, ''],
    [{ total: 500 }, '</a>; rel="prev", </b>; rel="x-next"'],
    [{}, '</next>; title="next"'],
  ])('none is in %j and the Link header %j', async (fields, link) => {
    const server = await startFaultServer(json({ ...listed, ...fields }, { link }))
    expect(await connect(server.url).list()).toEqual(listed)
  })
})
