import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Options } from '../../../../src/config/options.ts'
import { LOCAL_KEYS } from '../../../../src/local-service/respond.ts'
import { loadLock } from '../../../../src/features/start/start.ts'
import { commitAll } from '../../../helpers/git-repository.ts'
import { startLocalServer } from '../../../helpers/local-server.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { type GivenProject, openTestProject, type TestProject } from '../../../helpers/project.ts'
import { startScriptedService, workspaceOf } from '../../../helpers/scripted-service.ts'
import { rejection, hastyClock } from '../../../helpers/service-client.ts'

const OLD = liveLock({ slug: 'a', version: 'v1' })
const NEW = workspaceOf({ slug: 'a', version: 'v2' })

const PINNED = 'Pinned 1 prompt (1 read).'
const UNREACHABLE = 'The service is unreachable, using the lock.'

/** A project whose start is watched. */
interface Start extends TestProject {
  /** The messages of the starts. */
  readonly told: readonly string[]
  /** Starts, and returns the version of the served prompt. */
  start(): Promise<string | undefined>
}

async function starting(given: GivenProject): Promise<Start> {
  hastyClock()
  const opened = await openTestProject(given)
  const told: string[] = []
  const notify = (_level: string, message: string): void => void told.push(message)
  const start: Start['start'] = async () =>
    (await loadLock(opened.project, notify)).parts[0]?.version
  return { ...opened, told, start }
}

/** A service with a newer prompt than the lock, and the options that reach it. */
async function newer(options: Options): Promise<{ asked: readonly string[]; options: Options }> {
  const { url, asked } = await startScriptedService(NEW)
  return { asked, options: { baseUrl: url, apiKey: LOCAL_KEYS.live, ...options } }
}

/** A service that answers everything so, and the options that reach it. */
async function answering(status: number, options: Options = {}): Promise<Options> {
  const baseUrl = await startLocalServer((_, response) => {
    response.statusCode = status
    response.setHeader('content-type', 'application/json').setHeader('retry-after', '0').end('{}')
  })
  return { baseUrl, apiKey: LOCAL_KEYS.live, pull: 'always', ...options }
}

/** Options with an unreachable service. */
const DOWN: Options = { baseUrl: 'http://127.0.0.1:1', apiKey: LOCAL_KEYS.live, pull: 'always' }

describe('missing, the default', () => {
  test('makes no request and needs no key if there is a lock', async () => {
    const { asked, options } = await newer({ pull: 'missing' })
    const { start, told } = await starting({ options, lock: OLD })
    expect(await start()).toBe('v1')
    expect([asked, told]).toEqual([[], []])
    const keyless = await starting({ lock: OLD })
    expect(await keyless.start()).toBe('v1')
  })

  test('pulls if there is none', async () => {
    const { asked, options } = await newer({})
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
    const { options } = await newer({})
    const { start, told, root } = await starting({ options, lock: OLD })
    commitAll(root)
    await rm(join(root, 'prompts.lock.json'))
    expect(await start()).toBe('v2')
    expect(told[0]).toContain('`git checkout prompts.lock.json`')
  })

  test('uses the lock of the process that pulls first', async () => {
    const { options } = await newer({})
    const { start, told } = await starting({ options })
    expect(await Promise.all([start(), start(), start()])).toEqual(['v2', 'v2', 'v2'])
    expect(told.filter((line) => line.startsWith(PINNED))).toHaveLength(1)
  })

  test('reports a missing key without a lock and a key', async () => {
    const { start } = await starting({})
    expect(await rejection(start())).toMatchObject({ code: 'KEY_MISSING' })
  })

  test('fails without a lock and a service', async () => {
    const { start } = await starting({ options: { ...DOWN, pull: 'missing' } })
    expect(await rejection(start())).toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  })

  test('does not repair a broken lock', async () => {
    const { asked, options } = await newer({})
    const { start, root } = await starting({
      options,
      files: { 'prompts.lock.json': '<<<<<<< HEAD\n' },
    })
    expect(await rejection(start())).toMatchObject({ code: 'LOCK_CONFLICTED' })
    expect(asked).toEqual([])
    expect(await readFile(join(root, 'prompts.lock.json'), 'utf8')).toBe('<<<<<<< HEAD\n')
  })

  test('rejects a lock that does not match the options', async () => {
    const { start } = await starting({ options: { exclude: 'a' }, lock: OLD })
    expect(await rejection(start())).toMatchObject({ code: 'LOCK_UNFIT' })
  })
})

