import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { settingsOf } from '../../../src/core/settings.ts'
import { LOCAL_KEYS, respond } from '../../../src/local-service/respond.ts'
import { parseWorkspace, workspaceFromLock } from '../../../src/local-service/workspace.ts'
import { lockOf, pinned } from '../../helpers/pinned.ts'

const LIST = '/api/v1/prompts'
const LIVE = `Bearer ${LOCAL_KEYS.live}`
const TEST = `Bearer ${LOCAL_KEYS.test}`

/** Slugs whose segment of a path is easily taken for something else. */
const ODD = 'a/b|a b|🎉|100%|%2e|..|?|#||__proto__|constructor|ß'.split('|')

const LOCK = lockOf({
  live: [
    { slug: 'both', user: '{{ ticket }}' },
    { slug: 'odd', system: 'S', user: 'U', source: 'S --- U' },
  ],
  staging: [
    { slug: 'both', version: 'v23', system: 'Brief.', user: '{{ticket}}', model: 'gpt-6' },
    { slug: 'staged', temperature: null },
  ],
})
const WORKSPACE = workspaceFromLock(LOCK)

/** What the service responds with, its body as a value. */
function ask(path: string, authorization = LIVE, method = 'GET', of = WORKSPACE) {
  const { status, headers, body } = respond({ method, path, authorization }, of)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
  })
  return { status, headers, body: JSON.parse(body) as unknown }
}

const summary = { folder: 'support', model: 'gpt-5', liveVersion: 'v22', stagingVersion: null }

test('the list has every summary for both keys, and the plan status in a header, too', () => {
  const answer = ask(LIST, LIVE)
  expect(answer).toMatchObject({ status: 200, headers: { 'x-service-plan-status': 'active' } })
  expect(answer.body).toStrictEqual({
    planStatus: 'active',
    prompts: [
      { slug: 'both', ...summary, stagingVersion: 'v23' },
      { slug: 'odd', ...summary },
      // A lock may have a draft of a prompt whose live version nobody has read.
      { slug: 'staged', ...summary },
    ],
  })
  expect(ask(LIST, TEST)).toEqual(answer)
  expect(ask(`${LIST}?page=2`)).toEqual(answer)
})

test('the list has the plan status of the workspace, and may be empty', () => {
  const workspace = parseWorkspace('planStatus: trialing\nprompts: []', 'w.yaml')
  expect(ask(LIST, LIVE, 'GET', workspace)).toMatchObject({
    headers: { 'x-service-plan-status': 'trialing' },
    body: { prompts: [], planStatus: 'trialing' },
  })
})

const [both = pinned(), draft = pinned(), odd = pinned(), staged = pinned()] = LOCK.parts

test.each<[string, string, string, PinnedPrompt, object]>([
  ['the live version for the live key', 'both', LIVE, both, { environment: 'live' }],
  ['the staging version for the test key', 'both', TEST, draft, { environment: 'test' }],
  ['the live version where nothing is staged', 'odd', TEST, odd, { environment: 'test' }],
  ['temperature 0 for none', 'staged', LIVE, staged, { environment: 'live', temperature: 0 }],
])('a prompt is served with its exact texts and %s', (_, slug, key, part, fields) => {
  const { system: systemSource, user: userSource, source } = part
  const answer = ask(`${LIST}/${slug}`, key)
  const texts = { source, systemSource, userSource }
  expect(answer.body).toStrictEqual({ ...settingsOf(part), ...texts, ...fields })
  expect(answer.headers).not.toHaveProperty('x-service-plan-status')
})

test.each(ODD)('the slug %j is found percent-encoded as one segment', (slug) => {
  const workspace = workspaceFromLock(lockOf({ live: ODD.map((each) => ({ slug: each })) }))
  const answer = ask(`${LIST}/${encodeURIComponent(slug)}`, LIVE, 'GET', workspace)
  expect(answer).toMatchObject({ status: 200, body: { slug } })
})

test.each<readonly [string, string]>([
  ['an unknown slug', `${LIST}/nope`],
  ['a slug that only objects inherit', `${LIST}/toString`],
  ['a slash that is not encoded', `${LIST}/a/b`],
  ['an encoding that is broken', `${LIST}/100%`],
  ['an encoding that is not UTF-8', `${LIST}/%ff`],
  ...['/', '/api/v1', '/api/v1/prompt', '/api/v1/promptsx', `/${LIST}`, '*'].map(
    (path) => ['another path', path] as const,
  ),
])('the service responds to %s with 404 and an error: %s', (_, path) => {
  expect(ask(path)).toMatchObject({ status: 404, body: { error: expect.any(String) } })
})

test.each([
  ['missing', ''],
  ['unknown', 'Bearer svc_live_secret'],
  ['longer', `${LIVE}2`],
  ['of another case', LIVE.toUpperCase()],
  ['without its scheme', LOCAL_KEYS.live],
  ['in another scheme', `Basic ${LOCAL_KEYS.live}`],
])('a key that is %s gives 401 and an error that does not repeat it', (_, key) => {
  for (const path of [LIST, `${LIST}/both`, `${LIST}/nope`]) {
    const { body, ...answer } = ask(path, key)
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(body).toEqual({ error: expect.not.stringContaining('secret') })
  }
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
  'the service responds to %s with 405 and what is allowed',
  (method) => {
    for (const path of [LIST, `${LIST}/both`])
      expect(ask(path, LIVE, method)).toMatchObject({ status: 405, headers: { allow: 'GET' } })
  },
)
