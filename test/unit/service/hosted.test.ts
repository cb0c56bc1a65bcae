import { describe, expect, test } from 'vitest'
import type { Environment, PinnedPrompt } from '../../../src/core/prompt.ts'
import { LOCAL_KEYS, respond } from '../../../src/local-service/respond.ts'
import type { Workspace } from '../../../src/local-service/workspace.ts'
import { readWorkspace } from '../../../src/service/read-workspace.ts'
import { json, startFaultServer } from '../../helpers/fault-server.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { testService, workspaceOf } from '../../helpers/local-service.ts'
import { openHosted, rejection } from '../../helpers/service-client.ts'

const { live, test: staging } = LOCAL_KEYS
const NOWHERE = 'https://prompts.example'

test.each([
  [[`${live}\n`], 'KEY_MALFORMED'],
  [[`${live}\r\nx-evil: 1`], 'KEY_MALFORMED'],
  [['svc_live_ключ'], 'KEY_MALFORMED'],
  [[''], 'KEY_MALFORMED'],
  [['sk-1234567890abcdef'], 'KEY_KIND_UNKNOWN'],
  [[live, 'svc_staging_0123456789'], 'KEY_KIND_UNKNOWN'],
  [[live, 'svc_live_other'], 'KEYS_ALIKE'],
  [[], 'KEY_MISSING'],
])('the keys %j are refused before anything is sent: %s', (keys, code) => {
  expect(() => openHosted(NOWHERE, keys)).toThrow(expect.objectContaining({ code }))
})

test('a key that is refused is named by its variable and not shown', () => {
  const run = () => openHosted(NOWHERE, [live, `${staging} `])
  expect(run).toThrow(expect.objectContaining({ details: { source: 'PROMPTS_TEST_API_KEY' } }))
  expect(run).not.toThrow(staging)
  const sources = ['PROMPTS_API_KEY', 'PROMPTS_TEST_API_KEY']
  expect(() => openHosted(NOWHERE, [live, 'svc_live_other'])).toThrow(
    expect.objectContaining({ details: { environment: 'live', sources } }),
  )
})

test.each([
  ['"svc_live_abc"', 'quotes'],
  ['svc_live_abc\r\n', 'a line end'],
])('what is around the key %j is named as that', (key, wrapping) => {
  const details = { source: 'PROMPTS_API_KEY', wrapping }
  const error = expect.objectContaining({ code: 'KEY_MALFORMED', details })
  expect(() => openHosted(NOWHERE, [key])).toThrow(error)
})

test('an address that can not be used is named by its source', () => {
  const baseUrlSource = 'PROMPTS_BASE_URL in the environment'
  const details = { source: baseUrlSource, problem: 'it has quotes around it' }
  const run = () => openHosted('"https://prompts.example"', [live], { baseUrlSource })
  expect(run).toThrow(expect.objectContaining({ code: 'BASE_URL_INVALID', details }))
})

test('a key is missing if only staging could be read, and staging is not wanted', () => {
  const run = () => openHosted(NOWHERE, [staging], { staging: false })
  const details = { variable: 'PROMPTS_API_KEY', kind: 'live' }
  expect(run).toThrow(expect.objectContaining({ code: 'KEY_MISSING', details }))
})

test.each([
  ['both keys', [live, staging], { live: 'all', staging: true }],
  ['both keys in swapped variables', [staging, live], { live: 'all', staging: true }],
  ['the same key twice', [live, live], { live: 'all', staging: false }],
  ['a live key', [live], { live: 'all', staging: false }],
  ['a test key', [staging], { live: 'unstaged', staging: true }],
] as const)('what can be read with %s is %j', (_, keys, readable) => {
  expect(openHosted(NOWHERE, keys).readable).toEqual(readable)
})

