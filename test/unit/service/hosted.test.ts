import { describe, expect, test } from 'vitest'
import type { Environment } from '../../../src/core/prompt.ts'
import type { PromptService } from '../../../src/core/service.ts'
import { LOCAL_KEYS, respond } from '../../../src/local-service/respond.ts'
import type { Workspace } from '../../../src/local-service/workspace.ts'
import { readWorkspace } from '../../../src/service/read-workspace.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { testService } from '../../helpers/local-service.ts'
import { workspaceOf } from '../../helpers/scripted-service.ts'
import { openHosted, outcome, rejection } from '../../helpers/service-client.ts'

const { live, test: staging } = LOCAL_KEYS
const NOWHERE = 'https://prompts.example'

describe('a key', () => {
  test.each([
    [[`${live}\n`], 'KEY_MALFORMED'],
    [[`${live}\r\nx-evil: 1`], 'KEY_MALFORMED'],
    [['svc_live_ключ'], 'KEY_MALFORMED'],
    [[''], 'KEY_MALFORMED'],
    [['sk-1234567890abcdef'], 'KEY_KIND_UNKNOWN'],
    [[live, 'svc_staging_0123456789'], 'KEY_KIND_UNKNOWN'],
    [[live, 'svc_live_other'], 'KEYS_ALIKE'],
    [[], 'KEY_MISSING'],
  ])('is refused before anything is sent: %j is %s', (keys, code) => {
    expect(() => openHosted(NOWHERE, keys)).toThrow(expect.objectContaining({ code }))
  })

  test('that is refused is named by its variable and not shown', () => {
    const run = () => openHosted(NOWHERE, [live, `${staging} `])
    expect(run).toThrow(expect.objectContaining({ details: { source: 'PROMPTS_TEST_API_KEY' } }))
    expect(run).not.toThrow(staging)
  })

  test('is missing if only staging could be read, and staging is not wanted', () => {
    const run = () => openHosted(NOWHERE, [staging], { staging: false })
    expect(run).toThrow(expect.objectContaining({ code: 'KEY_MISSING' }))
  })
})

const PROMPTS = [
  { slug: 'a', version: 'v1' },
  { slug: 'b', version: 'v1', staging: { version: 'v2' } },
]

/** The labels and kinds of what each part is read as. */
async function readAll(service: PromptService): Promise<string[]> {
  const part = { folder: '', model: '', version: '' }
  const ids = [
    { slug: 'a', environment: 'live' },
    { slug: 'b', environment: 'live' },
    { slug: 'b', environment: 'test' },
  ] as const
  const read = await Promise.all(ids.map((id) => outcome(service.get({ ...part, ...id }))))
  return read.map((prompt) => `${Object(prompt).environment} ${Object(prompt).version}`)
}

describe('which key reads what', () => {
  test.each([
    ['both', [live, staging], { live: 'all', staging: true }],
    ['both in swapped variables', [staging, live], { live: 'all', staging: true }],
    ['the same twice', [live, live], { live: 'all', staging: false }],
    ['a live key', [live], { live: 'all', staging: false }],
    ['a test key', [staging], { live: 'unstaged', staging: true }],
  ] as const)('with %s', (_, keys, readable) => {
    expect(openHosted(NOWHERE, keys).readable).toEqual(readable)
  })

  test('the live key reads live parts, and the test key staging parts', async () => {
    const { server } = await testService(PROMPTS)
    expect(await readAll(openHosted(server.url, [staging, live]))).toEqual([
      'live v1',
      'live v1',
      'test v2',
    ])
  })

  test('a test key alone reads a live part where nothing is staged', async () => {
    const { server } = await testService(PROMPTS)
    const [unstaged] = await readAll(openHosted(server.url, [staging]))
    expect(unstaged).toBe('live v1')
  })
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

describe('the lists of two keys', () => {
  const old = workspaceOf({ slug: 'a', version: 'v1' }, { slug: 'b' })
  const now = workspaceOf({ slug: 'a', version: 'v2' }, { slug: 'b' })

  test('are one list if they agree at the second look, as after a publication', async () => {
    const url = await startFor({ live: [old, now], test: [now] })
    const { prompts } = await openHosted(url, [live, staging]).list()
    expect(prompts[0]?.liveVersion).toBe('v2')
  })

  test.each([
    ['of other prompts', workspaceOf({ slug: 'a', version: 'v1' }, { slug: 'c' }), ['b', 'c']],
    ['of other live labels', now, ['a']],
    ['with one more prompt', workspaceOf({ slug: 'a', version: 'v1' }), ['b']],
  ])('are an error if they stay different: %s', async (_, other, slugs) => {
    const url = await startFor({ live: [old], test: [other] })
    expect(await rejection(openHosted(url, [live, staging]).list())).toMatchObject({
      code: 'KEYS_OF_TWO_WORKSPACES',
      details: { differences: slugs.map((slug) => expect.stringContaining(`${slug}: `)) },
    })
  })

  test('have the staging labels of the test key', async () => {
    const staged = workspaceOf(
      { slug: 'a', version: 'v1', staging: { version: 'v3' } },
      { slug: 'b' },
    )
    const url = await startFor({ live: [old], test: [staged] })
    const { prompts } = await openHosted(url, [live, staging]).list()
    expect(prompts.map(({ stagingVersion }) => stagingVersion)).toEqual(['v3', null])
    const other = await startFor({ live: [staged], test: [old] })
    const listed = await openHosted(other, [live, staging]).list()
    expect(listed.prompts.map(({ stagingVersion }) => stagingVersion)).toEqual([null, null])
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
