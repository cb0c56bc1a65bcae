import { describe, expect, test } from 'vitest'
import { openProject, type Project } from '../../../src/features/project/project.ts'
import { loadLock } from '../../../src/features/start/start.ts'
import { APP_TSCONFIG } from '../../helpers/app-folder.ts'
import { folderWith, prompts, promptsOnScreen } from '../../helpers/cli.ts'
import { testService, type TestService } from '../../helpers/local-service.ts'
import { pull } from '../../helpers/pull.ts'
import { type Reader, READERS } from '../../helpers/readers.ts'
import { stopTime } from '../../helpers/service-client.ts'

const STAGED = { version: 'v2', system: 'Sort {{ ticket }} by {{ mood }}' }
const SORT = { slug: 'sort', version: 'v1', system: 'Sort {{ ticket }}', staging: STAGED }
const GREET = { slug: 'greet', version: 'v1', system: 'Hi', folder: 'a' }
const NEW_GREET = { ...GREET, version: 'v2', system: 'Hello' }

interface Opened {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly service: TestService
  /** Runs a command to its end, and returns its JSON. */
  json(...args: string[]): Promise<unknown>
  project(): Promise<Project>
}

const APP = {
  'package.json': '{ "devDependencies": { "vite": "8", "unplugin-prompts": "*" } }\n',
  'vite.config.ts': 'export default { plugins: [] }\n',
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
}

describe.each(Object.entries<Reader>(READERS))('with %s', (_, reader) => {
  async function open(env?: Readonly<Record<string, string>>): Promise<Opened> {
    const service = await testService([SORT, GREET])
    const cwd = await folderWith({ ...APP, ...reader.files })
    const call = { cwd, env: { ...reader.variables(service), ...env } }
    const settings = { root: cwd, mode: 'development', options: {}, processEnv: call.env }
    return {
      ...call,
      service,
      json: async (...args) => (await prompts([...args, '--json'], call)).json,
      project: () => openProject({ ...settings, warn: () => undefined }),
    }
  }

  /** The same with a lock of what is served. */
  async function pinned(env?: Readonly<Record<string, string>>): Promise<Opened> {
    const opened = await open(env)
    await pull(await opened.project())
    opened.service.forget()
    return opened
  }

  test('a pull writes live and staging parts, and says what it reads', async () => {
    const opened = await open()
    const { output } = await promptsOnScreen(['pull', '--yes'], opened)
    expect(output).toContain(`Pulling from ${reader.label(opened.service)}`)
    const { parts } = await (await opened.project()).readLock()
    expect(parts).toMatchObject([
      { slug: 'greet', environment: 'live', version: 'v1', folder: 'a', system: 'Hi' },
      { slug: 'sort', environment: 'live', version: 'v1', system: SORT.system },
      { slug: 'sort', environment: 'test', version: 'v2', system: STAGED.system },
    ])
  })

  test('check, diff, list and pull compare the lock with the service', async () => {
    const opened = await pinned()
    expect(await prompts(['check'], opened)).toMatchObject({ code: 0 })
    opened.service.serve(SORT, NEW_GREET)
    expect(await prompts(['check'], opened)).toMatchObject({ code: 3 })
    const change = { slug: 'greet', version: { before: 'v1', after: 'v2' } }
    expect(await opened.json('diff')).toMatchObject({ prompts: [change] })
    const update = { kind: 'updated' }
    const list = { prompts: [{ slug: 'greet', update }, { update: null }] }
    expect(await opened.json('list', '--updates')).toMatchObject(list)
    // Other live versions are not read.
    expect(await opened.json('pull', '--changed')).toMatchObject({ reads: 2, changes: [change] })
  })

  test('check --all shows where the keys are from, and without them nothing is asked', async () => {
    const { cwd, service, env } = await pinned()
    const run = await prompts(['check', '--all', '--json'], { cwd, env })
    const message = expect.stringContaining('_KEY in the env')
    expect(run.json.steps).toContainEqual(
      expect.objectContaining({ name: 'key', state: 'ok', message }),
    )
    expect(run.json.steps).toContainEqual(expect.objectContaining({ name: 'service', state: 'ok' }))
    expect(run.stdout + run.stderr).not.toMatch(/svc_(?:live|test)_local/)
    service.forget()
    const keyless = Object.entries(env).filter(([name]) => !name.includes('KEY'))
    const call = { cwd, env: Object.fromEntries(keyless) }
    expect(await prompts(['check', '--offline'], call)).toMatchObject({ code: 0 })
    const { stdout } = await prompts(['check', '--all', '--json'], call)
    expect(stdout).toContain('KEY: builds use the lock, a pull needs a key')
    expect((await prompts(['pull'], call)).stderr).toContain('KEY_MISSING')
    expect(service.asked()).toEqual([])
  })

  test('a start with `pull: always` uses the lock if the service is down, and only then', async () => {
    stopTime()
    const { service, project } = await pinned({ PROMPTS_PULL: 'always' })
    const told: string[] = []
    const start = async (): Promise<string | undefined> => {
      const notify = (_level: string, message: string) => void told.push(message)
      const lock = await loadLock(await project(), { production: true, notify })
      return lock.parts[0]?.version
    }
    service.serve(SORT, NEW_GREET)
    expect(await start()).toBe('v2')
    await service.server.close()
    expect(await start()).toBe('v2')
    expect(told.at(-1)).toContain('The service is unreachable, using the lock.')
  })
})
