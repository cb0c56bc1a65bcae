import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { describePart, type Lock } from '../../../src/core/prompt.ts'
import { sha256 } from '../../../src/fs/files.ts'
import type { FileWatcher, watchFiles } from '../../../src/fs/watch.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../../src/local-service/workspace.ts'
import { runInThread } from '../../../src/features/background/in-thread.ts'
import { changesSince } from '../../../src/page/server/changes.ts'
import { Store } from '../../../src/page/server/store.ts'
import type { Source } from '../../../src/page/server/code.ts'
import { Windows } from '../../../src/page/server/windows.ts'
import type { PageRow, Shown } from '../../../src/page/shown.ts'
import { changesOf } from '../../../src/page/views/rows.ts'
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

const MAIN = `import { prompts } from 'virtual:prompts'\nprompts.a.render()\nprompts.gone.render()`
const FILES = { 'tsconfig.json': APP_TSCONFIG, 'src/main.ts': MAIN }

interface Opened {
  readonly project: TestProject
  readonly store: Store
  readonly clock: { now: number }
}

interface Given {
  readonly lock?: Lock
  readonly served?: Lock
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: () => Promise<unknown>
}

async function open(given: Given = {}): Promise<Opened> {
  const { lock = LOCK, served = SERVED, files = FILES, env, run } = given
  const keys = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test, ...env }
  const workspace = workspaceFromLock(served)
  const project = await testProject(lock, { workspace, env: keys, files })
  const clock = { now: 0 }
  const store = new Store({
    project: await project.open(),
    run: (run as unknown as Source['run']) ?? runInThread,
    now: () => clock.now,
    onChange: () => undefined,
  })
  return { project, clock, store }
}

type IsAsked = (row: PageRow) => boolean

/** Reads the texts of the rows that are asked for, as a form does, and returns what then waits. */
async function read({ store }: Opened, isAsked: IsAsked = () => true): Promise<Shown['changes']> {
  const { lock } = await store.lock()
  const rows = await store.service.rows(lock)
  await store.service.read(lock, new Set(rows.filter(isAsked).map(({ name }) => name)))
  return store.service.view(lock)
}

async function list({ store }: Opened, isRequested = false): Promise<Shown['changes']> {
  await store.service.ask(isRequested)
  return store.service.view((await store.lock()).lock)
}

/** Each row with the class of its change; `?` until its texts are read. */
function summaryOf(view: Shown['changes']): unknown {
  if (view?.kind !== 'known') return view?.error.code
  return view.rows.map((row) => `${row.change === null ? '?' : row.class} ${describePart(row)}`)
}

function readsOf({ project }: Opened): string[] {
  const paths = project.service.requests.map(({ path }) => path)
  return paths.flatMap((path) => /^\/api\/v1\/prompts\/(.*)/.exec(path)?.[1] ?? [])
}

/** The rows whose check the page offers. */
async function uncheckedOf({ store }: Opened): Promise<string[]> {
  await store.follow()
  const unchecked = changesOf(await store.look()).filter(({ isChecked }) => !isChecked)
  return unchecked.map(({ slug }) => slug)
}

describe('the changes of the service', () => {
  test('are listed without a read, then read once each: those that code uses, one, and all', async () => {
    const opened = await open()
    expect(summaryOf(await list(opened))).toEqual(['? a', 'contract gone', '? new', '? unused'])
    expect(await uncheckedOf(opened)).toEqual(['a'])
    expect(readsOf(opened)).toEqual([])
    await read(opened, ({ slug }) => slug === 'a')
    expect(readsOf(opened)).toEqual(['a'])
    await opened.store.follow()
    const { impact } = await opened.store.look()
    expect(impact).toMatchObject({
      findings: [
        { file: 'src/main.ts', line: 2, slug: 'a' },
        { file: 'src/main.ts', line: 3, slug: 'gone' },
      ],
    })
    await read(opened, ({ slug }) => slug === 'new')
    opened.clock.now += 3_600_000
    const all = ['contract a', 'contract gone', 'added new', 'text unused']
    expect(summaryOf(await read(opened))).toEqual(all)
    expect(summaryOf(await list(opened))).toEqual(all)
    expect(readsOf(opened)).toEqual(['a', 'new', 'unused'])
  })

  test('are compared with the lock as it is, and read again when the list shows another version', async () => {
    const opened = await open()
    await read(opened)
    await opened.project.writeLock(SERVED)
    const { length } = opened.project.service.requests
    expect(summaryOf(await list(opened))).toEqual([])
    expect(opened.project.service.requests).toHaveLength(length)
    await opened.project.writeLock(LOCK)
    const next = SERVED.parts.map((prompt) => ({ ...prompt, version: 'v24' }))
    await opened.project.serve(workspaceFromLock({ ...SERVED, parts: next }))
    expect(summaryOf(await list(opened, true))).toContain('? a')
    await opened.project.service.close()
    await expect(read(opened)).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  })

  test('are checked for the prompts that other apps with the lock use, and for all if code passes them on', async () => {
    const main = `import { prompts } from 'virtual:prompts'\nprompts.unused.render()`
    const apps = { 'prompts.config.json': '{ "apps": "apps/*" }', 'apps/site/package.json': '{}' }
    const site = { 'apps/site/tsconfig.json': APP_TSCONFIG, 'apps/site/src/main.ts': main }
    expect(await uncheckedOf(await open({ files: { ...apps, ...site } }))).toEqual(['unused'])
    const any = `import { prompts } from 'virtual:prompts'\nexport const any = (name: 'a') => prompts[name as keyof typeof prompts]\n`
    const opened = await open({ files: { ...FILES, 'src/main.ts': any } })
    expect(await uncheckedOf(opened)).toEqual(['a', 'unused'])
  })

  test('are none where a prompt that was read does not fit, until the list shows another version', async () => {
    const code = `export default {
      service: {
        name: 'Own',
        secrets: [],
        list: async () => [{ slug: 'odd', liveVersion: globalThis.version ?? 'v1' }],
        get: async () => ({ refused: 'has tools' }),
      },
    }`
    const lock = liveLock()
    const opened = await open({ lock, files: { ...FILES, 'prompts.config.mjs': code } })
    expect(summaryOf(await list(opened))).toEqual(['? odd'])
    const view = await read(opened)
    expect(summaryOf(view)).toEqual([])
    const kept = [{ slug: 'odd', listed: 'v1', reason: 'refused', refused: 'has tools' }]
    expect(view).toMatchObject({ kept })
    vi.stubGlobal('version', 'v2')
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(summaryOf(await list(opened, true))).toEqual(['? odd'])
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
    expect(summaryOf(await list(opened))).toEqual(['? a', '? a (staging)', '? same (staging)'])
    const one = await read(opened, (row) => row.slug === 'a' && row.environment === 'test')
    expect(summaryOf(one)).toEqual(['? a', 'contract a (staging)', '? same (staging)'])
    const all = ['settings a', 'contract a (staging)', 'contract same (staging)']
    expect(summaryOf(await read(opened))).toEqual(all)
    expect(readsOf(opened).toSorted()).toEqual(['a', 'a', 'same'])
    // Authors rewrite them under one label.
    const again = ['settings a', '? a (staging)', '? same (staging)']
    expect(summaryOf(await list(opened, true))).toEqual(again)
  })
})

