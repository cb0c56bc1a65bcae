import { EventEmitter } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { type Source, Store } from '../../../src/page/server/store.ts'
import { commitAll } from '../../helpers/git-repository.ts'
import {
  ask,
  buttonsIn,
  openEvents,
  press,
  settled,
  submit,
  textsIn,
} from '../../helpers/page/ask.ts'
import {
  appFiles,
  projectAt,
  servedPage,
  testProject,
  type TestProject,
} from '../../helpers/page/project.ts'
import { liveLock, lockOf, parsedLock } from '../../helpers/pinned.ts'
import { SOON } from '../../helpers/soon.ts'

const LOCK = liveLock(
  { slug: 'team-10', folder: 'z' },
  { slug: 'team-2', folder: 'z' },
  { slug: 'gone' },
  { slug: 'held', held: { reason: 'Legal.' } },
  { slug: 'same' },
)

const SERVED = liveLock(
  { slug: 'team-10', folder: 'z', version: 'v23', system: 'Be {{ tone }}.' },
  { slug: 'team-2', folder: 'z', version: 'v23', system: 'Be brief.' },
  { slug: 'held', version: 'v23', system: 'Not now.' },
  { slug: 'new' },
  { slug: 'same' },
)

interface Opened {
  readonly project: TestProject
  readonly url: string
  readonly clock: { now: number }
}

async function open(given: Parameters<typeof testProject>[1] = {}, lock = LOCK): Promise<Opened> {
  const project = await testProject(lock, { served: SERVED, files: FILES, ...given })
  const clock = { now: 0 }
  const { url } = await servedPage(project, { now: () => clock.now })
  return { project, clock, url: `${url}changes` }
}

const FILES = appFiles(`prompts['team-10'].render()`, 'prompts.gone.render()')

const BARS = 'summary class="cluster bar"'

/** The verdict, each change, and what is offered. */
function shown(html: string): string[] {
  const offers = buttonsIn(html).filter((label) =>
    /^(?:Add|Update|Remove|Fetch (?:the \d|all))/.test(label),
  )
  return [...textsIn(html, 'h1'), ...textsIn(html, BARS), ...offers]
}

function readsOf({ service }: TestProject): string[] {
  return service.requests.flatMap(({ path }) => /^\/api\/v1\/prompts\/(.*)/.exec(path)?.[1] ?? [])
}

const CHECK = 'Fetch the 1 that your code uses'

test('changes stand in three groups by folder and slug, and are fetched once for each check: those that code uses, one, and all', async () => {
  const { project, url, clock } = await open()
  const listed = [
    'At least 1 line stops compiling if you pull now',
    'gone v22 → gone removed breaks src/main.ts:3',
    'new v22 added: text not fetched not used',
    'team-2 v22 → v23 text not fetched not used',
    'team-10 v22 → v23 text not fetched not checked yet',
    CHECK,
    'Fetch all 3',
  ]
  expect(shown(await press(url, 'Check now'))).toEqual(listed)
  expect(readsOf(project)).toEqual([])
  expect(shown(await press(url, CHECK))).toContain('Fetch all 2')
  expect(readsOf(project)).toEqual(['team-10'])
  await press(url, 'Fetch the text')
  expect(readsOf(project)).toEqual(['team-10', 'new'])
  clock.now += 3_600_000
  expect(shown(await press(url, 'Fetch all 1'))).toEqual([
    '2 lines stop compiling if you pull now',
    'gone v22 → gone removed breaks src/main.ts:3',
    'team-10 v22 → v23 +tone, system text changed breaks src/main.ts:2',
    'new v22 added: no variables not used',
    'team-2 v22 → v23 text: system text changed not used',
    'Update 1, add 1',
    'Add new',
    'Update team-2',
  ])
  expect(readsOf(project)).toEqual(['team-10', 'new', 'team-2'])
  // Authors rewrite texts under one label.
  const parts = SERVED.parts.map((part) => ({ ...part, system: 'Second.' }))
  project.serve({ parts })
  expect(shown(await press(url, 'Check now'))).toEqual(listed)
  await press(url, 'Fetch all 3')
  await press(url, 'Update team-2')
  const pinned = parsedLock(await project.readLock()).parts.find(({ slug }) => slug === 'team-2')
  expect(pinned?.system).toBe('Second.')
})

test('what is safe is taken of the changes that are listed, all or those that code uses', async () => {
  const { url } = await open({ files: appFiles(`prompts['team-2'].render()`) })
  await press(url, 'Check now')
  await press(url, 'Fetch all 3')
  const used = `${url}?show=used`
  expect(textsIn(await settled(used), BARS)).toEqual([
    'team-2 v22 → v23 text: system text changed no line stops compiling',
  ])
  const html = await press(used, 'Update 1')
  expect(textsIn(html, 'div class="outcome')).toEqual(['Updated team-2 v23 Undo'])
})

