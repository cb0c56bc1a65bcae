import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Options } from '../../../../src/config/options.ts'
import { LOCAL_KEYS } from '../../../../src/local-service/respond.ts'
import { loadLock } from '../../../../src/features/start/start.ts'
import { filesIn } from '../../../helpers/cli.ts'
import { commitAll } from '../../../helpers/git-repository.ts'
import { startLocalServer } from '../../../helpers/local-server.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { type GivenProject, openTestProject, type TestProject } from '../../../helpers/project.ts'
import { workspaceOf } from '../../../helpers/local-service.ts'
import { startScriptedService } from '../../../helpers/scripted-service.ts'
import { rejection, stopTime } from '../../../helpers/service-client.ts'

const OLD = liveLock({ slug: 'a', version: 'v1' })
const NEW = workspaceOf({ slug: 'a', version: 'v2' })

const PINNED = 'Pinned 1 prompt (1 fetched).'
const UNREACHABLE = 'The service is unreachable, using the lock.'

interface Start extends TestProject {
  /** The messages of the starts. */
  readonly told: readonly string[]
  /** Starts, and returns the version of the served prompt. */
  start(): Promise<string | undefined>
}

async function starting(given: GivenProject): Promise<Start> {
  stopTime()
  const opened = await openTestProject(given)
  const told: string[] = []
  const notify = (_level: string, message: string): void => void told.push(message)
  const start: Start['start'] = async () =>
    (await loadLock(opened.project, { production: true, notify })).entries[0]?.heads[0]?.version
  return { ...opened, told, start }
}

/** A service with a newer prompt than the lock, and the options that reach it. */
async function newer(pull?: Options['pull']) {
  const { url, asked } = await startScriptedService(NEW)
  const options: Options = { baseUrl: url, apiKey: LOCAL_KEYS.live, ...(pull && { pull }) }
  return { asked, options }
}

/** Options with an unreachable service. */
const DOWN: Options = { baseUrl: 'http://127.0.0.1:1', apiKey: LOCAL_KEYS.live, pull: 'always' }

test('a start with a lock makes no request and needs no key, unless it always pulls', async () => {
  for (const policy of ['missing', 'never'] as const) {
    const { asked, options } = await newer(policy)
    const { start, told } = await starting({ options, lock: OLD })
    expect(await start()).toBe('v1')
    expect([asked, told]).toEqual([[], []])
  }
  expect(await (await starting({ lock: OLD })).start()).toBe('v1')
})

describe('a start', () => {
  test('without a lock pulls', async () => {
    const { asked, options } = await newer()
    const { start, told, root } = await starting({ options })
    expect(await start()).toBe('v2')
    expect(asked).toEqual(['list', 'a', 'list'])
    expect(told).toEqual([
      'No lock yet: pulling…',
      `${PINNED} Commit prompts.lock.json, and builds need no key.`,
    ])
    expect(await readdir(root)).toEqual(
      expect.arrayContaining(['prompts.d.ts', 'prompts.lock.json']),
    )
  })

  test('names the way back if the lock was deleted and git has it', async () => {
    const { options } = await newer()
    const { start, told, root } = await starting({ options, lock: OLD })
    commitAll(root)
    await rm(join(root, 'prompts.lock.json'))
    expect(await start()).toBe('v2')
    expect(told[0]).toContain('`git checkout prompts.lock.json`')
  })

  test('uses the lock of the process that pulls first', async () => {
    const { options } = await newer()
    const { start, told } = await starting({ options })
    expect(await Promise.all([start(), start(), start()])).toEqual(['v2', 'v2', 'v2'])
    expect(told.filter((line) => line.startsWith(PINNED))).toHaveLength(1)
  })

  test('that always pulls uses the lock of another process that pulls at the same time', async () => {
    const { options } = await newer('always')
    const { start, root, told } = await starting({ options, lock: OLD })
    expect(await start()).toBe('v2')
    expect(told).toEqual(['Pulling…', PINNED])
    expect(await Promise.all([start(), start(), start()])).toEqual(['v2', 'v2', 'v2'])
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.each(
    Object.entries<[given: GivenProject, error: object]>({
      'without a lock and a key': [{}, { code: 'KEY_MISSING' }],
      'without a lock, a live key and a view': [
        { options: { ...DOWN, apiKey: 'svc_test_a' } },
        { code: 'ENVIRONMENT_MISSING' },
      ],
      'without a lock and a service': [
        { options: { ...DOWN, pull: 'missing' } },
        { code: 'SERVICE_UNREACHABLE' },
      ],
      'from a lock that does not match the options': [
        { options: { exclude: 'a' }, lock: OLD },
        { code: 'LOCK_UNFIT' },
      ],
      'that never pulls, without a lock': [
        { options: { ...DOWN, pull: 'never' } },
        { code: 'LOCK_MISSING', fix: expect.stringContaining('prompts pull') },
      ],
      'that always pulls, without fallback and a service': [
        { options: { ...DOWN, fallback: false }, lock: OLD },
        { code: 'SERVICE_UNREACHABLE' },
      ],
      'that always pulls, without a lock and a service': [
        { options: DOWN },
        { code: 'SERVICE_UNREACHABLE' },
      ],
      'that always pulls, without a key': [
        { options: { pull: 'always' }, lock: OLD },
        { code: 'KEY_MISSING' },
      ],
      'that falls back on a broken lock': [
        { options: DOWN, files: { 'prompts.lock.json': '{' } },
        { code: 'LOCK_SYNTAX' },
      ],
    }),
  )('fails %s, and leaves the files', async (_, [given, error]) => {
    const { start, root } = await starting(given)
    const before = await filesIn(root)
    expect(await rejection(start())).toMatchObject(error)
    expect(await filesIn(root)).toEqual(before)
  })
})

/** A service that answers everything so, and the options that reach it. */
async function answering(status: number): Promise<Options> {
  const baseUrl = await startLocalServer((_, response) => {
    response.statusCode = status
    response.setHeader('content-type', 'application/json').setHeader('retry-after', '0').end('{}')
  })
  return { ...DOWN, baseUrl }
}

describe('a start that always pulls', () => {
  test.each([500, 503, 429, 'refused'])(
    'uses the lock if the service answers %s, and reports it once',
    async (status) => {
      const options = typeof status === 'number' ? await answering(status) : DOWN
      const { start, told } = await starting({ options, lock: OLD })
      expect(await start()).toBe('v1')
      expect(told).toEqual(['Pulling…', expect.stringMatching(`${UNREACHABLE}.*${status}`)])
    },
  )

  test.each([
    { status: 401, code: 'KEY_REFUSED' },
    { status: 403, code: 'ACCESS_DENIED' },
    { status: 200, code: 'ANSWER_INVALID' },
  ])('never hides $code behind the lock', async ({ status, code }) => {
    const { start } = await starting({ options: await answering(status), lock: OLD })
    expect(await rejection(start())).toMatchObject({ code })
  })

  test('never hides an empty workspace behind the lock', async () => {
    const { url } = await startScriptedService(workspaceOf())
    const { start } = await starting({ options: { ...DOWN, baseUrl: url }, lock: OLD })
    expect(await rejection(start())).toMatchObject({ code: 'PULL_EMPTY' })
  })
})
