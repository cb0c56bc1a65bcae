import { rm, writeFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { describePart, type Lock } from '../../../src/core/prompt.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../../src/local-service/workspace.ts'
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
  readonly answers: Store['answers']
  readonly codeChanged: Store['codeChanged']
  readonly clock: { now: number }
}

interface Given {
  readonly lock?: Lock
  readonly served?: Lock
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: () => Promise<unknown>
}

async function open({
  lock = LOCK,
  served = SERVED,
  files = FILES,
  env,
  run,
}: Given = {}): Promise<Opened> {
  const keys = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test, ...env }
  const project = await testProject(lock, {
    workspace: workspaceFromLock(served),
    env: keys,
    files,
  })
  const clock = { now: 0 }
  const replaced = run && { run: run as unknown as NonNullable<StoreOptions['run']> }
  const store = createStore(await project.open(), { now: () => clock.now, ...replaced })
  return { project, clock, ...store }
}

/** Asks for the lock as it is on the screen. */
async function changes({ answers }: Opened, read: string, query = {}): Promise<ChangesView> {
  const { hash: lock } = await answers.state({})
  return answers.changes({ with: 'service', read, lock, ...query })
}

/** Each row with the class of its change; `?` until its texts are read. */
function summaryOf(view: ChangesView): unknown {
  if (view.kind === 'error') return view.error.code
  if (view.kind === 'unasked') return view.kind
  return view.rows.map((row) => `${row.change === null ? '?' : row.class} ${describePart(row)}`)
}

async function summary(opened: Opened, read: string): Promise<unknown> {
  return summaryOf(await changes(opened, read))
}

function readsOf({ project }: Opened): string[] {
  const paths = project.service.requests.map(({ path }) => path)
  return paths.flatMap((path) => /^\/api\/v1\/prompts\/(.*)/.exec(path)?.[1] ?? [])
}

describe('the changes of the service', () => {
  test('are listed without a read, then read once each: those that code uses, one, and all', async () => {
    const opened = await open()
    const listed = ['? a', 'contract gone', '? new', '? unused']
    expect(await summary(opened, 'none')).toEqual(listed)
    expect(readsOf(opened)).toEqual([])
    const used = ['contract a', 'contract gone', '? new', '? unused']
    expect(await summary(opened, 'used')).toEqual(used)
    expect(readsOf(opened)).toEqual(['a'])
    expect(await opened.answers.impact({ with: 'service' })).toMatchObject({
      kind: 'checked',
      findings: [
        { file: 'src/main.ts', line: 2, slug: 'a' },
        { file: 'src/main.ts', line: 3, slug: 'gone' },
      ],
    })
    await changes(opened, 'part:live new')
    expect(readsOf(opened)).toEqual(['a', 'new'])
    opened.clock.now += 3_600_000
    const all = ['contract a', 'contract gone', 'added new', 'text unused']
    expect(await summary(opened, 'all')).toEqual(all)
    expect(await summary(opened, 'none')).toEqual(all)
    expect(readsOf(opened)).toEqual(['a', 'new', 'unused'])
  })

  test('are compared with the lock as it is, and read again when the list shows another version', async () => {
    const opened = await open()
    await changes(opened, 'all')
    await opened.project.writeLock(SERVED)
    const { length } = opened.project.service.requests
    expect(await summary(opened, 'none')).toEqual([])
    expect(opened.project.service.requests).toHaveLength(length)
    await opened.project.writeLock(LOCK)
    const next = SERVED.parts.map((prompt) => ({ ...prompt, version: 'v24' }))
    await opened.project.serve(workspaceFromLock({ ...SERVED, parts: next }))
    expect(await summary(opened, 'list')).toContain('? a')
    await opened.project.service.close()
    expect(await summary(opened, 'all')).toBe('SERVICE_UNREACHABLE')
  })

  test('are read for the prompts that other apps with the lock use, and break what is in these', async () => {
    const opened = await open({
      served: liveLock({ slug: 'unused', version: 'v23', system: 'Be {{ tone }}.' }),
      files: {
        'prompts.config.json': '{ "apps": "apps/*" }',
        'apps/site/package.json': '{}',
        'apps/site/tsconfig.json': APP_TSCONFIG,
        'apps/site/src/main.ts': `import { prompts } from 'virtual:prompts'\nprompts.unused.render()`,
      },
    })
    await changes(opened, 'used')
    expect(readsOf(opened)).toEqual(['unused'])
    expect(await opened.answers.impact({ with: 'service' })).toMatchObject({
      findings: [{ slug: 'unused', file: 'apps/site/src/main.ts' }],
    })
  })

  test('are read for every prompt if code passes all of them on', async () => {
    const main = `import { prompts } from 'virtual:prompts'\nexport const any = (name: 'a') => prompts[name as keyof typeof prompts]\n`
    const opened = await open({ files: { ...FILES, 'src/main.ts': main } })
    await changes(opened, 'used')
    expect(readsOf(opened).toSorted()).toEqual(['a', 'new', 'unused'])
  })

  test('are read one by one a limited number of times within a minute', async () => {
    const slugs = Array.from({ length: READS_PER_MINUTE + 1 }, (_, index) => `p${index}`)
    const lockWith = (version: string): Lock =>
      liveLock(...slugs.map((slug) => ({ slug, version })))
    const opened = await open({ lock: lockWith('v22'), served: lockWith('v23') })
    const last = `part:live ${slugs.pop()}`
    const { hash: lock } = await opened.answers.state({})
    for (const slug of slugs)
      await opened.answers.changes({ with: 'service', read: `part:live ${slug}`, lock })
    expect(await summary(opened, last)).toBe('PAGE_READS_LIMITED')
    opened.clock.now += 60_000
    expect(await summary(opened, last)).toContain(`settings p${READS_PER_MINUTE}`)
  })

  test('are not read of what is no change, and of what the options exclude', async () => {
    const opened = await open({
      lock: liveLock({}),
      served: liveLock({ folder: 'private', version: 'v23', system: 'Not for this app.' }),
      files: { 'prompts.config.mjs': `export default { exclude: 'private/**' }` },
    })
    await changes(opened, 'part:live nothing')
    const view = await changes(opened, 'all')
    expect(summaryOf(view)).toEqual(['contract support-triage'])
    expect(JSON.stringify(view)).not.toContain('Not for this app.')
    expect(readsOf(opened)).toEqual([])
  })

  test('are asked for on request only in a project that never pulls', async () => {
    const opened = await open({ env: { PROMPTS_PULL: 'never' } })
    expect(await summary(opened, 'none')).toBe('unasked')
    expect(opened.project.service.requests).toEqual([])
    expect(await summary(opened, 'list')).toContain('? a')
    expect(await summary(opened, 'none')).toContain('? a')
  })
})

