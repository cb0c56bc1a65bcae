import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Options } from '../../../src/config/options.ts'
import { changeRows, skippedRow } from '../../../src/core/change-row.ts'
import { listDifferences } from '../../../src/core/drift.ts'
import { lockBefore, wholeLock } from '../../../src/core/lock/former-lock.ts'
import { describePart, type Lock, type PinnedPrompt } from '../../../src/core/prompt.ts'
import type { Project } from '../../../src/features/project/project.ts'
import { holdParts } from '../../../src/plan/hold.ts'
import { changesOf, collisionsOf, leave } from '../../../src/plan/plan.ts'
import type { PullRequest } from '../../../src/plan/pull.ts'
import type { PromptsError } from '../../../src/errors/prompts-error.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import type { Workspace } from '../../../src/local-service/workspace.ts'
import { type GivenPrompt, workspaceOf } from '../../helpers/local-service.ts'
import { liveLock, lockOf, pinned, lockText } from '../../helpers/pinned.ts'
import { openTestProject } from '../../helpers/project.ts'
import { pull, type Pulled } from '../../helpers/pull.ts'
import { startScriptedService } from '../../helpers/scripted-service.ts'
import { outcome, rejection } from '../../helpers/service-client.ts'
import { serve } from '../../helpers/http.ts'
import { WORKSPACE } from '../../helpers/workspace-yaml.ts'

// Prompts are written in short in a service and in a lock: `a` and `b` in the versions `v2` and `v22`, with a
// staging version `v3` of `a`, are `a@v2+v3 b`.

interface Given {
  readonly serves: string | Workspace
  /** The lock that is there. Default: none. */
  readonly before?: string | Lock
  /** The text of the lock, if it is not valid. */
  readonly text?: string
  /** Default: `live`. */
  readonly keys?: 'live' | 'test' | 'both'
  readonly options?: Options
  readonly request?: PullRequest
}

/** A lock and a service to pull from, over real HTTP. */
interface Setup {
  readonly project: Project
  /** What the service was asked for: `list`, or a slug. */
  readonly asked: readonly string[]
  pull(): Promise<Pulled>
  /** The text of the lock; `undefined` if there is none. */
  text(): Promise<string | undefined>
}

async function setUp({ serves, before, keys = 'live', ...given }: Given): Promise<Setup> {
  const workspace = typeof serves === 'string' ? served(serves) : serves
  const { url, asked } = await startScriptedService(workspace)
  const text = given.text ?? (before === undefined ? undefined : printed(before))
  const { project } = await openTestProject({
    files: text === undefined ? {} : { 'prompts.lock.json': text },
    processEnv: {
      ...(keys !== 'test' && { PROMPTS_API_KEY: LOCAL_KEYS.live }),
      ...(keys !== 'live' && { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }),
    },
    options: { baseUrl: url, dts: false, concurrency: 1, ...given.options },
  })
  return {
    project,
    asked,
    pull: () => pull(project, given.request),
    text: () => readFile(project.lock.path, 'utf8').catch(() => undefined),
  }
}

/** What a pull reports, and in short what it pins, changes and asks for. */
async function pullFrom(given: Given) {
  const { project, asked, ...setup } = await setUp(given)
  const report = await setup.pull()
  expect(await project.lock.read()).toEqual(report.lock)
  expect(report.reads).toBe(asked.filter((name) => name !== 'list').length)
  return {
    ...report,
    pins: inShort(report.lock),
    changed: kinds(report.changes),
    asked: asked.join(' '),
  }
}

/** The error of a pull that leaves the lock as it was, and what it asked for. */
async function refusalOf(given: Given): Promise<{ error: PromptsError; asked: string }> {
  const setup = await setUp(given)
  const before = await setup.text()
  const error = await rejection(setup.pull())
  expect(await setup.text()).toBe(before)
  return { error, asked: setup.asked.join(' ') }
}

function read(names: string) {
  return names.split(' ').map((name) => {
    const [slug = '', version = 'v22', staging] = name.split(/[@+]/)
    return { slug, version, ...(staging !== undefined && { staging: { version: staging } }) }
  })
}

function served(names: string): Workspace {
  return workspaceOf(...(names === '' ? [] : read(names)))
}

function locked(names: string): Lock {
  const prompts = read(names)
  return lockOf({
    live: prompts.map(({ slug, version }) => ({ slug, version })),
    staging: prompts.flatMap(({ slug, staging }) => (staging ? { slug, ...staging } : [])),
  })
}

function printed(lock: Lock | string): string {
  return lockText(typeof lock === 'string' ? locked(lock) : lock)
}

