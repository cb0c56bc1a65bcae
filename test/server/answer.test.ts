import { describe, expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { workspaceFromLock } from '../../src/server/workspace.ts'
import { ask, bearer, LIVE, serve, TEST } from './http.ts'

const LIST = '/api/v1/prompts'

const WORKSPACE = `
planStatus: trialing
prompts:
  - slug: support-triage
    folder: support
    model: gpt-5.1
    temperature: 0.2
    live: v22
    staging: v23
    versions:
      v22:
        system: You triage.
        user: "{{ ticket }}"
      v23:
        system: You triage. Be brief.
        user: "{{ticket}} {{ tone }}"
      v24:
        system: Not published.
  - slug: sql-explainer
    folder: engineering
    model: gpt-5-mini
    temperature: 0
    live: v3
    versions:
      v3:
        system: You explain SQL.
`

describe('the list', () => {
  test('holds every prompt with every field of a summary, and the plan status', async () => {
    const answer = await ask(await serve(WORKSPACE), { path: LIST, headers: LIVE })
    expect(answer.status).toBe(200)
    expect(answer.body).toStrictEqual({
      prompts: [
        {
          slug: 'support-triage',
          folder: 'support',
          model: 'gpt-5.1',
          liveVersion: 'v22',
          stagingVersion: 'v23',
        },
        {
          slug: 'sql-explainer',
          folder: 'engineering',
          model: 'gpt-5-mini',
          liveVersion: 'v3',
          stagingVersion: null,
        },
      ],
      planStatus: 'trialing',
    })
  })

  test('has the plan status in a header as well', async () => {
    const { headers } = await ask(await serve(WORKSPACE), { path: LIST, headers: LIVE })
    expect(headers['x-service-plan-status']).toBe('trialing')
  })

  test('is the same for both keys', async () => {
    const server = await serve(WORKSPACE)
    const [live, test] = await Promise.all([
      ask(server, { path: LIST, headers: LIVE }),
      ask(server, { path: LIST, headers: TEST }),
    ])
    expect(test.text).toBe(live.text)
  })

  test('says active where the file gives no plan status, and may be empty', async () => {
    const answer = await ask(await serve('prompts: []'), { path: LIST, headers: LIVE })
    expect(answer.body).toStrictEqual({ prompts: [], planStatus: 'active' })
    expect(answer.headers['x-service-plan-status']).toBe('active')
  })
})

describe('a prompt', () => {
  const triage = { slug: 'support-triage', folder: 'support', model: 'gpt-5.1', temperature: 0.2 }

  test.each([
    {
      title: 'the live version for the live key',
      slug: 'support-triage',
      headers: LIVE,
      want: {
        ...triage,
        version: 'v22',
        source: 'You triage.\n\n{{ ticket }}',
        systemSource: 'You triage.',
        userSource: '{{ ticket }}',
        environment: 'live',
      },
    },
    {
      title: 'the staging version for the test key, with its tokens as stored',
      slug: 'support-triage',
      headers: TEST,
      want: {
        ...triage,
        version: 'v23',
        source: 'You triage. Be brief.\n\n{{ticket}} {{ tone }}',
        systemSource: 'You triage. Be brief.',
        userSource: '{{ticket}} {{ tone }}',
        environment: 'test',
      },
    },
    {
      title: 'the live version for the test key where there is no staging version',
      slug: 'sql-explainer',
      headers: TEST,
      want: {
        slug: 'sql-explainer',
        folder: 'engineering',
        model: 'gpt-5-mini',
        temperature: 0,
        version: 'v3',
        source: 'You explain SQL.',
        systemSource: 'You explain SQL.',
        userSource: '',
        environment: 'test',
      },
    },
  ])('is $title', async ({ slug, headers, want }) => {
    const answer = await ask(await serve(WORKSPACE), { path: `${LIST}/${slug}`, headers })
    expect(answer.status).toBe(200)
    expect(answer.body).toStrictEqual(want)
  })

  test('has no header with the plan status', async () => {
    const path = `${LIST}/sql-explainer`
    const { headers } = await ask(await serve(WORKSPACE), { path, headers: LIVE })
    expect(headers).not.toHaveProperty('x-service-plan-status')
  })

  test('is served from a lock with its exact source, to both keys', async () => {
    const pinned = { slug: 'odd', folder: '', model: 'm', temperature: 1, version: 'v1' }
    const text = { system: 'S', user: 'U', source: 'S --- U' }
    const lock: Lock = { environment: 'test', prompts: [{ ...pinned, ...text }] }
    const server = await serve(workspaceFromLock(lock))
    const texts = { source: 'S --- U', systemSource: 'S', userSource: 'U' }
    for (const [environment, headers] of Object.entries({ live: LIVE, test: TEST })) {
      // oxlint-disable-next-line no-await-in-loop -- two requests, one after the other
      const { body } = await ask(server, { path: `${LIST}/odd`, headers })
      expect(body).toStrictEqual({ ...pinned, ...texts, environment })
    }
  })
})

describe('a slug', () => {
  const ODD = [
    'a/b',
    'a b',
    '🎉',
    '100%',
    '%2e',
    '..',
    '?',
    '#',
    '',
    '__proto__',
    'constructor',
    'ß',
  ]
  const prompt = { folder: 'f', model: 'm', temperature: 1, version: 'v1' }
  const text = { system: 'S', user: '', source: 'S' }
  const workspace = workspaceFromLock({
    environment: 'live',
    prompts: ODD.map((slug) => ({ slug, ...prompt, ...text })),
  })

  test.each(ODD)('is found percent-encoded as one segment: %j', async (slug) => {
    const path = `${LIST}/${encodeURIComponent(slug)}`
    const answer = await ask(await serve(workspace), { path, headers: LIVE })
    expect(answer).toMatchObject({ status: 200, body: { slug } })
  })

  test.each([
    { title: 'that is unknown', path: `${LIST}/nope` },
    { title: 'that only objects inherit', path: `${LIST}/toString` },
    { title: 'whose slash is not encoded', path: `${LIST}/a/b` },
    { title: 'whose encoding is broken', path: `${LIST}/100%` },
    { title: 'whose encoding is no UTF-8', path: `${LIST}/%ff` },
  ])('$title gives 404 with an error', async ({ path }) => {
    const answer = await ask(await serve(workspace), { path, headers: LIVE })
    expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } })
  })
})