describe('the versions of staging', () => {
  const lock = liveLock({ slug: 'a' }, { slug: 'same' })
  const served = lockOf({
    live: [{ slug: 'a', version: 'v23' }, { slug: 'same' }],
    staging: [
      { slug: 'a', version: 'v24', user: '{{ extra }}' },
      { slug: 'same', version: 'v30', user: '{{ extra }}' },
    ],
  })

  test('wait behind the live ones, are read by part, and again after a check on request', async () => {
    const opened = await open({ lock, served })
    expect(await summary(opened, 'none')).toEqual(['? a', '? a (staging)', '? same (staging)'])
    const one = ['? a', 'contract a (staging)', '? same (staging)']
    expect(await summary(opened, 'part:test a')).toEqual(one)
    expect(readsOf(opened)).toEqual(['a'])
    const all = ['settings a', 'contract a (staging)', 'contract same (staging)']
    expect(await summary(opened, 'all')).toEqual(all)
    expect(readsOf(opened).toSorted()).toEqual(['a', 'a', 'same'])
    // Authors rewrite them under one label.
    const again = ['settings a', '? a (staging)', '? same (staging)']
    expect(await summary(opened, 'list')).toEqual(again)
  })

  test('are named and not read where no key at hand reads them', async () => {
    const opened = await open({ lock, served, env: { PROMPTS_TEST_API_KEY: '' } })
    expect(await summary(opened, 'all')).toEqual(['settings a'])
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
    const published = liveLock({ slug: 'a', version: 'v23' })
    const summaryWith = async (held: { reason: string } | undefined): Promise<unknown> => {
      const both = lockOf({ live: [{ slug: 'a', held }], staging: [{ slug: 'a', version: 'v23' }] })
      const view = await changes(await open({ lock: both, served: published }), 'all')
      return [summaryOf(view), view.kind === 'compared' && view.service?.kept]
    }
    expect(await summaryWith(undefined)).toEqual([['settings a'], []])
    expect(await summaryWith({ reason: '' })).toMatchObject([
      [],
      [{ slug: 'a', version: 'v23', reason: 'published' }],
    ])
  })
})

test('the changes since a git revision need no request, and have the texts of the lock', async () => {
  const opened = await open()
  commitAll(opened.project.root)
  await changes(opened, 'part:live a')
  const { length } = opened.project.service.requests
  await opened.project.writeLock(liveLock({ slug: 'a', version: 'v23', system: 'Be brief.' }))
  const since = (base: string): Promise<ChangesView> =>
    changes(opened, 'none', { with: 'revision', base })
  const view = await since('HEAD')
  const gone = ['gone', 'held', 'same', 'unused'].map((slug) => `contract ${slug}`)
  expect(summaryOf(view)).toEqual(['text a', ...gone])
  expect(view).toMatchObject({ rows: { 0: { change: { after: { system: 'Be brief.' } } } } })
  expect(summaryOf(await since('--output=/tmp/x'))).toBe('REVISION_UNREADABLE')
  expect(opened.project.service.requests).toHaveLength(length)
})