function inShort({ parts }: Pick<Lock, 'parts'>): string {
  const slugs = [...new Set(parts.map(({ slug }) => slug))]
  const names = slugs.map((slug) => {
    const versions = parts.filter((part) => part.slug === slug)
    return versions.reduce(
      (name, { environment, version }) => `${name}${environment === 'live' ? '@' : '+'}${version}`,
      slug,
    )
  })
  return names.join(' ')
}

/** `kind slug` of each change. */
function kinds(changes: Pulled['changes']): string {
  return changes.map((change) => `${change.kind} ${describePart(change)}`).join(', ')
}

describe('a pull', () => {
  test('pins what the local service serves to the live key', async () => {
    const { url } = await serve(WORKSPACE)
    const options = { baseUrl: url, apiKey: LOCAL_KEYS.live }
    const { project } = await openTestProject({ options })
    const report = await pull(project)
    expect(report).toMatchObject({ outcome: 'written', planStatus: 'trialing', reads: 2, lists: 2 })
    expect(await project.lock.read()).toEqual(report.lock)
    expect(report.lock.parts).toMatchObject([
      { slug: 'sql-explainer', temperature: 0, version: 'v3', user: '' },
      pinned({ model: 'gpt-5.1', system: 'You triage.', user: '{{ ticket }}' }),
    ])
  })

  test('writes nothing before its plan is committed', async () => {
    const { project, text } = await setUp({ serves: 'a' })
    const { plan } = await project.prepare()
    expect(await text()).toBeUndefined()
    expect(await project.commit(plan)).toEqual([project.lock.path])
    expect(await project.lock.read()).toEqual(plan.after)
  })

  test('keeps the entries of the changes that its plan leaves', async () => {
    const { project } = await setUp({
      serves: workspaceOf({ slug: 'a', version: 'v2', system: '{{' }, ...read('b@v2')),
      before: 'a@v1 b@v1',
    })
    const { plan } = await project.prepare()
    const [first] = changesOf(plan)
    const rest = leave(plan, first ? [skippedRow(first, 'not chosen')] : [])
    expect(kinds(changesOf(rest))).toBe('updated b')
    expect(rest.left.map((row) => row.change.slug)).toEqual(['a'])
    await project.commit(rest)
    expect(inShort((await project.lock.read()) ?? liveLock())).toBe('a@v1 b@v2')
  })

  test('writes nothing once it is aborted', async () => {
    const reason = new Error('enough')
    const request = { signal: AbortSignal.abort(reason) }
    const setup = await setUp({ serves: 'a', request })
    await expect(setup.pull()).rejects.toBe(reason)
    expect(await setup.text()).toBeUndefined()
  })

  test('reports notes of new prompts, ten of each at most, and colliding names', async () => {
    const noted = { slug: 'a_b', user: '{{'.repeat(500) }
    const serves = workspaceOf({ slug: 'a-b', system: '{{}}' }, noted)
    expect(await pullFrom({ serves })).toMatchObject({
      notes: [
        { slug: 'a-b', count: 1, first: [{ field: 'system', kind: 'empty' }] },
        { slug: 'a_b', count: 500, first: { length: 10 } },
      ],
      collisions: [{ identifier: 'aB', slugs: ['a-b', 'a_b'] }],
    })
  })

  test('reports a colliding name in the view that has both prompts', async () => {
    const lock = lockOf({ live: [{ slug: 'a-b' }], staging: [{ slug: 'a.b', version: 'v2' }] })
    expect(collisionsOf({ after: lock }, 'live')).toEqual([])
    expect(collisionsOf({ after: lock }, 'test')).toEqual([
      { identifier: 'aB', slugs: ['a-b', 'a.b'] },
    ])
  })

  test('accepts a prompt of 20,000 tokens in both texts, and refuses one of more', async () => {
    const tokens = (count: number, user = ''): Workspace =>
      workspaceOf({ slug: 'a', system: '{{ a }}'.repeat(count), user })
    expect(await pullFrom({ serves: tokens(20_000) })).toMatchObject({ outcome: 'written' })
    for (const serves of [tokens(20_001), tokens(20_000, '{{ a }}')]) {
      const { error } = await refusalOf({ serves })
      const details = { problems: ['a: 20,001'], limit: 20_000 }
      expect(error).toMatchObject({ code: 'TOO_MANY_TOKENS', details })
    }
  })

  test('reads every prompt, because temperatures change under the same version', async () => {
    const serves = workspaceOf({ slug: 'a', temperature: 1 })
    const { changes } = await pullFrom({ serves, before: 'a' })
    expect(changes).toMatchObject([{ kind: 'updated', after: { temperature: 1 } }])
  })

  test('never reads what the options exclude', async () => {
    const serves = workspaceOf(...read('a b c').map((one) => ({ ...one, folder: one.slug })))
    const options = { include: ['a/*', 'c/*'] }
    const { changed, asked } = await pullFrom({ serves, before: 'b', options })
    expect(changed).toBe('added a, removed b, added c')
    expect(asked).toBe('list a c list')
  })

  test('without changes keeps a lock that a formatter wrote', async () => {
    const text = JSON.stringify(JSON.parse(printed('a b')), undefined, '\t')
    expect(await pullFrom({ serves: 'a b', text })).toMatchObject({ outcome: 'unchanged' })
  })

  test('sorts the lock', async () => {
    const lock = JSON.parse(printed('a b'))
    const text = JSON.stringify({ ...lock, prompts: lock.prompts.toReversed() }, undefined, 2)
    const report = await pullFrom({ serves: 'a b', text })
    expect(report).toMatchObject({ outcome: 'written', changed: '' })
  })

  test('refuses a slug that no URL can contain', async () => {
    const { error } = await refusalOf({ serves: workspaceOf({ slug: 'a' }, { slug: '..' }) })
    expect(error.code).toBe('SLUG_UNSAFE')
  })
})

