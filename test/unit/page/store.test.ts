import { rm, writeFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { describePart, type Lock } from '../../../src/core/prompt.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { type Workspace, workspaceFromLock } from '../../../src/local-service/workspace.ts'
import type { ChangesView } from '../../../src/page/protocol.ts'
import { READS_PER_MINUTE } from '../../../src/page/server/changes.ts'
import { createStore, type Store, type StoreOptions } from '../../../src/page/server/store.ts'
import { APP_TSCONFIG } from '../../helpers/app-folder.ts'
import { commitAll } from '../../helpers/git-repository.ts'
import { testProject, type TestProject } from '../../helpers/page/project.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

const LOCK = liveLock(
  { slug: 'a' },
  { slug: 'gone' },
  { slug: 'held', held: { reason: 'Legal.' } },
  { slug: 'same' },
  { slug: 'unused' },
)

const SERVED = liveLock(
  { slug: 'a', version: 'v23', system: 'Be {{ tone }}.' },
  { slug: 'held', version: 'v23', system: 'Not now.' },
  { slug: 'new' },
  { slug: 'same' },
  { slug: 'unused', version: 'v23', system: 'Be brief.' },
)

const FILES = {
  'tsconfig.json': APP_TSCONFIG,
  'src/main.ts': [
    `import { prompts } from 'virtual:prompts'`,
    'prompts.a.render()',
    'prompts.gone.render()',
  ].join('\n'),
}

interface Opened {
  readonly project: TestProject
  readonly store: Store
  readonly clock: { now: number }
}

async function open({
  lock = LOCK,
  workspace = workspaceFromLock(SERVED),
  files = FILES as Readonly<Record<string, string>>,
  env = {},
  run,
}: {
  lock?: Lock
  workspace?: Workspace
  files?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string>>
  run?: StoreOptions['run']
} = {}): Promise<Opened> {
  const project = await testProject(lock, {
    workspace,
    env: { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test, ...env },
    files,
  })
  const clock = { now: 0 }
  const options = { now: () => clock.now, ...(run && { run }) }
  return { project, clock, store: createStore(await project.open(), options) }
}

/** Asks for the lock as it is on the screen. */
async function changes({ store }: Opened, read: string, query = {}): Promise<ChangesView> {
  const { hash: lock } = await store.answers.state({})
  return store.answers.changes({ with: 'service', read, lock, ...query })
}

/** Each row with the class of its change; `?` until its texts are read. */
function summaryOf(view: ChangesView): unknown {
  if (view.kind === 'error') return view.error.code
  if (view.kind === 'unasked') return view.kind
  return view.rows.map((row) => `${row.change === null ? '?' : row.class} ${describePart(row)}`)
}

function readsOf({ project }: Opened): string[] {
  const paths = project.service.requests.map(({ path }) => path)
  return paths.flatMap((path) => /^\/api\/v1\/prompts\/(.*)/.exec(path)?.[1] ?? [])
}

describe('the changes of the service', () => {
  test('are listed without a read, and without held and unchanged prompts', async () => {
    const opened = await open()
    expect(summaryOf(await changes(opened, 'none'))).toEqual([
      '? a',
      'contract gone',
      '? new',
      '? unused',
    ])
    expect(readsOf(opened)).toEqual([])
  })

  test('are read for the prompts that code uses, then for one, then for all, each once', async () => {
    const opened = await open()
    const used = await changes(opened, 'used')
    expect(summaryOf(used)).toEqual(['contract a', 'contract gone', '? new', '? unused'])
    expect(readsOf(opened)).toEqual(['a'])
    await changes(opened, 'part:live new')
    expect(readsOf(opened)).toEqual(['a', 'new'])
    expect(summaryOf(await changes(opened, 'all'))).toEqual([
      'contract a',
      'contract gone',
      'added new',
      'text unused',
    ])
    expect(readsOf(opened)).toEqual(['a', 'new', 'unused'])
  })

  test('are read for the prompts that other apps with the lock use, and break what is in these', async () => {
    const opened = await open({
      workspace: workspaceFromLock(
        liveLock({ slug: 'unused', version: 'v23', system: 'Be {{ tone }}.' }),
      ),
      files: {
        'prompts.config.json': '{ "apps": "apps/*" }',
        'apps/site/package.json': '{}',
        'apps/site/tsconfig.json': APP_TSCONFIG,
        'apps/site/src/main.ts': `import { prompts } from 'virtual:prompts'\nprompts.unused.render()`,
      },
    })
    await changes(opened, 'used')
    expect(readsOf(opened)).toEqual(['unused'])
    expect(await opened.store.answers.impact({ with: 'service' })).toMatchObject({
      findings: [{ slug: 'unused', file: 'apps/site/src/main.ts' }],
    })
  })

  test('are read for every prompt if code passes all of them on', async () => {
    const main = `import { prompts } from 'virtual:prompts'\nexport const any = (name: 'a') => prompts[name as keyof typeof prompts]\n`
    const opened = await open({ files: { ...FILES, 'src/main.ts': main } })
    await changes(opened, 'used')
    expect(readsOf(opened).toSorted()).toEqual(['a', 'new', 'unused'])
  })

  test('are read once for requests at the same time', async () => {
    const opened = await open()
    await Promise.all([
      changes(opened, 'all'),
      changes(opened, 'all'),
      changes(opened, 'part:live a'),
    ])
    expect(readsOf(opened).toSorted()).toEqual(['a', 'new', 'unused'])
  })

  test('are there afterwards, until the list shows another version', async () => {
    const opened = await open()
    const stateOf = async (): Promise<unknown> => {
      const view = await changes(opened, 'none')
      return view.kind === 'compared' && view.rows.map(({ change }) => change !== null)
    }
    await changes(opened, 'all')
    expect(await stateOf()).toEqual([true, true, true, true])
    const next = SERVED.parts.map((prompt) => ({ ...prompt, version: 'v24' }))
    await opened.project.serve(workspaceFromLock({ ...SERVED, parts: next }))
    expect(summaryOf(await changes(opened, 'list'))).toContain('? a')
  })

  test('follow the lock without another list', async () => {
    const opened = await open()
    await changes(opened, 'none')
    await opened.project.writeLock(SERVED)
    const { length } = opened.project.service.requests
    expect(await changes(opened, 'none')).toMatchObject({ rows: [] })
    expect(opened.project.service.requests).toHaveLength(length)
  })

  test('are read once, as the buttons say, however long the page is open', async () => {
    const opened = await open()
    await changes(opened, 'part:live a')
    opened.clock.now += 3_600_000
    await changes(opened, 'all')
    expect(readsOf(opened).toSorted()).toEqual(['a', 'new', 'unused'])
  })

  test('read one by one are limited within a minute', async () => {
    const prompts = Array.from({ length: READS_PER_MINUTE + 1 }, (_, index) => ({
      slug: `p${index}`,
    }))
    const served = liveLock(...prompts.map((prompt) => ({ ...prompt, version: 'v23' })))
    const opened = await open({ lock: liveLock(...prompts), workspace: workspaceFromLock(served) })
    for (let index = 0; index < READS_PER_MINUTE; index++)
      await changes(opened, `part:live p${index}`)
    const last = `part:live p${READS_PER_MINUTE}`
    expect(summaryOf(await changes(opened, last))).toBe('PAGE_READS_LIMITED')
    opened.clock.now += 60_000
    expect(summaryOf(await changes(opened, last))).toContain(`settings p${READS_PER_MINUTE}`)
  })

  test('read nothing that is no change, and nothing that the options exclude', async () => {
    const served = liveLock({ folder: 'private', version: 'v23', system: 'Not for this app.' })
    const config = `export default { exclude: 'private/**' }`
    const opened = await open({
      lock: liveLock({}),
      workspace: workspaceFromLock(served),
      files: { 'prompts.config.mjs': config },
    })
    await changes(opened, 'part:live nothing')
    const view = await changes(opened, 'all')
    expect(summaryOf(view)).toEqual(['contract support-triage'])
    expect(JSON.stringify(view)).not.toContain('Not for this app.')
    expect(readsOf(opened)).toEqual([])
  })

  test('report why they cannot be read', async () => {
    const opened = await open()
    await changes(opened, 'none')
    await opened.project.service.close()
    expect(summaryOf(await changes(opened, 'all'))).toBe('SERVICE_UNREACHABLE')
  })
})

describe('a project that never pulls', () => {
  test('asks the service only on request, and then has the changes', async () => {
    const opened = await open({ env: { PROMPTS_PULL: 'never' } })
    expect(summaryOf(await changes(opened, 'none'))).toBe('unasked')
    expect(opened.project.service.requests).toEqual([])
    expect(summaryOf(await changes(opened, 'list'))).toContain('? a')
    expect(summaryOf(await changes(opened, 'none'))).toContain('? a')
  })
})

describe('the versions of staging', () => {
  const live = [{ slug: 'a' }, { slug: 'same' }]
  const served = lockOf({
    live: [{ slug: 'a', version: 'v23' }, { slug: 'same' }],
    staging: [
      { slug: 'a', version: 'v24', user: '{{ extra }}' },
      { slug: 'same', version: 'v30', user: '{{ extra }}' },
    ],
  })
  const workspace = workspaceFromLock(served)

  test('wait together with the live ones, which come first, and are read by part', async () => {
    const opened = await open({ lock: liveLock(...live), workspace })
    const waiting = ['? a', '? a (staging)', '? same (staging)']
    expect(summaryOf(await changes(opened, 'none'))).toEqual(waiting)
    expect(summaryOf(await changes(opened, 'part:test a'))).toEqual([
      '? a',
      'contract a (staging)',
      '? same (staging)',
    ])
    expect(readsOf(opened)).toEqual(['a'])
    expect(summaryOf(await changes(opened, 'all'))).toEqual([
      'settings a',
      'contract a (staging)',
      'contract same (staging)',
    ])
    expect(readsOf(opened).toSorted()).toEqual(['a', 'a', 'same'])
  })

  test('can be read again after a check on request, since authors rewrite them under one label', async () => {
    const opened = await open({ lock: liveLock(...live), workspace })
    await changes(opened, 'all')
    expect(summaryOf(await changes(opened, 'list'))).toEqual([
      'settings a',
      '? a (staging)',
      '? same (staging)',
    ])
  })

  test('are named and not read where no key at hand reads them', async () => {
    const env = { PROMPTS_TEST_API_KEY: '' }
    const opened = await open({ lock: liveLock(...live), workspace, env })
    expect(summaryOf(await changes(opened, 'all'))).toEqual(['settings a'])
    expect(await changes(opened, 'none')).toMatchObject({
      service: {
        kept: [
          { slug: 'a', environment: 'test', listed: 'v24', reason: 'unread' },
          { slug: 'same', environment: 'test', listed: 'v30', reason: 'unread' },
        ],
      },
    })
    expect(readsOf(opened)).toEqual(['a'])
  })

  test('that were published are one row with the live update, or kept beside a held live part', async () => {
    const published = workspaceFromLock(liveLock({ slug: 'a', version: 'v23' }))
    const summaryWith = async (held: { reason: string } | undefined): Promise<unknown> => {
      const lock = lockOf({ live: [{ slug: 'a', held }], staging: [{ slug: 'a', version: 'v23' }] })
      const view = await changes(await open({ lock, workspace: published }), 'all')
      return [summaryOf(view), view.kind === 'compared' && view.service?.kept]
    }
    expect(await summaryWith(undefined)).toEqual([['settings a'], []])
    expect(await summaryWith({ reason: '' })).toMatchObject([
      [],
      [{ slug: 'a', version: 'v23', reason: 'published' }],
    ])
  })
})

test('the changes since a git revision need no request', async () => {
  const opened = await open()
  commitAll(opened.project.root)
  await opened.project.writeLock(liveLock({ slug: 'a', system: 'Be brief.' }))
  const since = (base: string): Promise<ChangesView> =>
    changes(opened, 'none', { with: 'revision', base })
  expect(summaryOf(await since('HEAD'))).toEqual([
    'text a',
    'contract gone',
    'contract held',
    'contract same',
    'contract unused',
  ])
  expect(summaryOf(await since('--output=/tmp/x'))).toBe('REVISION_UNREADABLE')
  expect(opened.project.service.requests).toEqual([])
})

test('the changes since a git revision have the texts of the lock, not those that were read', async () => {
  const opened = await open()
  commitAll(opened.project.root)
  await changes(opened, 'part:live a')
  await opened.project.writeLock(liveLock({ slug: 'a', version: 'v23', system: 'Be brief.' }))
  const since = await changes(opened, 'none', { with: 'revision', base: 'HEAD' })
  expect(since).toMatchObject({ rows: { 0: { change: { after: { system: 'Be brief.' } } } } })
})

test('a decision about the lock alone asks the service nothing', async () => {
  const { store, project } = await open()
  const { hash: lock } = await store.answers.state({})
  const hold = { act: 'hold', part: 'live a', reason: 'Legal.', lock }
  expect(await store.answers.write(hold)).toEqual({ kind: 'written', left: [] })
  expect(project.service.requests).toEqual([])
})

test('a change is not taken, and the reason is told, if the list of the service can no longer be read', async () => {
  const opened = await open()
  await changes(opened, 'all')
  const { hash: lock } = await opened.store.answers.state({})
  opened.clock.now += 60_000
  await opened.project.service.close()
  const unreachable = { kind: 'error', error: { code: 'SERVICE_UNREACHABLE' } }
  for (const name of ['write', 'fix'] as const)
    expect(
      await opened.store.answers[name]({ act: 'take', part: 'live unused', lock }),
    ).toMatchObject(unreachable)
})

describe('the analyses of the code', () => {
  test('name each line that the changes break, with its cause', async () => {
    const opened = await open()
    await changes(opened, 'used')
    expect(await opened.store.answers.impact({ with: 'service' })).toMatchObject({
      kind: 'checked',
      findings: [
        { file: 'src/main.ts', line: 2, slug: 'a' },
        { file: 'src/main.ts', line: 3, slug: 'gone' },
      ],
    })
  })

  test('run one at a time, are shared, and run again after an edit or half a minute', async () => {
    let running = 0
    const seen: number[] = []
    const run = vi.fn<() => Promise<unknown>>(async () => {
      seen.push(++running)
      await Promise.resolve()
      running--
      return { prompts: [], escapes: [], findings: [] }
    })
    const { store, clock } = await open({ run: run as unknown as NonNullable<StoreOptions['run']> })
    const { uses, impact } = store.answers
    await Promise.all([
      uses({}),
      uses({}),
      impact({ with: 'service' }),
      impact({ with: 'service' }),
    ])
    expect(seen).toEqual([1, 1])
    store.codeChanged()
    await uses({})
    clock.now += 30_000
    await uses({})
    expect(run).toHaveBeenCalledTimes(4)
  })

  test('that fail are an answer, and the next one runs', async () => {
    const run = vi
      .fn<() => Promise<unknown>>(async () => ({ prompts: [], escapes: [] }))
      .mockRejectedValueOnce(new TypeError('broken'))
    const { store } = await open({ run: run as unknown as NonNullable<StoreOptions['run']> })
    expect(await store.answers.uses({})).toMatchObject({ error: { code: 'UNEXPECTED' } })
    store.codeChanged()
    expect(await store.answers.uses({})).toMatchObject({ kind: 'analysed' })
  })
})

describe('the list', () => {
  test('has the prompts of the lock with their lines, held ones too', async () => {
    const { store, project } = await open({
      lock: liveLock({ slug: 'a "\u200b"' }, { slug: 'b', held: { reason: '' } }),
    })
    const { prompts } = await store.answers.state({})
    const lines = printLock(
      liveLock({ slug: 'a "\u200b"' }, { slug: 'b', held: { reason: '' } }),
      sha256,
    ).split('\n')
    expect(prompts.map(({ lockLine }) => lines[(lockLine ?? 0) - 1]?.trim())).toEqual([
      String.raw`"slug": "a \"\u200b\"",`,
      '"slug": "b",',
    ])
    const joined = JSON.stringify(JSON.parse(lines.join('\n')))
    await writeFile(project.lockPath, joined.replace('\u200b', String.raw`\u200b`))
    expect((await store.answers.state({})).prompts[0]?.lockLine).toBe(null)
  })

  test('has the live part of each prompt with its staging part, and what is staged alone', async () => {
    const { store } = await open({
      lock: lockOf({
        live: [{ slug: 'a' }, { slug: 'b' }],
        staging: [{ slug: 'b', version: 'v30' }, { slug: 'c' }],
      }),
    })
    const { prompts, environment } = await store.answers.state({})
    expect(environment).toBe('live')
    expect(prompts).toMatchObject([
      { slug: 'a', environment: 'live', staging: null },
      { slug: 'b', environment: 'live', staging: { environment: 'test', version: 'v30' } },
      { slug: 'c', environment: 'test', staging: null },
    ])
  })

  test('is read and parsed once for all requests, until the file changes', async () => {
    const { project } = await open()
    const source = await project.open()
    const show = vi.fn<typeof source.show>(source.show)
    const store = createStore({ ...source, show })
    const count = async (): Promise<number> => (await store.answers.state({})).prompts.length
    const both = [store.answers.state({}), store.answers.uses({})]
    await Promise.all(both)
    expect(await count()).toBe(5)
    expect(show).toHaveBeenCalledTimes(1)
    await project.writeLock(liveLock({ slug: 'a' }))
    expect(await count()).toBe(1)
    expect(show).toHaveBeenCalledTimes(2)
  })

  test('is empty while the lock cannot be read, and the state says why', async () => {
    const { store, project } = await open()
    const code = async (): Promise<unknown> => (await store.answers.state({})).lockError?.code
    await writeFile(project.lockPath, '{')
    expect(await code()).toBe('LOCK_SYNTAX')
    await rm(project.lockPath)
    expect(await code()).toBe('LOCK_MISSING')
    expect((await store.answers.state({})).prompts).toEqual([])
  })
})