test('without its list a change of the service is not taken, and a decision about the lock is written', async () => {
  const opened = await open()
  const { answers, clock, project } = opened
  await changes(opened, 'all')
  const { hash: lock } = await answers.state({})
  clock.now += 60_000
  await project.service.close()
  const { length } = project.service.requests
  const unreachable = { kind: 'error', error: { code: 'SERVICE_UNREACHABLE' } }
  const take = { act: 'take', part: 'live unused', lock }
  expect(await answers.write(take)).toMatchObject(unreachable)
  expect(await answers.fix(take)).toMatchObject(unreachable)
  const hold = { act: 'hold', part: 'live a', reason: 'Legal.', lock }
  expect(await answers.write(hold)).toEqual({ kind: 'written', left: [] })
  expect(project.service.requests).toHaveLength(length)
})

test('analyses run one at a time, are shared, and run again after an edit or half a minute', async () => {
  let running = 0
  const seen: number[] = []
  const { answers, codeChanged, clock } = await open({
    async run() {
      seen.push(++running)
      await Promise.resolve()
      running--
      return { prompts: [], escapes: [], findings: [] }
    },
  })
  const { uses, impact } = answers
  const service = { with: 'service' }
  await Promise.all([uses({}), uses({}), impact(service), impact(service)])
  expect(seen).toEqual([1, 1])
  codeChanged()
  await uses({})
  clock.now += 30_000
  await uses({})
  expect(seen).toEqual([1, 1, 1, 1])
})

test('an analysis that fails is an answer, and the next one runs', async () => {
  const run = vi
    .fn<() => Promise<unknown>>(async () => ({ prompts: [], escapes: [] }))
    .mockRejectedValueOnce(new TypeError('broken'))
  const { answers, codeChanged } = await open({ run })
  expect(await answers.uses({})).toMatchObject({ error: { code: 'UNEXPECTED' } })
  codeChanged()
  expect(await answers.uses({})).toMatchObject({ kind: 'analysed' })
})

describe('the list', () => {
  test('has each prompt once: the live part with its staging part, or what is staged alone', async () => {
    const lock = lockOf({
      live: [{ slug: 'a', held: { reason: '' } }, { slug: 'b' }],
      staging: [{ slug: 'b', version: 'v30' }, { slug: 'c' }],
    })
    const { prompts, environment } = await (await open({ lock })).answers.state({})
    expect(environment).toBe('live')
    expect(prompts).toMatchObject([
      { slug: 'a', environment: 'live', staging: null },
      { slug: 'b', environment: 'live', staging: { environment: 'test', version: 'v30' } },
      { slug: 'c', environment: 'test', staging: null },
    ])
  })

  test('has the line of each prompt in the lock, if another tool has not joined the lines', async () => {
    const lock = liveLock({ slug: 'a "\u200b"' }, { slug: 'b' })
    const { answers, project } = await open({ lock })
    const lines = printLock(lock, sha256).split('\n')
    const { prompts } = await answers.state({})
    expect(prompts.map(({ lockLine }) => lines[(lockLine ?? 0) - 1]?.trim())).toEqual([
      String.raw`"slug": "a \"\u200b\"",`,
      '"slug": "b",',
    ])
    const joined = JSON.stringify(JSON.parse(lines.join('\n')))
    await writeFile(project.lockPath, joined.replace('\u200b', String.raw`\u200b`))
    expect((await answers.state({})).prompts[0]?.lockLine).toBe(null)
  })

  test('is read once for all requests until the file changes, and empty while it cannot be read', async () => {
    const { project } = await open()
    const source = await project.open()
    const show = vi.fn<typeof source.show>(source.show)
    const { answers } = createStore({ ...source, show })
    const state = async (): Promise<unknown> => {
      const { prompts, lockError } = await answers.state({})
      return [prompts.length, lockError?.code]
    }
    await Promise.all([answers.state({}), answers.uses({})])
    expect(await state()).toEqual([5, undefined])
    expect(show).toHaveBeenCalledTimes(1)
    await project.writeLock(liveLock({ slug: 'a' }))
    expect(await state()).toEqual([1, undefined])
    expect(show).toHaveBeenCalledTimes(2)
    await writeFile(project.lockPath, '{')
    expect(await state()).toEqual([0, 'LOCK_SYNTAX'])
    await rm(project.lockPath)
    expect(await state()).toEqual([0, 'LOCK_MISSING'])
  })
})