describe('two pulls at once', () => {
  const serves = 'a@v2'

  test.each([
    ['without a lock', {}],
    ['with a lock', { before: 'a@v1' }],
  ])('both read, and one is refused if they write at once: %s', async (_, given) => {
    const { project, asked, text } = await setUp({ serves, ...given })
    const [first, second] = [await project.prepare(), await project.prepare()]
    expect(asked.filter((name) => name === 'a')).toHaveLength(2)
    const ends = await Promise.all([first, second].map(({ plan }) => outcome(project.commit(plan))))
    const refused = expect.objectContaining({ code: 'FILE_CHANGED' })
    expect(ends).toEqual(expect.arrayContaining([[project.lock.path], refused]))
    expect(await text()).toBe(printed(first.plan.after))
    // Who loses reads again.
    expect(await project.commit((await project.prepare()).plan)).toEqual([])
  })

  test('a plan does not undo a hold that was written meanwhile', async () => {
    const { project } = await setUp({ serves, before: 'a@v1' })
    const { plan } = await project.prepare()
    const shown = await project.show()
    const held = holdParts(shown.after, ['a'], 'live', 'Legal')
    await project.commit(await project.edit(shown, held))
    expect(await rejection(project.commit(plan))).toMatchObject({ code: 'FILE_CHANGED' })
    expect(await project.lock.read()).toMatchObject({
      parts: [{ version: 'v1', held: { reason: 'Legal' } }],
    })
  })
})

/** Locks that a pull replaces if a person has confirmed it. */
const DAMAGED = [
  ['LOCK_CONFLICTED', (text: string) => `<<<<<<< HEAD\n${text}`],
  ['LOCK_EDITED', (text: string) => text.replace('kind', 'mean')],
] as const

describe('a pull from another workspace', () => {
  const request = { allowReplace: true }

  test('is refused if the options exclude everything', async () => {
    const options = { exclude: '**' }
    const { error } = await refusalOf({ serves: 'a b', before: 'a b', options })
    expect(error).toMatchObject({ code: 'PULL_EMPTY', details: { held: 'the lock has 2' } })
  })

  test('is refused before a prompt is read if it has no prompt of the lock', async () => {
    const { error, asked } = await refusalOf({ serves: 'x y', before: 'a b c' })
    expect(error).toMatchObject({ code: 'PULL_UNRELATED', details: { count: 2, known: 3 } })
    expect(asked).toBe('list')
  })

  test.each(DAMAGED)('is as before if the lock is %s', async (code, breakLock) => {
    const given = { serves: '', text: breakLock(printed('a b')), request: { repairs: true } }
    const { error } = await refusalOf(given)
    const details = { held: 'the broken lock may have some' }
    expect(error).toMatchObject({ code: 'PULL_EMPTY', details, cause: { code } })
    const report = await pullFrom({ ...given, request: { ...request, ...given.request } })
    expect(report).toMatchObject({ former: { kind: 'damaged' }, lock: { parts: [] } })
  })

  const excluded = { serves: 'c x', before: 'a b c', options: { exclude: 'c' } }

  test.each<[what: string, given: Given, pins: string]>([
    ['others with allowReplace', { serves: 'x y', before: 'a b c', request }, 'x@v22 y@v22'],
    ['one of the lock, even if the options exclude it', excluded, 'x@v22'],
    ['others than a lock of two, which may be renamed', { serves: 'x', before: 'a b' }, 'x@v22'],
  ])('may have %s', async (_, given, pins) => {
    expect(await pullFrom(given)).toMatchObject({ pins })
  })
})