test('a change is said to break the lines that stop compiling, and no file that was not checked', async () => {
  const script = "declare const require: (id: string) => any\nrequire('virtual:prompts')"
  const files = { ...appFiles("prompts['team-10'].render()"), 'src/a.ts': script }
  const { url } = await open({ files })
  await press(url, 'Check now')
  expect(textsIn(await press(url, 'Fetch the 3 that your code uses'), BARS).join()).toMatch(
    / breaks src\/main\.ts:2(?:,|$)/,
  )
})

test.each([
  ['break no line', `prompts['team-2'].render()`, '4 changes wait, and no line stops compiling', 4],
  [
    'may break a line that was not checked',
    `export const p = [prompts['team-10']]\ndeclare const require: (id: string) => any\nrequire('virtual:prompts')`,
    '4 changes wait: no checked line stops compiling; 1 file was not checked',
    2,
  ],
  ['are not checked', undefined, '4 changes wait', 0],
])('changes that %s are said to, and offered if that is known', async (_, code, verdict, count) => {
  const files = code ? appFiles(code) : { 'tsconfig.json': '{ "extends": "./none" }' }
  const { url } = await open({ files })
  const fetch = buttonsIn(await press(url, 'Check now')).find((label) => label.includes(' 3'))
  const html = await press(url, fetch ?? '')
  expect(textsIn(html, 'h1')).toEqual([verdict])
  expect(
    buttonsIn(html).filter((label) => /^(?:Add|Update|Remove) [a-z]/.test(label)),
  ).toHaveLength(count)
})

test('an added prompt is checked as any change is: before it is fetched for its name, unless code uses it already', async () => {
  const files = appFiles('prompts.aB.render()', 'prompts.used.render()')
  const served = liveLock({ slug: 'a-b' }, { slug: 'a_b' }, { slug: 'used' })
  const { project, url } = await open({ served, files }, liveLock({ slug: 'a-b' }))
  expect(shown(await press(url, 'Check now'))).toEqual([
    'At least 1 line stops compiling if you pull now',
    'a_b v22 text not fetched breaks src/main.ts:2',
    'used v22 added: text not fetched not checked yet',
    CHECK,
  ])
  expect(shown(await press(url, CHECK))).toEqual([
    '1 line stops compiling if you pull now',
    'a_b v22 text not fetched breaks src/main.ts:2',
    'used v22 added: no variables no line stops compiling',
    'Add 1',
    'Add used',
  ])
  expect(readsOf(project)).toEqual(['used'])
})

test('no added prompt is offered where a line needs the names that there are', async () => {
  const files = appFiles('export const one: Record<keyof typeof prompts, 1> = { one: 1 }')
  const served = liveLock({ slug: 'one' }, { slug: 'two' })
  const { url } = await open({ served, files }, liveLock({ slug: 'one' }))
  const html = await press(url, 'Check now')
  expect(shown(html)[0]).toBe('1 line stops compiling if you pull now')
  expect(buttonsIn(await press(url, 'Fetch the text')).join()).not.toContain('Add')
})

test('a line that stops compiling is shown, and nothing offered that may break it, even if no change is known to', async () => {
  const files = {
    ...appFiles('export const { model } = prompts.one'),
    'src/name.ts': "import { model } from './main'\nexport const name: 'gpt-5' = model",
  }
  const slugs = [{ slug: 'one' }, { slug: 'two' }]
  const served = liveLock(...slugs.map((prompt) => ({ ...prompt, version: 'v23', model: 'gpt-6' })))
  const { url } = await projectAt('changes', liveLock(...slugs), { served, files })
  await press(url, 'Check now')
  const html = await press(url, 'Fetch all 2')
  expect(textsIn(html, 'h1')).toEqual(['At least 1 line stops compiling if you pull now'])
  expect(html).toContain('src/name.ts:2')
  expect(buttonsIn(html)).not.toContain('Update one')
})

test('a change is compared with the lock as it is, and read again when the list has another version', async () => {
  const { project, url } = await open()
  await press(url, 'Check now')
  await press(url, 'Fetch all 3')
  await project.writeLock(SERVED)
  const { length } = project.service.requests
  expect(shown(await settled(url))).toEqual(['The list shows no change, 00:00'])
  expect(project.service.requests).toHaveLength(length)
  await project.writeLock(LOCK)
  project.serve({ ...SERVED, parts: SERVED.parts.map((part) => ({ ...part, version: 'v24' })) })
  expect(shown(await press(url, 'Check now'))).toContain(
    'team-10 v22 → v24 text not fetched not checked yet',
  )
  await project.service.close()
  expect(await press(url, CHECK)).toContain('SERVICE_UNREACHABLE')
})