describe('a key', () => {
  test.each([
    { title: 'that is missing', headers: {} },
    { title: 'that is unknown', headers: bearer('svc_live_other') },
    { title: 'with something behind it', headers: bearer('svc_live_local2') },
    { title: 'of another case', headers: bearer('SVC_LIVE_LOCAL') },
    { title: 'without its scheme', headers: { authorization: 'svc_live_local' } },
    { title: 'in another scheme', headers: { authorization: 'Basic svc_live_local' } },
  ])('$title gives 401 with an error on both operations', async ({ headers }) => {
    const server = await serve(WORKSPACE)
    const paths = [LIST, `${LIST}/support-triage`, `${LIST}/nope`]
    const answers = await Promise.all(paths.map((path) => ask(server, { path, headers })))
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { error: expect.any(String) } })
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('that is refused is not repeated in the answer', async () => {
    const headers = bearer('svc_live_secret')
    const { text } = await ask(await serve(WORKSPACE), { path: LIST, headers })
    expect(text).not.toContain('svc_live_secret')
  })
})

describe('any answer', () => {
  test.each(['/', '/api/v1', '/api/v1/prompt', '/api/v1/promptsx', '//api/v1/prompts', '*'])(
    'is 404 at %s',
    async (path) => {
      const answer = await ask(await serve(WORKSPACE), { path, headers: LIVE })
      expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } })
    },
  )

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'is 405 to %s and says what is allowed',
    async (method) => {
      const server = await serve(WORKSPACE)
      const paths = [LIST, `${LIST}/support-triage`]
      const answers = await Promise.all(
        paths.map((path) => ask(server, { path, method, headers: LIVE })),
      )
      for (const { status, headers } of answers) {
        expect([status, headers['allow']]).toStrictEqual([405, 'GET'])
      }
    },
  )

  test('is JSON of a stated length in bytes, errors too', async () => {
    const server = await serve(WORKSPACE)
    const paths = [LIST, `${LIST}/support-triage`, `${LIST}/%F0%9F%8E%89`, '/']
    const answers = await Promise.all(paths.map((path) => ask(server, { path, headers: LIVE })))
    for (const { headers, text } of answers) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['content-length']).toBe(`${Buffer.byteLength(text)}`)
    }
  })

  test('ignores a query', async () => {
    const answer = await ask(await serve(WORKSPACE), { path: `${LIST}?page=2`, headers: LIVE })
    expect(answer.status).toBe(200)
  })
})