describe('a pull of changes', () => {
  const request = { changed: true }

  test.each<[what: string, prompt: GivenPrompt, asked: string]>([
    ['nothing', {}, 'list list'],
    ['a version', { version: 'v2' }, 'list a list'],
    ['a model', { model: 'gpt-6' }, 'list a list'],
    ['a folder', { folder: 'sales' }, 'list a list'],
    ['a temperature, which no list shows', { temperature: 1 }, 'list list'],
    ['a text under the same label, which no list shows', { system: 'x' }, 'list list'],
  ])('reads what differs: %s', async (_, prompt, want) => {
    const serves = workspaceOf({ slug: 'a', ...prompt }, { slug: 'b' })
    expect((await pullFrom({ serves, before: 'a b', request })).asked).toBe(want)
  })

  test('reads new prompts and drops removed ones', async () => {
    const { changed, asked } = await pullFrom({ serves: 'b c', before: 'a b', request })
    expect(changed).toBe('removed a, added c')
    expect(asked).toBe('list c list')
  })

  test('reads every draft, which may be rewritten under its label', async () => {
    const rewritten = { slug: 'a', staging: { version: 'v23', system: 'rewritten' } }
    const serves = workspaceOf(rewritten, { slug: 'b' })
    const given: Given = { serves, before: 'a@v22+v23 b', keys: 'both', request }
    const { changed, asked } = await pullFrom(given)
    expect(changed).toBe('updated a (staging)')
    expect(asked).toBe('list list a list list')
  })

  test('ends a draft that was published under its label with another text', async () => {
    const serves = workspaceOf({ slug: 'a', version: 'v23', system: 'rewritten' })
    for (const keys of ['live', 'both'] as const) {
      const given: Given = { serves, before: 'a@v22+v23', keys, request }
      const { lock } = await pullFrom(given)
      expect(lock.parts).toMatchObject([{ environment: 'live', system: 'rewritten' }])
    }
  })
})

test.each<PullRequest>([{ changed: true }, { slugs: ['a'] }])(
  'a pull with %j needs a lock before it asks, because one of some prompts would look complete',
  async (request) => {
    const { error, asked } = await refusalOf({ serves: 'a', request })
    const details = { path: expect.stringMatching(/prompts\.lock\.json$/) }
    expect(error).toMatchObject({ code: 'LOCK_MISSING', details })
    expect(asked).toBe('')
  },
)

describe('a pull of some slugs', () => {
  const given = { serves: 'a@v2 b@v2 c@v2', before: 'a@v1 b@v1' }

  test.each([
    ['updates a pinned one', 'b', 'a@v2 b@v2', 'a@v1 b@v2', 'list b list'],
    ['adds a new one', 'c', 'a@v2 b@v2 c@v2', 'a@v1 b@v1 c@v2', 'list c list'],
    ['drops one that the workspace has no longer', 'a', 'b@v2', 'b@v1', 'list list'],
  ])('%s, reads nothing else, and keeps the rest', async (_, slug, serves, pins, asked) => {
    const request = { slugs: [slug] }
    expect(await pullFrom({ ...given, serves, request })).toMatchObject({ pins, asked })
  })

  test('names slugs that exist nowhere, all at once', async () => {
    const { error } = await refusalOf({ ...given, request: { slugs: ['x', 'a', 'y'] } })
    const details = { slugs: ['x', 'y'], known: expect.arrayContaining(['a', 'b', 'c']) }
    expect(error).toMatchObject({ code: 'SLUG_UNKNOWN', details })
  })

  test('does not pin what the options exclude', async () => {
    const options = { exclude: 'c' }
    const { error, asked } = await refusalOf({ ...given, options, request: { slugs: ['c'] } })
    expect(error.code).toBe('SLUG_UNKNOWN')
    expect(asked).toBe('list list')
  })
})