test('the live key reads live parts, and the test key staging parts and what has none', async () => {
  const { server } = await testService([
    { slug: 'a', version: 'v1' },
    { slug: 'b', version: 'v1', staging: { version: 'v2' } },
  ])
  const read = async (keys: readonly string[], ...ids: [string, Environment][]) => {
    const service = openHosted(server.url, keys)
    const settings = { folder: '', model: '', version: '' }
    const prompts = ids.map(([slug, environment]) =>
      service.get({ ...settings, slug, environment }),
    )
    const parts = await Promise.all(prompts)
    return parts.map((part) => {
      const { slug, environment, version }: Partial<PinnedPrompt> = Object(part)
      return `${slug} ${environment} ${version}`
    })
  }
  const both = await read([staging, live], ['a', 'live'], ['b', 'live'], ['b', 'test'])
  expect(both).toEqual(['a live v1', 'b live v1', 'b test v2'])
  expect(await read([staging], ['a', 'live'])).toEqual(['a live v1'])
  expect((await openHosted(server.url, [live]).list()).prompts).toHaveLength(2)
})

/** A service that shows each key its own workspaces, one after the other with each list. */
async function startFor(
  script: Readonly<Record<Environment, readonly Workspace[]>>,
): Promise<string> {
  const lists = { live: 0, test: 0 }
  return startLocalServer(({ url: path = '', method = '', headers }, response) => {
    const { authorization } = headers
    const environment = authorization === `Bearer ${live}` ? 'live' : 'test'
    const workspace = script[environment][lists[environment]++] ?? script[environment].at(-1)
    const answer = respond({ method, path, authorization }, workspace ?? workspaceOf())
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
}

test.each([[[live]], [[staging]], [[live, staging]]])(
  'two plan statuses are one warning, whichever keys there are: %j',
  async (keys) => {
    const headers = { 'x-service-plan-status': 'past_due' }
    const { url } = await startFaultServer(json({ prompts: [], planStatus: 'active' }, headers))
    const warnings: string[] = []
    await openHosted(url, keys, { onWarning: (message) => warnings.push(message) }).list()
    expect(warnings).toHaveLength(1)
  },
)

describe('the lists of two keys', () => {
  const old = workspaceOf({ slug: 'a', version: 'v1' }, { slug: 'b' })
  const now = workspaceOf({ slug: 'a', version: 'v2' }, { slug: 'b' })

  test('two lists that agree at the second look, as after a publication, are one', async () => {
    const url = await startFor({ live: [old, now], test: [now] })
    const { prompts } = await openHosted(url, [live, staging]).list()
    expect(prompts[0]?.liveVersion).toBe('v2')
  })

  test.each([
    ['of other prompts', workspaceOf({ slug: 'a', version: 'v1' }, { slug: 'c' }), ['b', 'c']],
    ['of other live labels', now, ['a']],
    ['with one more prompt', workspaceOf({ slug: 'a', version: 'v1' }), ['b']],
  ])('two lists that stay different are an error: %s', async (_, other, slugs) => {
    const url = await startFor({ live: [old], test: [other] })
    expect(await rejection(openHosted(url, [live, staging]).list())).toMatchObject({
      code: 'KEYS_OF_TWO_WORKSPACES',
      details: { differences: slugs.map((slug) => expect.stringContaining(`${slug}: `)) },
    })
  })

  test('two lists have the staging labels of the test key', async () => {
    const draft = { slug: 'a', version: 'v1', staging: { version: 'v3' } }
    const staged = workspaceOf(draft, { slug: 'b' })
    for (const [script, label] of [
      [{ live: [old], test: [staged] }, 'v3'],
      [{ live: [staged], test: [old] }, null],
    ] as const) {
      const { prompts } = await openHosted(await startFor(script), [live, staging]).list()
      expect(prompts.map(({ stagingVersion }) => stagingVersion)).toEqual([label, null])
    }
  })
})

test('40 prompts with 2 staged cost 42 reads', async () => {
  const prompts = Array.from({ length: 40 }, (_, index) => ({
    slug: `p${index}`,
    version: 'v1',
    ...(index < 2 && { staging: { version: 'v2' } }),
  }))
  const { server, asked } = await testService(prompts)
  const service = openHosted(server.url, [live, staging])
  const { parts, reads } = await readWorkspace(service, { isSelected: () => true, concurrency: 4 })
  expect([parts.length, reads]).toEqual([42, 42])
  expect(asked().filter((request) => /prompts\/p/.test(request))).toHaveLength(42)
})
