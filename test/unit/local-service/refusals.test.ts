import { describe, expect, test } from 'vitest'
import { workspaceFromLock } from '../../../src/local-service/workspace.ts'
import { ask, bearer, LIVE, serve } from '../../helpers/http.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { WORKSPACE } from '../../helpers/workspace-yaml.ts'

const LIST = '/api/v1/prompts'

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
  const workspace = workspaceFromLock(liveLock(...ODD.map((slug) => ({ slug }))))

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
    { title: 'whose encoding is not UTF-8', path: `${LIST}/%ff` },
  ])('$title gives 404 with an error', async ({ path }) => {
    const answer = await ask(await serve(workspace), { path, headers: LIVE })
    expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } })
  })
})

describe('a key', () => {
  test.each([
    { title: 'that is missing', headers: {} },
    { title: 'that is unknown', headers: bearer('svc_live_other') },
    { title: 'with extra characters after it', headers: bearer('svc_live_local2') },
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