describe('a service whose live and staging version have one label', () => {
  const text = 'Draft, not published.'
  const serves = workspaceOf({ slug: 'a', version: 'v1', staging: { version: 'v1', system: text } })

  test.each(['test', 'both'] as const)(
    'what is read of it with keys of %s is a staging part, never a live one',
    async (keys) => {
      const { lock, pins } = await pullFrom({ serves, before: 'a@v1', keys })
      expect(pins).toBe('a@v1+v1')
      expect(lock.parts.map(({ system }) => system)).toEqual(['Be kind.', text])
      expect((await pullFrom({ serves, before: lock, keys })).changes).toEqual([])
    },
  )

  test('a staging part that has become equal to the live one is left out, also if no key reads it', async () => {
    expect((await pullFrom({ serves: 'a@v1+v1', before: 'a@v1+v1' })).pins).toBe('a@v1')
  })

  test('a staging part that has become equal to the live one is left out, and the next one that no key reads is named', async () => {
    const { pins, kept } = await pullFrom({ serves: 'a@v2+v3', before: 'a@v1+v2' })
    expect(pins).toBe('a@v2')
    const unread = { slug: 'a', environment: 'test', version: null, listed: 'v3', reason: 'unread' }
    expect(kept).toEqual([unread])
  })

  test('a staging part that is equal to the live one because its update is left is left out', async () => {
    const { project } = await setUp({ serves: 'a@v2+v1', before: 'a@v1', keys: 'both' })
    const { plan } = await project.prepare()
    const live = changeRows(changesOf(plan)).filter(({ change }) => change.environment === 'live')
    expect(inShort(leave(plan, live).after)).toBe('a@v1')
  })

  test('a live part that ends stays with the first staging version that is left, and is named', async () => {
    const before = lockOf({ live: [{ slug: 'a', version: 'v1' }] })
    const after = lockOf({ staging: [{ slug: 'a', version: 'v2' }] })
    const plan = { base: undefined, before: wholeLock(before), after, edits: [], left: [] }
    const rows = changeRows(changesOf(plan)).filter(({ environment }) => environment === 'test')
    const rest = leave(plan, rows)
    expect([inShort(rest.after), rest.left.map((row) => describePart(row))]).toEqual([
      'a@v1',
      ['a', 'a (staging)'],
    ])
    expect(leave(plan, changeRows(changesOf(plan))).left).toHaveLength(2)
  })

  test('a staging part that is equal to the live one is not pinned, and no pull or list names it', async () => {
    const { project, ...setup } = await setUp({ serves: 'a@v1+v1', before: 'a@v1', keys: 'both' })
    expect(await setup.pull()).toMatchObject({ changes: [], kept: [], reads: 2 })
    const { entries } = await project.withService(async (service) => {
      return { entries: (await service.list()).prompts }
    })
    const readable = { live: 'all', staging: true } as const
    const differences = listDifferences(await project.readLock(), { entries, readable })
    expect(differences).toEqual({ rows: [], kept: [] })
  })
})

describe('a broken lock', () => {
  test.each(DAMAGED)(
    'is replaced by a pull that may repair it, and is %s for any other, without a request',
    async (code, breakLock) => {
      const given = { serves: 'a b', text: breakLock(printed('a')) }
      const former = { kind: 'damaged', fault: { fault: { code } } }
      const report = await pullFrom({ ...given, request: { repairs: true } })
      expect(report).toMatchObject({ outcome: 'written', pins: 'a@v22 b@v22', former })
      for (const request of [{}, { slugs: ['a'] }, { changed: true }, { needsLock: true }])
        expect(await refusalOf({ ...given, request })).toMatchObject({ error: { code }, asked: '' })
    },
  )

  test('is merged by a pull if it has a prompt twice, which is reported', async () => {
    const text = printed('a').replace(/ {4}\{\n[^]*\n {4}\}/, '$&,\n$&')
    const report = await pullFrom({ serves: 'a', text })
    const former = { kind: 'whole', fault: { fault: { code: 'LOCK_DUPLICATE' } } }
    expect(report).toMatchObject({ outcome: 'written', changes: [], former })
    const { error } = await refusalOf({ serves: 'a', text, request: { slugs: ['a'] } })
    expect(error.code).toBe('LOCK_DUPLICATE')
  })

  test('is left to a person if it has a prompt twice with two holds', async () => {
    const [one = '', other = ''] = ['Legal', 'Other'].map((reason) =>
      printed(liveLock({ slug: 'a', held: { reason } })),
    )
    const text = one.replace(/\n {2}\]/, `,\n${/ {4}\{\n[^]*\n {4}\}/.exec(other)?.[0]}$&`)
    const { error } = await refusalOf({ serves: 'a', text, request: { repairs: true } })
    const fix = expect.stringMatching(/^Resolve it by hand/)
    expect(error).toMatchObject({ code: 'LOCK_DUPLICATE', details: { losesHold: true }, fix })
  })

  test('is never overwritten if it is of a newer version, without a request', async () => {
    const text = printed('a').replace(/"lockVersion": \d+/, '"lockVersion": 99')
    for (const newer of [text, text.slice(0, -9), `<<<<<<< x\n${text}`]) {
      const refusal = await refusalOf({ serves: 'a b', text: newer, request: { repairs: true } })
      expect(refusal).toMatchObject({ error: { code: 'LOCK_TOO_NEW' }, asked: '' })
    }
  })

  /** A lock whose n-th text was edited: 1 is the staging part of `a`, 2 its live part. */
  function edited(nth: number): string {
    const pieces = printed('a@v1+v2 b').split('"Be kind."')
    return pieces.reduce(
      (text, piece, at) => `${text}"Be ${at === nth ? 'mean' : 'kind'}."${piece}`,
    )
  }

  test.each([
    ['live', 2, 'test', 'a: there is no live key'],
    ['staging', 1, 'live', 'a (staging): there is no test key'],
  ] as const)(
    'stays if no key reads a lost %s part that the service lists, which is named',
    async (_, nth, keys, part) => {
      const given = { text: edited(nth), keys, request: { repairs: true } }
      const { error } = await refusalOf({ serves: 'a@v1+v2 b', ...given })
      expect(error).toMatchObject({ code: 'PART_LOST', details: { parts: [part] } })
    },
  )

  test('loses a part that the service does not have any more, and takes the one that is published', async () => {
    const given = { text: edited(1), keys: 'live', request: { repairs: true } } as const
    expect((await pullFrom({ serves: 'a@v2 b', ...given })).pins).toBe('a@v2 b@v22')
    expect((await pullFrom({ serves: 'b', ...given })).pins).toBe('b@v22')
  })

  test('is another workspace than one without any of its prompts, also of the lost ones', async () => {
    const text = printed('a b c').replaceAll('kind', 'mean')
    const { error } = await refusalOf({ serves: 'x y', text, request: { repairs: true } })
    expect(error).toMatchObject({ code: 'PULL_UNRELATED', details: { known: 3 } })
  })

  test('can not leave a lost part that is in no commit', async () => {
    const { project } = await setUp({
      serves: 'a@v9 b',
      text: printed('a b').replace('kind', 'mean'),
    })
    const { plan } = await project.prepare({ repairs: true })
    const left = changeRows(changesOf(plan)).filter(({ slug }) => slug === 'a')
    const rows = left.map(({ change }) => skippedRow(change, 'not chosen'))
    const details = { parts: ['a: no commit has it'] }
    expect(() => leave(plan, rows)).toThrow(expect.objectContaining({ code: 'PART_LOST', details }))
  })
})