describe('never', () => {
  test('uses the lock and makes no request', async () => {
    const { asked, options } = await newer({ pull: 'never' })
    const { start } = await starting({ options, lock: OLD })
    expect(await start()).toBe('v1')
    expect(asked).toEqual([])
  })

  test('fails if there is none, and says what to do', async () => {
    const { asked, options } = await newer({ pull: 'never' })
    const { start } = await starting({ options })
    const error = await rejection(start())
    expect(error.code).toBe('LOCK_MISSING')
    expect(error.fix).toContain('prompts pull')
    expect(asked).toEqual([])
  })

  test('can be set in the environment', async () => {
    const { start } = await starting({ processEnv: { PROMPTS_PULL: 'never' } })
    expect(await rejection(start())).toMatchObject({ code: 'LOCK_MISSING' })
  })
})

describe('always', () => {
  test('pulls, lock or not', async () => {
    const { options } = await newer({ pull: 'always' })
    const { start, told } = await starting({ options, lock: OLD })
    expect(await start()).toBe('v2')
    expect(told).toEqual(['Pulling…', PINNED])
  })

  test('pulls again if another process pulls at the same time', async () => {
    const { options } = await newer({ pull: 'always' })
    const { start, root } = await starting({ options, lock: OLD })
    expect(await Promise.all([start(), start(), start()])).toEqual(['v2', 'v2', 'v2'])
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.each([500, 503, 429])(
    'uses the lock if the service answers %i, and reports it once',
    async (status) => {
      const { start, told } = await starting({ options: await answering(status), lock: OLD })
      expect(await start()).toBe('v1')
      expect(told).toEqual(['Pulling…', expect.stringMatching(`${UNREACHABLE}.*${status}`)])
    },
  )

  test('uses the lock if the service does not answer', async () => {
    const { start, told } = await starting({ options: DOWN, lock: OLD })
    expect(await start()).toBe('v1')
    expect(told).toEqual(['Pulling…', expect.stringMatching(`${UNREACHABLE}.*refused`)])
  })

  test('fails then if fallback is off, and leaves the lock', async () => {
    const { start, root, told } = await starting({
      options: { ...DOWN, fallback: false },
      lock: OLD,
    })
    const before = await readFile(join(root, 'prompts.lock.json'), 'utf8')
    expect(await rejection(start())).toMatchObject({ code: 'SERVICE_UNREACHABLE' })
    expect(await readFile(join(root, 'prompts.lock.json'), 'utf8')).toBe(before)
    expect(told).toEqual(['Pulling…'])
  })

  test('fails then if there is no lock', async () => {
    const { start } = await starting({ options: DOWN })
    expect(await rejection(start())).toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  })

  test.each([
    { status: 401, code: 'KEY_REFUSED' },
    { status: 403, code: 'ACCESS_DENIED' },
    { status: 404, code: 'SERVICE_NOT_FOUND' },
    { status: 302, code: 'REDIRECTED' },
    { status: 200, code: 'ANSWER_INVALID' },
  ])('never hides $code behind the lock', async ({ status, code }) => {
    const options = await answering(status, { fallback: true })
    const { start } = await starting({ options, lock: OLD })
    expect(await rejection(start())).toMatchObject({ code })
  })

  test('never hides a missing key, or an empty workspace', async () => {
    const keyless = await starting({ options: { pull: 'always' }, lock: OLD })
    expect(await rejection(keyless.start())).toMatchObject({ code: 'KEY_MISSING' })
    const { url } = await startScriptedService(workspaceOf())
    const options: Options = { baseUrl: url, apiKey: LOCAL_KEYS.live, pull: 'always' }
    const emptied = await starting({ options, lock: OLD })
    expect(await rejection(emptied.start())).toMatchObject({ code: 'PULL_EMPTY' })
  })

  test('does not fall back on a broken lock', async () => {
    const { start } = await starting({ options: DOWN, files: { 'prompts.lock.json': '{' } })
    expect(await rejection(start())).toMatchObject({ code: 'LOCK_SYNTAX' })
  })
})