test('changes of prompts that other apps with the lock use are checked, and all if code passes them on', async () => {
  const site = Object.entries(appFiles(`prompts['team-2'].render()`))
  const files = {
    'prompts.config.json': '{ "apps": "apps/*" }',
    'apps/site/package.json': '{}',
    ...Object.fromEntries(site.map(([path, text]) => [`apps/site/${path}`, text])),
  }
  const apps = await open({ files })
  expect(shown(await press(apps.url, 'Check now'))).toContain(CHECK)
  const any = `export const any = (name: 'same') => prompts[name as keyof typeof prompts]`
  const { url } = await open({ files: appFiles(any) })
  expect(shown(await press(url, 'Check now'))).toContain('Fetch the 3 that your code uses')
})

test('a text that does not fit is not taken until a person asks again, and a note is that of its version', async () => {
  const code = `export default {
    service: {
      name: 'Own',
      secrets: [],
      list: async () => [
        { slug: 'odd', liveVersion: globalThis.version ?? 'v1' },
        { slug: 'same', liveVersion: 'v22', folder: 'support', model: 'gpt-5' },
      ],
      get: async (slug, { version }) =>
        globalThis.version ? { systemSource: 'Fits.', userSource: '', note: 'of ' + version } : { refused: 'has tools' },
    },
  }`
  const files = { 'prompts.config.mjs': code, ...appFiles() }
  const { url } = await open({ files }, liveLock({ slug: 'same' }))
  const odd = 'odd v1 added: text not fetched not used'
  expect(textsIn(await press(url, 'Check now'), BARS)).toEqual([odd])
  const html = await press(url, 'Fetch the text')
  expect(textsIn(html, BARS)).toEqual([])
  expect(textsIn(html, 'section class="strip stack" aria-label="Not taken"').join()).toMatch(
    /1 version in the service can't be taken odd .*has tools/,
  )
  expect(textsIn(await press(url, 'Check now'), BARS)).toEqual([odd])
  onTestFinished(() => void vi.unstubAllGlobals())
  for (const version of ['v2', 'v3']) {
    vi.stubGlobal('version', version)
    const [listed] = textsIn(await press(url, 'Check now'), BARS)
    expect(listed).toBe(odd.replace('v1', version))
    const [read] = textsIn(await press(url, 'Fetch the text'), BARS)
    expect(read).toBe(`odd ${version} added: no variables; “of ${version}” not used`)
  }
})

test('code is held to the lock in the view that the app uses', async () => {
  const files = appFiles("prompts.supportTriage.render({ x: '' })")
  const lock = lockOf({
    live: [{ user: '{{ x }}' }],
    staging: [{ version: 'v23', user: '{{ x }} {{ y }}' }],
  })
  for (const [view, lines] of [
    ['live', 0],
    ['test', 1],
  ] as const) {
    const { url } = await open({ files, served: lock, env: { PROMPTS_ENVIRONMENT: view } }, lock)
    const html = await press(url, 'Check now')
    expect(textsIn(html, 'section class="strip stack bad-strip"')).toHaveLength(lines)
  }
})

test('versions of staging wait behind the live ones', async () => {
  const lock = liveLock({ slug: 'a' }, { slug: 'same' })
  const served = lockOf({
    live: [{ slug: 'a', version: 'v23' }, { slug: 'same' }],
    staging: [
      { slug: 'a', version: 'v24', user: '{{ extra }}' },
      // The list does not tell its model.
      { slug: 'same', version: 'v30', user: '{{ extra }}', model: 'other' },
    ],
  })
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const { project, url } = await open({ served, env, files: {} }, lock)
  const staged = [
    'a (staging) v22 → v24 text not fetched not used',
    'same (staging) v22 → v30 text not fetched not used',
  ]
  await press(url, 'Check now')
  const live = 'a v22 → v23 settings: same text not used'
  expect(textsIn(await press(url, 'Fetch the text'), BARS)).toEqual([live, ...staged])
  expect(textsIn(await press(url, 'Fetch all 2'), BARS).join()).not.toContain('not read')
  expect(readsOf(project).toSorted()).toEqual(['a', 'a', 'same'])
  // The label beside the live version, and in the tab of the prompt, says of which part it is.
  const prompt = await settled(new URL('/prompts/same', url).href)
  expect(prompt).toContain('>staging → v30<')
  expect(textsIn(prompt, 'a href="/prompts/same/update"')).toEqual(['Update staging v30'])
})