test('the changes since a git revision need no request, and have the texts of the lock', async () => {
  const { project, store } = await open()
  commitAll(project.root)
  const lock = liveLock({ slug: 'a', version: 'v23', system: 'Be brief.' })
  const [first] = await changesSince('HEAD', lock, store.source.project)
  expect(first).toMatchObject({ slug: 'a', change: { after: { system: 'Be brief.' } } })
  const evil = changesSince('--output=/tmp/x', lock, store.source.project)
  await expect(evil).rejects.toMatchObject({ code: 'REVISION_UNREADABLE' })
  expect(project.service.requests).toEqual([])
})

test('analyses run one at a time, are shared, and run again after an edit; one that fails is shown', async () => {
  let running = 0
  const seen: number[] = []
  const run = vi.fn<() => Promise<unknown>>(async () => {
    seen.push(++running)
    await Promise.resolve()
    running--
    return { prompts: [], escapes: [], findings: [] }
  })
  const { store } = await open({ run })
  await Promise.all([store.follow(), store.follow()])
  await store.follow()
  // The uses, the lock as it is, and the prompt that is gone.
  expect(seen).toEqual([1, 1, 1])
  run.mockRejectedValueOnce(new TypeError('broken'))
  store.code.changed()
  await store.follow()
  expect(seen).toEqual([1, 1, 1, 1, 1])
  expect((await store.look()).uses).toMatchObject({ error: { code: 'UNEXPECTED' } })
  store.code.changed()
  await store.follow()
  expect((await store.look()).uses).toMatchObject({ kind: 'known' })
})

test('the document behind an act says that the code is analysed, until it is', async () => {
  const run = async () => ({ prompts: [], escapes: [], findings: [] })
  const { store, project } = await open({ run })
  const opened = await project.open()
  let go = (): void => undefined
  const isFree = new Promise<void>((done) => (go = done))
  const show = vi.fn<typeof opened.show>(opened.show)
  // The lock is still read for the analysis when the document is drawn.
  show.mockImplementationOnce(() => isFree.then(opened.show))
  const slow = new Store({ ...store.source, project: { ...opened, show } })
  await slow.askAgain()
  expect(await slow.look()).toMatchObject({ isAnalysing: true })
  go()
  await slow.follow()
  expect(await slow.look()).toMatchObject({ isAnalysing: false })
})

test('one watcher serves all windows, and the service is asked, while there is one', async () => {
  const close = vi.fn<FileWatcher['close']>(async () => undefined)
  const watch = vi.fn<typeof watchFiles>(() => ({ close }))
  const { store, project } = await open({
    run: async () => ({ prompts: [], escapes: [], findings: [] }),
  })
  const windows = new Windows(store, watch)
  windows.changed()
  await store.follow()
  const asked = project.service.requests.length
  const responses = Array.from({ length: 3 }, () =>
    Object.assign(new EventEmitter(), {
      writeHead: vi.fn<() => void>(),
      write: vi.fn<(text: string) => void>(),
    }),
  )
  for (const response of responses) windows.add(response as unknown as ServerResponse)
  windows.notify()
  for (const { write } of responses) expect(write).toHaveBeenLastCalledWith('data:\n\n')
  await vi.waitFor(() => expect(watch).toHaveBeenCalledTimes(1))
  for (const response of responses) response.emit('close')
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(project.service.requests).toHaveLength(asked)
})

test('the lock has each prompt once, with its line: the live part with its staging part, or what is staged alone', async () => {
  const lock = lockOf({
    live: [{ slug: 'a "\u200b"' }, { slug: 'b' }],
    staging: [{ slug: 'b', version: 'v30' }, { slug: 'c' }],
  })
  const { store } = await open({ lock })
  const { prompts, environment } = await store.look()
  expect(environment).toBe('live')
  expect(prompts).toMatchObject([
    { environment: 'live', staging: null },
    { slug: 'b', environment: 'live', staging: { environment: 'test', version: 'v30' } },
    { slug: 'c', environment: 'test', staging: null },
  ])
  const lines = printLock(lock, sha256).split('\n')
  expect(lines[(prompts[1]?.lockLine ?? 0) - 1]?.trim()).toBe('"slug": "b",')
})
