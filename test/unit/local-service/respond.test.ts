import { describe, expect, test } from 'vitest'
import { settingsOf } from '../../../src/core/prompt.ts'
import { workspaceFromLock } from '../../../src/local-service/workspace.ts'
import { ask, LIVE, serve, TEST } from '../../helpers/http.ts'
import { liveLock, lockOf, pinned } from '../../helpers/pinned.ts'
import { WORKSPACE } from '../../helpers/workspace-yaml.ts'

const LIST = '/api/v1/prompts'

const TRIAGE = { slug: 'support-triage', folder: 'support', model: 'gpt-5.1', temperature: 0.2 }

const SERVED = [
  {
    title: 'the live version for the live key',
    slug: 'support-triage',
    headers: LIVE,
    want: {
      ...TRIAGE,
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
      ...TRIAGE,
      version: 'v23',
      source: 'You triage. Be brief.\n\n{{ticket}} {{ tone }}',
      systemSource: 'You triage. Be brief.',
      userSource: '{{ticket}} {{ tone }}',
      environment: 'test',
    },
  },
  {
    title: 'the live version for the test key if there is no staging version',
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
]

describe('the list', () => {
  test('has every prompt with every field of a summary, and the plan status', async () => {
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
    const [live, staging] = await Promise.all([
      ask(server, { path: LIST, headers: LIVE }),
      ask(server, { path: LIST, headers: TEST }),
    ])
    expect(staging.text).toBe(live.text)
  })

  test('has the plan status active by default, and may be empty', async () => {
    const answer = await ask(await serve('prompts: []'), { path: LIST, headers: LIVE })
    expect(answer.body).toStrictEqual({ prompts: [], planStatus: 'active' })
    expect(answer.headers['x-service-plan-status']).toBe('active')
  })
})

describe('a prompt', () => {
  test.each(SERVED)('is $title', async ({ slug, headers, want }) => {
    const answer = await ask(await serve(WORKSPACE), { path: `${LIST}/${slug}`, headers })
    expect(answer.status).toBe(200)
    expect(answer.body).toStrictEqual(want)
  })

  test('has no header with the plan status', async () => {
    const path = `${LIST}/sql-explainer`
    const { headers } = await ask(await serve(WORKSPACE), { path, headers: LIVE })
    expect(headers).not.toHaveProperty('x-service-plan-status')
  })

  test('has the versions of a lock; one that is only staged is served as live, too', async () => {
    const lock = lockOf({
      live: [{ slug: 'a' }, { slug: 'b' }],
      staging: [
        { slug: 'b', version: 'v23' },
        { slug: 'c', version: 'v1', temperature: null },
      ],
    })
    const { body } = await ask(await serve(workspaceFromLock(lock)), { path: LIST, headers: LIVE })
    expect(body).toMatchObject({
      prompts: [
        { slug: 'a', liveVersion: 'v22', stagingVersion: null },
        { slug: 'b', liveVersion: 'v22', stagingVersion: 'v23' },
        { slug: 'c', liveVersion: 'v1', stagingVersion: null },
      ],
    })
  })

  test('is served from a lock with its exact source, to both keys', async () => {
    const prompt = pinned({ slug: 'odd', system: 'S', user: 'U', source: 'S --- U' })
    const server = await serve(workspaceFromLock(liveLock(prompt)))
    const texts = { source: 'S --- U', systemSource: 'S', userSource: 'U' }
    const [live, staging] = await Promise.all([
      ask(server, { path: `${LIST}/odd`, headers: LIVE }),
      ask(server, { path: `${LIST}/odd`, headers: TEST }),
    ])
    expect(live.body).toStrictEqual({ ...settingsOf(prompt), ...texts, environment: 'live' })
    expect(staging.body).toStrictEqual({ ...settingsOf(prompt), ...texts, environment: 'test' })
  })
})
