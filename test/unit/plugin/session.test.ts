import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PromptsError } from '../../../src/errors/prompts-error.ts'
import { configFileNames } from '../../../src/config/config-file.ts'
import type { Project } from '../../../src/features/project/project.ts'
import { type Loaded, Session } from '../../../src/plugin/session.ts'
import {
  type FakeProject,
  fakeContext,
  fakeProject,
  fakeSession,
  quiet,
} from '../../helpers/fake-project.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

function versionOf({ snapshot: { plan } }: Loaded): string | undefined {
  return plan.entries[0]?.heads[0]?.version
}

async function servedBy(session: Session): Promise<string | undefined> {
  return versionOf(await session.loaded(quiet))
}

function started(): { fake: FakeProject; session: Session } {
  const fake = fakeProject()
  return { fake, session: fakeSession(fake) }
}

describe('the start of a session', () => {
  test('opens its project and loads the lock once, however many ask', async () => {
    const { fake, session } = started()
    await Promise.all([session.loaded(quiet), session.loaded(quiet), session.project(quiet)])
    expect(fake.steps).toEqual(['open', 'text', 'read', 'declare'])
    expect(await session.staleSource()).toBeUndefined()
  })

  test.each([
    ['its text is read', 'text'],
    ['it is parsed', 'read'],
    ['the declarations are written', 'declare'],
  ] as const)('takes up a lock that changes right after %s', async (_, step) => {
    const { fake, session } = started()
    fake.after(step, 1, () => fake.write('v2', '{{ name }}'))
    const first = await servedBy(session)
    expect(first === 'v2' || (await session.staleSource()) === 'lock').toBe(true)
    expect(versionOf(await session.reload(quiet))).toBe('v2')
    expect(fake.declared.at(-1)).toBe('v2')
    expect(await session.staleSource()).toBeUndefined()
  })

  test('that pulls is up to date with what it has pulled', async () => {
    const { fake, session } = started()
    fake.remove()
    expect(await servedBy(session)).toBe('pulled')
    expect(await session.staleSource()).toBeUndefined()
  })

  test('is repeated after a failure when a reload is requested, and not before', async () => {
    const { fake, session } = started()
    fake.corrupt()
    expect(await rejection(session.loaded(quiet))).toMatchObject({ code: 'LOCK_CONFLICTED' })
    fake.write('v2')
    expect(await rejection(session.loaded(quiet))).toMatchObject({ code: 'LOCK_CONFLICTED' })
    expect(await session.staleSource()).toBe('lock')
    expect(versionOf(await session.reload(quiet))).toBe('v2')
    expect(await servedBy(session)).toBe('v2')
  })
})

describe('a lock that changes later', () => {
  test('is read on a reload, also if it changes again meanwhile, and an equal lock keeps the snapshot', async () => {
    const { fake, session } = started()
    const first = await session.loaded(quiet)
    expect(await session.reload(quiet)).toBe(first)
    fake.write('v2')
    expect(await session.staleSource()).toBe('lock')
    expect(await session.loaded(quiet)).toBe(first)
    fake.after('read', 2, () => fake.write('v3'))
    expect(versionOf(await session.reload(quiet))).toBe('v2')
    expect(await session.staleSource()).toBe('lock')
    expect(versionOf(await session.reload(quiet))).toBe('v3')
  })

  test('is declared once, if a contract has changed', async () => {
    const { fake, session } = started()
    await session.loaded(quiet)
    for (const version of ['v2', 'v3']) {
      fake.write(version, '{{ name }}')
      await session.reload(quiet)
      await Promise.all([session.reload(quiet), session.reload(quiet)])
    }
    expect(fake.declared).toEqual(['v1', 'v2'])
  })

  test.each([
    ['broken', 'LOCK_CONFLICTED', (fake: FakeProject) => fake.corrupt()],
    ['missing', 'LOCK_MISSING', (fake: FakeProject) => fake.remove()],
  ])('and is %s leaves the last good snapshot', async (_, code, change) => {
    const { fake, session } = started()
    await session.loaded(quiet)
    change(fake)
    expect(await rejection(session.reload(quiet))).toMatchObject({ code })
    expect(await servedBy(session)).toBe('v1')
    // Nothing is to be read again before it changes.
    expect(await session.staleSource()).toBeUndefined()
    fake.write('v2')
    expect(versionOf(await session.reload(quiet))).toBe('v2')
  })
})