test('a history asks the service for nothing, and git for revisions only', async () => {
  const { project, url } = await open()
  const address = new URL('/prompts/gone/history?at=--output=/tmp/x', url).href
  expect((await ask(address)).body).toContain('REVISION_UNREADABLE')
  expect(project.service.requests).toEqual([])
})

test('a history has no link to a commit whose lock is not valid, which shows nothing', async () => {
  const { project, url } = await open()
  commitAll(project.root, 'feat: begin')
  await writeFile(project.lockPath, (await project.readLock()).replace('v22', 'v99'))
  commitAll(project.root, 'feat: edit by hand')
  await project.writeLock(LOCK)
  const history = (await ask(new URL('/prompts/gone/history', url).href)).body
  const labels = ['not a valid lock feat: edit by hand', 'v22 feat: begin']
  const bars = textsIn(history, 'a class="cluster bar"')
  expect(bars).toEqual(labels.map((label) => expect.stringContaining(label)))
  expect(textsIn(history, 'a class="cluster bar" href')).toEqual(bars.slice(1))
})

const NOTHING = { prompts: [], escapes: [], findings: [] }

test('analyses run one at a time, for all windows, again after an edit, and what fails is shown', async () => {
  let running = 0
  const seen: number[] = []
  const run = vi.fn<() => Promise<unknown>>(async () => {
    seen.push(++running)
    await Promise.resolve()
    running--
    return NOTHING
  })
  const project = await testProject(LOCK, { served: SERVED })
  const page = await servedPage(project, { run: run as unknown as Source['run'] })
  const address = `${page.url}prompts/gone`
  await Promise.all([openEvents(page.url), openEvents(page.url)])
  // The uses, the lock as it is, and the prompt that is gone.
  await vi.waitFor(() => expect(seen).toEqual([1, 1, 1]), SOON)
  run.mockRejectedValueOnce(new TypeError('broken'))
  page.codeChanged()
  await vi.waitFor(async () => expect((await ask(address)).body).toContain('UNEXPECTED'), SOON)
  page.codeChanged()
  await vi.waitFor(
    async () => expect((await ask(address)).body).toContain('No code uses it.'),
    SOON,
  )
  expect(Math.max(...seen)).toBe(1)
})

test('the document behind an act says that the code is analysed, until it is, and offers nothing', async () => {
  const project = await testProject(LOCK, { served: SERVED })
  const opened = await project.open()
  const show = vi.fn<typeof opened.show>(opened.show)
  const run = (async () => NOTHING) as unknown as Source['run']
  const page = await servedPage(project, { run, project: { ...opened, show } })
  const url = `${page.url}changes`
  const offers = expect.arrayContaining(['Remove 1', 'Fetch all 3'])
  expect(shown(await press(url, 'Check now'))).toEqual(offers)
  let go = (): void => undefined
  const isFree = new Promise<void>((done) => (go = done))
  // The lock is still read for the analysis when the document is drawn.
  show.mockImplementationOnce(() => isFree.then(opened.show))
  await submit(url, { act: 'list' })
  const { body } = await ask(url)
  expect(body).toContain('http-equiv="refresh"')
  expect(buttonsIn(body).join()).not.toMatch(/Remove|Fetch all/)
  // Nothing is typed there.
  expect((await ask(`${page.url}prompts/gone/edit`)).body).not.toContain('http-equiv="refresh"')
  go()
  expect(shown(await settled(url))).toEqual(offers)
})

test('a change of the lock is an event of each window, and what they show is looked for, while there is one', () => {
  const store = new Store({ now: () => 0 } as unknown as Source)
  const follow = vi.spyOn(store, 'follow').mockResolvedValue()
  const responses = [1, 2, 3].map(() =>
    Object.assign(new EventEmitter(), { writeHead: () => undefined, write: vi.fn<() => void>() }),
  )
  store.codeChanged()
  expect(follow).not.toHaveBeenCalled()
  for (const response of responses) store.listen(response as unknown as ServerResponse)
  expect(follow).toHaveBeenCalledTimes(3)
  store.lockChanged()
  for (const { write } of responses) expect(write).toHaveBeenLastCalledWith('data:\n\n')
  expect(follow).toHaveBeenCalledTimes(4)
  for (const response of responses) response.emit('close')
  store.lockChanged()
  store.codeChanged()
  expect(follow).toHaveBeenCalledTimes(4)
})