/** Both sides as one conflict over the whole lock, with their base. */
function conflict(ours: Lock | string, theirs: Lock | string, base: Lock | string): string {
  const [one, other, before] = [ours, theirs, base].map((side) => printed(side))
  return `<<<<<<< HEAD\n${one}||||||| base\n${before}=======\n${other}>>>>>>> main\n`
}

describe('a lock with a merge conflict', () => {
  const base = 'a@v1 b@v1 c@v1 d@v1'
  const ours = 'a@v2 b@v1 c@v1 d@v2'
  const text = conflict(ours, 'a@v1 b@v3 c@v1 d@v3', base)
  const serves = 'a@v9 b@v9 c@v9 d@v9'
  const drafts = conflict('a@v22+v2', 'a@v22+v3', 'a@v22+v1')
  const lives = conflict('a@v2', 'a@v3', 'a@v1')

  test('is merged, and only what both sides changed is read', async () => {
    expect(await pullFrom({ serves, text })).toMatchObject({
      asked: 'list d list',
      pins: 'a@v2 b@v3 c@v1 d@v9',
      changed: 'updated b, updated d',
      outcome: 'written',
      former: {
        kind: 'whole',
        open: [{ slug: 'd', environment: 'live' }],
        fault: { fault: { code: 'LOCK_CONFLICTED' } },
      },
    })
  })

  test('is merged without a read if no prompt was changed on both sides', async () => {
    const given = { serves, text: conflict(ours, base, base), request: { changed: true } }
    const { pins, asked, former } = await pullFrom(given)
    expect(pins).toBe('a@v2 b@v1 c@v1 d@v2')
    expect(asked).toBe('list list')
    expect(former).toMatchObject({ kind: 'whole', open: [] })
  })

  test('loses a prompt that both sides changed when the service no longer has it', async () => {
    const { pins } = await pullFrom({ serves: 'a@v9 b@v9 c@v9', text })
    expect(pins).toBe('a@v2 b@v3 c@v1')
  })

  test('is merged by part: two branches that pull the two parts of one prompt need no read', async () => {
    const report = await pullFrom({ serves, text: conflict('a@v2', 'a@v1+v3', 'a@v1') })
    expect(report).toMatchObject({ pins: 'a@v2+v3', reads: 0, former: { open: [] } })
  })

  test.each([
    ['the live version in one branch and its end in the other', 'a@v2', 'a@v1', 'a@v1+v2'],
    ['the live version in one branch and another draft in the other', 'a@v2', 'a@v1+v3', 'a@v1+v2'],
    ['the live version in one branch and what it was in the other', 'a@v1+v2', 'a@v2', 'a@v1'],
  ])('is merged if it has %s', async (_, one, other, before) => {
    for (const sides of [conflict(one, other, before), conflict(other, one, before)])
      expect((await pullFrom({ serves: 'a@v2', text: sides, keys: 'both' })).pins).toBe('a@v2')
  })

  test('gets the live part of what both sides have only in staging, and which is published', async () => {
    const [one, other, before] = ['v2', 'v3', 'v1'].map((version) =>
      lockOf({ staging: [{ slug: 'a', version }] }),
    ) as [Lock, Lock, Lock]
    const sides = conflict(one, other, before)
    expect((await pullFrom({ serves: 'a@v4', text: sides, keys: 'both' })).pins).toBe('a@v4')
  })

  test.each(['v2', 'v3'])(
    'gets the part %s without its key if the list names it',
    async (label) => {
      const draft = await pullFrom({ serves: `a@v22+${label}`, text: drafts })
      expect(draft.pins).toBe(`a@v22+${label}`)
      const live = await pullFrom({ serves: `a@${label}+v9`, text: lives, keys: 'test' })
      expect(live.pins).toBe(`a@${label}`)
    },
  )

  test('loses a draft that no key reads and that the list has with another label, which is named', async () => {
    const { pins, kept } = await pullFrom({ serves: 'a@v22+v9', text: drafts })
    expect(pins).toBe('a@v22')
    const lost = { slug: 'a', environment: 'test', version: null, listed: 'v9', reason: 'dropped' }
    expect(kept).toMatchObject([lost])
  })

  test('loses a draft that the list or the options do not have any more, which is no matter of a key', async () => {
    const want = { pins: 'a@v22', kept: [] }
    expect(await pullFrom({ serves: 'a@v22', text: drafts })).toMatchObject(want)
    const options = { staging: false }
    expect(await pullFrom({ serves: 'a@v22+v9', text: drafts, options })).toMatchObject(want)
  })

  test('can not leave the hold of another branch, which would end without a word', async () => {
    const held = liveLock({ slug: 'a', version: 'v1', held: { reason: 'Legal' } })
    const { project } = await setUp({ serves, text: conflict('a@v2', held, 'a@v1') })
    const { plan } = await project.prepare()
    const rows = changesOf(plan).map((change) => skippedRow(change, 'not chosen'))
    const details = { parts: ['a: another branch holds it'] }
    expect(() => leave(plan, rows)).toThrow(expect.objectContaining({ code: 'PART_LOST', details }))
    // What ours holds stays as it is.
    const other = await setUp({ serves, text: conflict(held, 'a@v2', 'a@v1') })
    expect((await other.project.prepare()).plan.after).toEqual(held)
  })

  test('needs a live key for a live part that the list has with another label', async () => {
    const { error } = await refusalOf({ serves: 'a@v9+v10', text: lives, keys: 'test' })
    const details = { variable: 'PROMPTS_API_KEY', kind: 'live' }
    expect(error).toMatchObject({ code: 'KEY_MISSING', details })
  })
})