describe('options that change', () => {
  /** A session with the options of its `.env`; `broken` can't be opened. */
  async function optionsFrom(env: string): Promise<{ session: Session; set: typeof writeFile }> {
    const root = await temporaryFolder({ 'package.json': '{}', '.env': env })
    const file = join(root, '.env')
    let current = env
    const session = new Session({ options: {} }, fakeContext({ root }), async () => {
      if (current.startsWith('broken'))
        throw new PromptsError('CONFIG_UNREADABLE', { path: `${file} ${current}` })
      const fake = fakeProject({ root })
      fake.write(current)
      return fake.project
    })
    const set = async (_: unknown, text: unknown): Promise<void> => {
      current = String(text)
      await writeFile(file, current)
    }
    return { session, set }
  }

  test('open the project again, and keep the served prompts while they cannot be opened', async () => {
    const { session, set } = await optionsFrom('v1')
    const old = await session.project(quiet)
    expect(await servedBy(session)).toBe('v1')
    await set('.env', 'broken')
    for (const stale of ['options', undefined]) {
      expect(await session.staleSource()).toBe(stale)
      expect(await rejection(session.reload(quiet))).toMatchObject({ code: 'CONFIG_UNREADABLE' })
    }
    expect(await servedBy(session)).toBe('v1')
    await set('.env', 'v2')
    expect(await session.staleSource()).toBe('options')
    expect(versionOf(await session.reload(quiet))).toBe('v2')
    expect(await session.project(quiet)).not.toBe(old)
    expect(await session.staleSource()).toBeUndefined()
  })

  test('that were never valid fail with the newest error', async () => {
    const { session, set } = await optionsFrom('broken')
    await rejection(session.project(quiet))
    const error = await rejection(session.reload(quiet))
    expect(await rejection(session.project(quiet))).toBe(error)
    await set('.env', 'broken again')
    const newest = await rejection(session.reload(quiet))
    expect(newest).not.toBe(error)
    expect(await rejection(session.project(quiet))).toBe(newest)
  })

  test('include a file that is created, one that is removed, and env files beside a lock outside, also while the project is opened', async () => {
    const workspace = await temporaryFolder({ 'app/package.json': '{}' })
    const root = join(workspace, 'app')
    const options = { lock: '../prompts.lock.json' }
    const fake = fakeProject({ root, options })
    const [config, env] = [join(root, 'prompts.config.mjs'), join(workspace, '.env')]
    let open = async (): Promise<Project> => {
      await writeFile(env, 'PROMPTS_PULL=sometimes')
      throw new PromptsError('OPTIONS_INVALID', { source: env, problems: [] })
    }
    const session = new Session({ options }, fakeContext({ root }), () => open())
    expect(await rejection(session.loaded(quiet))).toMatchObject({ code: 'OPTIONS_INVALID' })
    open = async () => {
      fake.steps.push('open')
      return fake.project
    }
    expect(await session.staleSource()).toBe('options')
    await session.reload(quiet)
    expect(await session.sources()).toEqual(expect.arrayContaining([config, env]))
    for (const change of [
      () => writeFile(config, 'export default {}'),
      () => rm(config),
      () => writeFile(env, 'PROMPTS_PULL=never'),
    ]) {
      expect(await session.staleSource()).toBeUndefined()
      await change()
      expect(await session.staleSource()).toBe('options')
      await session.reload(quiet)
    }
    expect(fake.steps.filter((step) => step === 'open')).toHaveLength(4)
  })

  test('are in every file that may contain them, which is watched like the lock', async () => {
    const { session } = started()
    await session.loaded(quiet)
    expect(await session.sources()).toEqual([
      '/nowhere/prompts.lock.json',
      ...configFileNames('prompts').map((each) => `/nowhere/${each}`),
      ...['.development.local', '.development', '.local', ''].map((each) => `/nowhere/.env${each}`),
    ])
  })
})