describe('a held prompt', () => {
  const held = { slug: 'a', version: 'v1', held: { reason: 'Legal' } }
  const serves = 'a@v2 b@v2'
  const before = liveLock(held, { slug: 'b', version: 'v1', model: 'gpt-4' })
  const parts = [held, { slug: 'b', version: 'v2' }]

  test.each<[how: string, given: Pick<Given, 'options' | 'request'>]>([
    ['a whole pull', {}],
    ['a pull of what changed', { request: { changed: true } }],
    ['a pull of other slugs', { request: { slugs: ['b'] } }],
    ['a pull of this slug', { request: { slugs: ['a', 'b'] } }],
    ['a pull with options that leave it out', { options: { include: 'b' } }],
  ])('stays, and is not read, in %s', async (_, given) => {
    const { lock, changed, asked } = await pullFrom({ serves, before, ...given })
    expect(lock).toMatchObject({ parts })
    expect(changed).toBe('updated b')
    expect(asked).toBe('list b list')
  })

  test('is named where it was edited, and given up only by a pull that may repair the lock', async () => {
    const text = printed(before).replace('Legal', 'Other')
    const { error, asked } = await refusalOf({ serves, text })
    expect(error).toMatchObject({ code: 'LOCK_EDITED' })
    expect(asked).toBe('')
    const { former, pins } = await pullFrom({ serves, text, request: { repairs: true } })
    expect(former).toMatchObject({ lost: [{ slug: 'a', isEdited: true, held: 'Other' }] })
    expect(pins).toBe('a@v2 b@v2')
  })
})

describe('a first pull with only a test key', () => {
  const serves = 'a b@v22+v23'
  const keys = 'test'

  test('asks nothing while neither an option nor a variable says which view is served', async () => {
    const { error, asked } = await refusalOf({ serves, keys })
    const fix = expect.stringContaining("Set `environment: 'test'` in prompts.config.*")
    expect(error).toMatchObject({ code: 'ENVIRONMENT_MISSING', fix })
    expect(asked).toBe('')
  })

  test.each(['live', 'test'] as const)(
    'pins what it reads where the %s view is chosen',
    async (environment) => {
      const given = { serves, keys, options: { environment } } as const
      expect(await pullFrom(given)).toMatchObject({ pins: 'a@v22 b+v23', isLiveRead: false })
    },
  )
})

test('a pull has read every live version with a live key, unless it is of some prompts', async () => {
  const [serves, before] = ['a b@v22+v23', 'a']
  expect(await pullFrom({ serves, before, keys: 'test' })).toMatchObject({ isLiveRead: false })
  for (const keys of ['live', 'both'] as const)
    expect(await pullFrom({ serves, keys })).toMatchObject({ isLiveRead: true })
  const request = { slugs: ['a'] }
  expect(await pullFrom({ serves, before, request })).toMatchObject({ isLiveRead: false })
})

describe('both parts of a prompt', () => {
  test('are read with both keys, each once', async () => {
    expect(await pullFrom({ serves: 'a@v1+v2 b', keys: 'both' })).toMatchObject({
      pins: 'a@v1+v2 b@v22',
      asked: 'list list a a b list list',
      lists: 2,
      kept: [],
    })
  })

  test('are live parts only without staging, with a test key at hand', async () => {
    const given: Given = { serves: 'a@v1+v2', before: 'a@v1+v2', keys: 'both' }
    const { pins, asked } = await pullFrom({ ...given, options: { staging: false } })
    expect(pins).toBe('a@v1')
    expect(asked).toBe('list a list')
  })

  const staged = lockOf({ live: [{ slug: 'b' }], staging: [{ slug: 'a', version: 'v2' }] })
  test.each([
    ['is published', 'a@v1+v2 b', 'a@v2 b', 'updated a, updated a (staging)', 'test', 'a@v2 b@v22'],
    [
      'is the first one published',
      staged,
      'a@v2 b',
      'added a, updated a (staging)',
      'live',
      'a+v2 b@v22',
    ],
    [
      'goes with the prompt',
      'a@v1+v2 b',
      'b',
      'removed a, removed a (staging)',
      'live',
      'a@v1 b@v22',
    ],
  ])('are two changes if the draft %s', async (_, before, serves, want, left, pins) => {
    const { project } = await setUp({ serves, before, keys: 'both' })
    const { plan, report } = await project.prepare()
    expect([kinds(changesOf(plan)), report.kept]).toEqual([want, []])
    const rows = changeRows(changesOf(plan))
    expect(leave(plan, rows).after).toEqual(lockBefore(plan.before))
    const skipped = rows.filter(({ environment }) => environment === left)
    expect(inShort(leave(plan, skipped).after)).toBe(pins)
  })
})

const CUT = '\ud83d'

test.each<[what: string, prompt: GivenPrompt, problems: unknown]>([
  ['a text', { system: CUT }, ['bad: system', 'bad: source']],
  ['a folder', { folder: CUT }, ['bad: folder']],
  ['a slug', { slug: CUT }, expect.any(Array)],
])(
  'an unpaired surrogate in %s is refused, with the prompt and its field',
  async (_, prompt, problems) => {
    const serves = workspaceOf({ slug: 'good', system: '😀' }, { slug: 'bad', ...prompt })
    const { error } = await refusalOf({ serves })
    expect(error).toMatchObject({ code: 'TEXT_UNPAIRED_SURROGATE', details: { problems } })
  },
)

const OTHER = 'svc_live_0123456789abcdef'

test.each<[what: string, prompt: Partial<PinnedPrompt>, key: string]>([
  ['the key in use', { system: `Use ${LOCAL_KEYS.live}.` }, LOCAL_KEYS.live],
  ['another key, as slug', { slug: OTHER }, OTHER],
])(
  'a text that contains a key is rejected, and no message shows it: %s',
  async (_, prompt, key) => {
    const { error } = await refusalOf({ serves: workspaceOf({ slug: 'bad', ...prompt }) })
    expect(error.code).toBe('TEXT_HOLDS_KEY')
    expect(JSON.stringify([error.message, error.details, error.stack])).not.toContain(key)
  },
)
