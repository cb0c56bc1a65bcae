import { readFile, stat } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Options } from '../../../../src/config/options.ts'
import { skippedRow } from '../../../../src/core/change-row.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { describePart, type Lock, type PinnedPrompt } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import type { LockStore } from '../../../../src/fs/lock-store.ts'
import type { CommitResult } from '../../../../src/features/project/commit.ts'
import type { Project } from '../../../../src/features/project/project.ts'
import { holdParts } from '../../../../src/features/hold/hold.ts'
import { skipChanges, type PullDraft } from '../../../../src/features/pull/draft.ts'
import type { PullRequest } from '../../../../src/features/pull/pull.ts'
import type { Progress } from '../../../../src/service/sender.ts'
import { LOCAL_KEYS } from '../../../../src/local-service/respond.ts'
import type { Workspace } from '../../../../src/local-service/workspace.ts'
import { liveLock, lockOf, pinned } from '../../../helpers/pinned.ts'
import { openTestProject } from '../../../helpers/project.ts'
import { pull } from '../../../helpers/pull.ts'
import {
  type GivenPrompt,
  startScriptedService,
  workspaceOf,
} from '../../../helpers/scripted-service.ts'
import { rejection } from '../../../helpers/service-client.ts'
import { serve } from '../../../helpers/http.ts'
import { WORKSPACE } from '../../../helpers/workspace-yaml.ts'

/** A lock and a service to pull from, over real HTTP. */
interface Setup {
  readonly project: Project
  readonly path: string
  readonly lock: LockStore
  /** What the service was asked for. */
  readonly asked: readonly string[]
  prepare(request?: PullRequest): Promise<PullDraft>
  pull(request?: PullRequest): Promise<PullDraft & CommitResult>
  text(): Promise<string>
}

interface Given {
  /** The workspace, or its moments. */
  readonly script: readonly Workspace[]
  /** The lock that is there; none by default. */
  readonly before?: Lock | string
  /** Default: `live`. */
  readonly keys?: 'live' | 'test' | 'both'
  readonly options?: Options
}

async function setUp({ script, before, keys = 'live', options = {} }: Given): Promise<Setup> {
  const { url, asked } = await startScriptedService(...script)
  const text =
    before === undefined || typeof before === 'string' ? before : printLock(before, sha256)
  const { project } = await openTestProject({
    files: text === undefined ? {} : { 'prompts.lock.json': text },
    processEnv: {
      ...(keys !== 'test' && { PROMPTS_API_KEY: LOCAL_KEYS.live }),
      ...(keys !== 'live' && { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }),
    },
    options: { baseUrl: url, dts: false, concurrency: 1, ...options },
  })
  const { lock } = project
  return {
    project,
    path: lock.path,
    lock,
    asked,
    prepare: (request) => project.prepare(request),
    pull: (request) => pull(project, request),
    text: () => readFile(lock.path, 'utf8'),
  }
}

/** `slug@version` of each pinned part, with `(staging)`. */
function labels({ parts }: Pick<Lock, 'parts'>): string[] {
  return parts.map((part) => `${describePart(part)}@${part.version}`)
}

/** `kind slug` of each change. */
function kinds({ changes }: PullDraft): string[] {
  return changes.map((change) => `${change.kind} ${describePart(change)}`)
}

describe('a pull', () => {
  test('pins what the local service serves to the live key', async () => {
    const server = await serve(WORKSPACE)
    const { project } = await openTestProject({
      options: { baseUrl: server.url, apiKey: LOCAL_KEYS.live },
    })
    const report = await pull(project)
    expect(report).toMatchObject({ outcome: 'written', planStatus: 'trialing', reads: 2, lists: 2 })
    expect(await project.lock.read()).toEqual(report.lock)
    expect(report.lock.parts).toEqual([
      {
        environment: 'live',
        slug: 'sql-explainer',
        folder: 'engineering',
        model: 'gpt-5-mini',
        temperature: 0,
        version: 'v3',
        system: 'You explain SQL.',
        user: '',
        source: 'You explain SQL.',
      },
      {
        environment: 'live',
        slug: 'support-triage',
        folder: 'support',
        model: 'gpt-5.1',
        temperature: 0.2,
        version: 'v22',
        system: 'You triage.',
        user: '{{ ticket }}',
        source: 'You triage.\n\n{{ ticket }}',
      },
    ])
  })

  test('that finds no changes writes nothing', async () => {
    const { pull: run, path, text } = await setUp({ script: [workspaceOf({ slug: 'a' })] })
    await run()
    const [stats, before] = [await stat(path), await text()]
    const report = await run()
    expect(report.outcome).toBe('unchanged')
    expect(kinds(report)).toEqual([])
    expect(await text()).toBe(before)
    expect((await stat(path)).mtimeMs).toBe(stats.mtimeMs)
    expect((await stat(path)).ino).toBe(stats.ino)
  })

  test('reports notes of new prompts, and colliding names', async () => {
    const { pull: run } = await setUp({
      script: [workspaceOf({ slug: 'a-b', system: '{{}}' }, { slug: 'a_b', user: '{{ x' })],
    })
    const { notes, collisions } = await run()
    expect(notes).toMatchObject([
      { slug: 'a-b', count: 1, first: [{ field: 'system', kind: 'empty' }] },
      { slug: 'a_b', count: 1, first: [{ field: 'user', kind: 'unclosed' }] },
    ])
    expect(collisions).toEqual([{ identifier: 'aB', slugs: ['a-b', 'a_b'] }])
  })

  test('lists ten notes of a prompt at most, and counts the others', async () => {
    const { pull: run } = await setUp({
      script: [workspaceOf({ slug: 'a', system: '{{'.repeat(500) })],
    })
    const [notes] = (await run()).notes
    expect([notes?.count, notes?.first.length]).toEqual([500, 10])
  })

  test('writes nothing before its draft is committed', async () => {
    const { project, lock } = await setUp({ script: [workspaceOf({ slug: 'a' })] })
    const draft = await project.prepare()
    expect(await lock.readHash()).toBeUndefined()
    expect(await project.commit(draft)).toEqual({ outcome: 'written', generated: [] })
    expect(await lock.read()).toEqual(draft.lock)
  })

  test('keeps the entries of the changes that its draft leaves', async () => {
    const { project, lock } = await setUp({
      script: [
        workspaceOf({ slug: 'a', version: 'v2', system: '{{' }, { slug: 'b', version: 'v2' }),
      ],
      before: liveLock({ slug: 'a', version: 'v1' }, { slug: 'b', version: 'v1' }),
    })
    const draft = await project.prepare()
    const [change] = draft.changes
    if (change === undefined) throw new Error('Nothing has changed.')
    const left = skipChanges(draft, [skippedRow(change, 'not chosen')])
    expect([draft.notes, left.notes]).toMatchObject([[{ slug: 'a' }], []])
    expect(kinds(left)).toEqual(['updated b'])
    expect(left.skipped.map((skipped) => skipped.change.slug)).toEqual(['a'])
    await project.commit(left)
    expect(labels((await lock.read()) ?? liveLock())).toEqual(['a@v1', 'b@v2'])
  })

  test.each([
    { title: 'refuses a prompt of more than 20,000 tokens', tokens: 20_001, user: '' },
    { title: 'counts the tokens of both texts', tokens: 20_000, user: '{{ a }}' },
  ])('$title, and writes nothing', async ({ tokens, user }) => {
    const { pull: run, lock } = await setUp({
      script: [workspaceOf({ slug: 'big', system: '{{ a }}'.repeat(tokens), user })],
    })
    const { code, details } = await rejection(run())
    expect([code, details]).toEqual([
      'TOO_MANY_TOKENS',
      { problems: ['big: 20,001'], limit: 20_000 },
    ])
    expect(await lock.readHash()).toBeUndefined()
  })

  test('accepts a prompt of 20,000 tokens', async () => {
    const { pull: run } = await setUp({
      script: [workspaceOf({ slug: 'big', system: '{{ a }}'.repeat(20_000) })],
    })
    expect((await run()).outcome).toBe('written')
  })

  test('reports its progress after each read', async () => {
    const { pull: run } = await setUp({
      script: [workspaceOf({ slug: 'a' }, { slug: 'b' }, { slug: 'c' })],
    })
    const onProgress = vi.fn<(progress: Progress) => void>()
    await run({ onProgress })
    expect(onProgress.mock.calls).toEqual(
      [1, 2, 3].map((done) => [{ kind: 'read', done, total: 3 }]),
    )
  })

  test('that is aborted writes nothing', async () => {
    const { pull: run, lock } = await setUp({ script: [workspaceOf({ slug: 'a' })] })
    const reason = new Error('enough')
    await expect(run({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(await lock.readHash()).toBeUndefined()
  })
})

describe('two pulls at once', () => {
  const script = [workspaceOf({ slug: 'a', version: 'v2' })]

  test.each([
    ['without a lock', undefined],
    ['with a lock', liveLock({ slug: 'a', version: 'v1' })],
  ])('both read, and the one that commits second is refused: %s', async (_, before) => {
    const { project, asked, text } = await setUp({ script, ...(before && { before }) })
    const [first, second] = [await project.prepare(), await project.prepare()]
    expect(asked.filter((name) => name === 'a')).toHaveLength(2)
    expect(await project.commit(first)).toMatchObject({ outcome: 'written' })
    const written = await text()
    expect(await rejection(project.commit(second))).toMatchObject({ code: 'LOCK_CHANGED' })
    expect(await text()).toBe(written)
    // Who loses reads again.
    expect(await project.commit(await project.prepare())).toMatchObject({ outcome: 'unchanged' })
  })

  test('a draft does not undo a hold that was written meanwhile', async () => {
    const before = liveLock({ slug: 'a', version: 'v1' })
    const { project, lock } = await setUp({ script, before })
    const draft = await project.prepare()
    const shown = await project.show()
    const held = holdParts(shown.lock, ['a'], 'live', 'Legal')
    await project.commit(project.draftEdit(shown, held))
    expect(await rejection(project.commit(draft))).toMatchObject({ code: 'LOCK_CHANGED' })
    expect(await lock.read()).toMatchObject({
      parts: [{ version: 'v1', held: { reason: 'Legal' } }],
    })
  })
})

const old = { slug: 'a', version: 'v1', system: 'old' }
const still = { slug: 'b' }
const young = { slug: 'a', version: 'v2', system: 'new' }

/** The prompts of a moment by short names. */
const SHORT: Readonly<Record<string, GivenPrompt>> = {
  a1: old,
  a2: young,
  a3: { ...young, version: 'v3' },
  'a1/model': { ...old, model: 'gpt-6' },
  'a1/folder': { ...old, folder: 'sales' },
  b: still,
}

const MOVING = [
  ['a new version: only that prompt is read again', 'a1 b, a1 b, a2 b', 'a b, a, ', 'a@v2 b@v22'],
  ['a version that was already read: nothing is read again', 'a1 b, a2 b', 'a b, ', 'a@v2 b@v22'],
  ['a version that went back', 'a1 b, a2 b, a1 b', 'a b, a, ', 'a@v1 b@v22'],
  ['a new prompt', 'b, b, a1 b', 'b, a, ', 'a@v1 b@v22'],
  ['a prompt that was removed after its read', 'a1 b, a1 b, b', 'a b, ', 'b@v22'],
  ['a prompt that was removed before its read, so it is 404', 'a1 b, b', 'a b, ', 'b@v22'],
  ['a model without a new version', 'a1 b, a1 b, a1/model b', 'a b, a, ', 'a@v1 b@v22'],
  ['a folder without a new version', 'a1 b, a1 b, a1/folder b', 'a b, a, ', 'a@v1 b@v22'],
  ['two changes, one after the other', 'a1, a1, a2, a2, a3', 'a, a, a, ', 'a@v3'],
] as const

describe('the lock is one moment of the workspace, whatever is published meanwhile', () => {
  test.each(MOVING)('%s', async (_, moments, rounds, want) => {
    const script = moments.split(', ').map((names) => names.split(' ').map((name) => SHORT[name]))
    const setup = await setUp({
      script: script.map((prompts) => workspaceOf(...prompts.flatMap((one) => one ?? []))),
    })
    const { lock, reads, lists } = await setup.pull()
    expect(labels(lock)).toEqual(want.split(' '))
    // Each round lists, and reads what has changed.
    const asked = rounds.split(', ').map((names) => `list ${names}`.trim().split(' '))
    expect(setup.asked).toEqual(asked.flat())
    expect({ reads, lists }).toEqual({
      reads: setup.asked.filter((name) => name !== 'list').length,
      lists: asked.length,
    })
  })

  test('after three rounds it gives up, names what changes, and leaves the lock', async () => {
    const versions = Array.from({ length: 9 }, (_, index) => ({ ...old, version: `v${index}` }))
    const setup = await setUp({
      script: versions.map((moving) => workspaceOf(moving, still)),
      before: liveLock({ slug: 'before' }),
    })
    const before = await setup.text()
    const error = await rejection(setup.pull())
    expect(error).toMatchObject({ code: 'PULL_UNSETTLED', details: { slugs: ['a'], rounds: 3 } })
    expect(setup.asked.filter((name) => name === 'list')).toHaveLength(4)
    expect(setup.asked.filter((name) => name === 'a')).toHaveLength(3)
    expect(await setup.text()).toBe(before)
  })

  test('a prompt that is listed but not found is an error of the service', async () => {
    const whole = workspaceOf(old, still)
    const setup = await setUp({ script: [whole, workspaceOf(still), whole] })
    expect(await rejection(setup.pull())).toMatchObject({
      code: 'PROMPT_NOT_FOUND',
      details: { slugs: ['a'] },
    })
    expect(await setup.lock.readHash()).toBeUndefined()
  })
})

describe('an empty workspace while the lock has prompts', () => {
  const given = { script: [workspaceOf()], before: liveLock({ slug: 'a' }, { slug: 'b' }) }

  test('is an error, and the lock is unchanged', async () => {
    const setup = await setUp(given)
    const before = await setup.text()
    expect(await rejection(setup.pull())).toMatchObject({
      code: 'PULL_EMPTY',
      details: { held: 'the lock has 2' },
    })
    expect(await setup.text()).toBe(before)
  })

  test('is accepted with allowReplace', async () => {
    const setup = await setUp(given)
    expect(kinds(await setup.pull({ allowReplace: true }))).toEqual(['removed a', 'removed b'])
    expect(await setup.lock.read()).toMatchObject({ parts: [] })
  })

  test.each([
    ['LOCK_CONFLICTED', (whole: string) => `<<<<<<< HEAD\n${whole}`],
    ['LOCK_EDITED', (whole: string) => whole.replace('kind', 'mean')],
  ])('is one too where the lock can not be read: %s', async (code, spoil) => {
    const before = spoil(printLock(given.before, sha256))
    const setup = await setUp({ ...given, before })
    expect(await rejection(setup.pull())).toMatchObject({
      code: 'PULL_EMPTY',
      details: { held: 'the broken lock may have some' },
      cause: { code },
    })
    expect(await setup.text()).toBe(before)
    expect(await setup.pull({ allowReplace: true })).toMatchObject({ previousLockError: { code } })
  })

  test('is the same if the options exclude everything', async () => {
    const script = [workspaceOf({ slug: 'a' })]
    const setup = await setUp({ ...given, script, options: { exclude: '**' } })
    expect(await rejection(setup.pull())).toMatchObject({
      code: 'PULL_EMPTY',
    })
  })
})

describe('a workspace that has no prompt of the lock', () => {
  const slugs = (names: string): { slug: string }[] => [...names].map((slug) => ({ slug }))
  const given = { script: [workspaceOf(...slugs('xy'))], before: liveLock(...slugs('abc')) }

  test('is an error before a prompt is read, and the lock is unchanged', async () => {
    const setup = await setUp(given)
    const before = await setup.text()
    expect(await rejection(setup.pull())).toMatchObject({
      code: 'PULL_UNRELATED',
      details: { count: 2, known: 3 },
    })
    expect(setup.asked).toEqual(['list'])
    expect(await setup.text()).toBe(before)
  })

  test('is accepted with allowReplace', async () => {
    const setup = await setUp(given)
    const removed = ['removed a', 'removed b', 'removed c']
    expect(kinds(await setup.pull({ allowReplace: true }))).toEqual([
      ...removed,
      'added x',
      'added y',
    ])
  })

  test.each([
    ['lists one of them, even if the options exclude it', 'cx', { exclude: 'c' }, 'abc'],
    ['was pinned with two prompts, which may both be renamed', 'xy', {}, 'ab'],
  ])('is accepted if it %s', async (_, listed, options, slugsBefore) => {
    const script = [workspaceOf(...slugs(listed))]
    const setup = await setUp({ script, options, before: liveLock(...slugs(slugsBefore)) })
    expect(await setup.pull()).toMatchObject({ outcome: 'written' })
  })
})

describe('a pull of changes reads only what differs in the list', () => {
  const CHANGED = [
    { title: 'nothing', prompt: {}, reads: [] },
    { title: 'a version', prompt: { version: 'v2' }, reads: ['a'] },
    { title: 'a model', prompt: { model: 'gpt-6' }, reads: ['a'] },
    { title: 'a folder', prompt: { folder: 'sales' }, reads: ['a'] },
    { title: 'a temperature, which no list shows', prompt: { temperature: 1 }, reads: [] },
    {
      title: 'a text under the same label, which no list shows',
      prompt: { system: 'x' },
      reads: [],
    },
  ]

  test.each(CHANGED)('$title', async ({ prompt, reads }) => {
    const setup = await setUp({
      script: [workspaceOf({ slug: 'a', ...prompt }, { slug: 'b' })],
      before: liveLock({ slug: 'a' }, { slug: 'b' }),
    })
    const report = await setup.pull({ changed: true })
    expect(setup.asked).toEqual(['list', ...reads, 'list'])
    expect(report.reads).toBe(reads.length)
    expect(report.lock.parts).toHaveLength(2)
  })

  test('reads new prompts and drops removed ones', async () => {
    const setup = await setUp({
      script: [workspaceOf({ slug: 'b' }, { slug: 'c' })],
      before: liveLock({ slug: 'a' }, { slug: 'b' }),
    })
    expect(kinds(await setup.pull({ changed: true }))).toEqual(['removed a', 'added c'])
    expect(setup.asked).toEqual(['list', 'c', 'list'])
  })

  test('and every draft, which may be rewritten under its label', async () => {
    const draft = { version: 'v23', system: 'draft' }
    const staging = { ...draft, system: 'rewritten' }
    const setup = await setUp({
      script: [workspaceOf({ slug: 'a', staging }, { slug: 'b' })],
      before: lockOf({ live: [{ slug: 'a' }, { slug: 'b' }], staging: [{ slug: 'a', ...draft }] }),
      keys: 'both',
    })
    const report = await setup.pull({ changed: true })
    expect(setup.asked).toEqual(['list', 'list', 'a', 'list', 'list'])
    expect(kinds(report)).toEqual(['updated a (staging)'])
  })

  test.each([
    { title: 'without a lock', before: undefined },
    {
      title: 'from a lock that was edited',
      before: printLock(liveLock({ slug: 'a' }), sha256).replace('kind', 'mean'),
    },
  ] satisfies { title: string; before: Given['before'] | undefined }[])(
    'reads everything $title',
    async ({ before }) => {
      const setup = await setUp({ script: [workspaceOf({ slug: 'a' })], ...(before && { before }) })
      await setup.pull({ changed: true })
      expect(setup.asked).toEqual(['list', 'a', 'list'])
    },
  )
})

test('a complete pull reads every prompt, because temperatures change under the same version', async () => {
  const setup = await setUp({
    script: [workspaceOf({ slug: 'a', temperature: 1 })],
    before: liveLock({ slug: 'a' }),
  })
  const [change] = (await setup.pull()).changes
  expect(change).toMatchObject({ kind: 'updated', after: { temperature: 1 } })
})

describe('a pull of some slugs', () => {
  const newer = ['a', 'b', 'c'].map((slug) => ({ slug, version: 'v2' }))
  const given = {
    script: [workspaceOf(...newer)],
    before: liveLock({ slug: 'a', version: 'v1' }, { slug: 'b', version: 'v1' }),
  }

  test('updates these, reads nothing else, and keeps the rest', async () => {
    const setup = await setUp(given)
    const { lock } = await setup.pull({ slugs: ['b'] })
    expect(labels(lock)).toEqual(['a@v1', 'b@v2'])
    expect(setup.asked).toEqual(['list', 'b', 'list'])
    expect(await setup.lock.read()).toEqual(lock)
  })

  test('adds new ones', async () => {
    const setup = await setUp(given)
    expect(labels((await setup.pull({ slugs: ['c'] })).lock)).toEqual(['a@v1', 'b@v1', 'c@v2'])
  })

  test('drops one that was removed from the workspace', async () => {
    const setup = await setUp({ ...given, script: [workspaceOf({ slug: 'b' })] })
    expect(labels((await setup.pull({ slugs: ['a'] })).lock)).toEqual(['b@v1'])
  })

  test('names slugs that exist nowhere, all at once, and leaves the lock', async () => {
    const setup = await setUp(given)
    const before = await setup.text()
    expect(await rejection(setup.pull({ slugs: ['x', 'a', 'y'] }))).toMatchObject({
      code: 'SLUG_UNKNOWN',
      details: { slugs: ['x', 'y'], known: expect.arrayContaining(['a', 'b', 'c']) },
    })
    expect(await setup.text()).toBe(before)
  })

  test('does not pin what the options exclude', async () => {
    const setup = await setUp({ ...given, options: { exclude: 'c' } })
    expect(await rejection(setup.pull({ slugs: ['c'] }))).toMatchObject({
      code: 'SLUG_UNKNOWN',
    })
    expect(setup.asked).not.toContain('c')
  })

  test('needs a lock, because a lock of some prompts would look complete', async () => {
    const setup = await setUp({ script: given.script })
    expect(await rejection(setup.prepare({ slugs: ['a'] }))).toMatchObject({
      code: 'LOCK_MISSING',
      details: { path: setup.path },
    })
    expect(setup.asked).toEqual([])
    expect(await setup.lock.readHash()).toBeUndefined()
  })
})

test('what the options exclude is never read', async () => {
  const setup = await setUp({
    script: [
      workspaceOf(
        { slug: 'a', folder: 'x' },
        { slug: 'b', folder: 'y' },
        { slug: 'c', folder: 'x' },
      ),
    ],
    before: liveLock({ slug: 'b' }),
    options: { include: 'x/*' },
  })
  const report = await setup.pull()
  expect(setup.asked).toEqual(['list', 'a', 'c', 'list'])
  expect(kinds(report)).toEqual(['added a', 'removed b', 'added c'])
})

describe('a broken lock', () => {
  const whole = printLock(liveLock({ slug: 'a' }), sha256)
  const REPAIRED = [
    {
      title: 'a merge conflict',
      code: 'LOCK_CONFLICTED',
      before: `<<<<<<< HEAD\n${whole}`,
    },
    {
      title: 'a hand edit',
      code: 'LOCK_EDITED',
      before: whole.replace('kind', 'mean'),
    },
  ]
  const KEPT = [
    {
      title: 'a newer version',
      code: 'LOCK_TOO_NEW',
      before: whole.replace('"lockVersion": 1', '"lockVersion": 2'),
    },
    { title: 'invalid JSON', code: 'LOCK_SYNTAX', before: '{' },
    { title: 'JSON that is not a lock', code: 'LOCK_INVALID', before: '{}' },
  ]
  const script = [workspaceOf({ slug: 'a' }, { slug: 'b' })]

  test.each(REPAIRED)(
    'is replaced by a pull, which reports it: $title',
    async ({ before, code }) => {
      const setup = await setUp({ script, before })
      expect(await setup.pull()).toMatchObject({ outcome: 'written', previousLockError: { code } })
      expect(labels((await setup.lock.read()) ?? liveLock())).toEqual(['a@v22', 'b@v22'])
    },
  )

  test.each([...REPAIRED, ...KEPT])(
    'refuses a pull of some slugs: $title',
    async ({ before, code }) => {
      const setup = await setUp({ script, before })
      expect(await rejection(setup.pull({ slugs: ['a'] }))).toMatchObject({ code })
      expect(await setup.text()).toBe(before)
    },
  )

  test.each(KEPT)('is never overwritten, without a request: $title', async ({ before, code }) => {
    const setup = await setUp({ script, before })
    expect(await rejection(setup.pull())).toMatchObject({ code })
    expect(await setup.text()).toBe(before)
    expect(setup.asked).toEqual([])
  })
})

/** Both sides as one conflict over the whole lock, with their base. */
function conflict(ours: Lock, theirs: Lock, base: Lock): string {
  const [one, other, before] = [ours, theirs, base].map((lock) => printLock(lock, sha256))
  return `<<<<<<< HEAD\n${one}||||||| base\n${before}=======\n${other}>>>>>>> main\n`
}

describe('a lock with a merge conflict is merged', () => {
  const [v1, v2, v3] = ['v1', 'v2', 'v3'].map((version) => ({ version }))
  const slugs = ['a', 'b', 'c', 'd']
  const all = (version: string): Partial<PinnedPrompt>[] => slugs.map((slug) => ({ slug, version }))
  const base = liveLock(...all('v1'))
  const ours = liveLock({ slug: 'a', ...v2 }, ...all('v1').slice(1, 3), { slug: 'd', ...v2 })
  const theirs = liveLock(
    { slug: 'a', ...v1 },
    { slug: 'b', ...v3 },
    { slug: 'c', ...v1 },
    { slug: 'd', ...v3 },
  )
  const script = [workspaceOf(...all('v9'))]

  test('and only what both sides changed is read', async () => {
    const setup = await setUp({ script, before: conflict(ours, theirs, base) })
    const report = await setup.pull()
    expect(setup.asked).toEqual(['list', 'd', 'list'])
    expect(labels(report.lock)).toEqual(['a@v2', 'b@v3', 'c@v1', 'd@v9'])
    expect(report).toMatchObject({
      outcome: 'written',
      merged: [{ slug: 'd', environment: 'live' }],
      previousLockError: { code: 'LOCK_CONFLICTED' },
    })
    expect(kinds(report)).toEqual(['updated b', 'updated d'])
    expect(await setup.lock.read()).toEqual(report.lock)
  })

  test('and nothing is read if no prompt was changed on both', async () => {
    const setup = await setUp({ script, before: conflict(ours, base, base) })
    const report = await setup.pull({ changed: true })
    expect(report).toMatchObject({ reads: 0, merged: [] })
    expect(await setup.text()).toBe(printLock(ours, sha256))
  })

  test('and a prompt that both sides changed is dropped when the service no longer has it', async () => {
    const setup = await setUp({
      script: [workspaceOf(...all('v9').slice(0, 3))],
      before: conflict(ours, theirs, base),
    })
    expect(labels((await setup.pull()).lock)).toEqual(['a@v2', 'b@v3', 'c@v1'])
  })

  test('part by part: two branches that pull the two parts of one prompt need no read', async () => {
    const [live, draft] = [
      { slug: 'a', version: 'v2' },
      { slug: 'a', version: 'v3' },
    ]
    const [common, one, other] = [
      liveLock({ slug: 'a', version: 'v1' }),
      liveLock(live),
      lockOf({ live: [{ slug: 'a', version: 'v1' }], staging: [draft] }),
    ]
    const setup = await setUp({ script, before: conflict(one, other, common) })
    const report = await setup.pull()
    expect(labels(report.lock)).toEqual(['a@v2', 'a (staging)@v3'])
    expect(report).toMatchObject({ reads: 0, merged: [] })
  })
})

describe('a held prompt', () => {
  const held = { slug: 'a', version: 'v1', held: { reason: 'Legal' } }
  const script = [workspaceOf({ slug: 'a', version: 'v2' }, { slug: 'b', version: 'v2' })]
  const lock = liveLock(held, { slug: 'b', version: 'v1', model: 'gpt-4' })

  test.each([
    ['a whole pull', {}],
    ['a pull of what changed', { changed: true }],
    ['a pull of other slugs', { slugs: ['b'] }],
    ['a pull of this slug', { slugs: ['a', 'b'] }],
    ['a pull of options that leave it out', {}, { include: 'b' }],
  ])('is not read and stays as it is: %s', async (_, request, options: Options = {}) => {
    const setup = await setUp({ script, before: lock, options })
    const report = await setup.pull(request)
    expect(setup.asked).toEqual(['list', 'b', 'list'])
    expect(kinds(report)).toEqual(['updated b'])
    expect((await setup.lock.read())?.parts).toEqual([
      pinned(held),
      pinned({ slug: 'b', version: 'v2' }),
    ])
  })

  test('stays when the service no longer has it', async () => {
    const setup = await setUp({ script: [workspaceOf({ slug: 'b' })], before: lock })
    expect(labels((await setup.pull()).lock)).toEqual(['a@v1', 'b@v22'])
  })

  test('stays when another entry was edited', async () => {
    const before = printLock(lock, sha256).replace('"gpt-4"', '"other"')
    const setup = await setUp({ script, before })
    expect(await setup.pull()).toMatchObject({ previousLockError: { code: 'LOCK_EDITED' } })
    expect(await setup.lock.read()).toMatchObject({ parts: [held, { version: 'v2' }] })
  })

  test.each([
    ['was edited', 'LOCK_EDITED', (text: string) => text.replace('Legal', 'Other')],
    [
      'is in a conflict that can not be merged',
      'LOCK_CONFLICTED',
      (text: string) => `=======\n${text}`,
    ],
  ])('is never given up: where it %s, a pull leaves the lock', async (_, code, spoil) => {
    const before = spoil(printLock(lock, sha256))
    const setup = await setUp({ script, before })
    expect(await rejection(setup.pull())).toMatchObject({ code })
    expect(await setup.text()).toBe(before)
    expect(setup.asked).toEqual([])
  })

  test('in a conflict that can not be merged is resolved by hand before the next pull', async () => {
    const setup = await setUp({ script, before: `=======\n${printLock(lock, sha256)}` })
    const { details, fix } = await rejection(setup.pull())
    expect(details).toMatchObject({ line: 1, losesHold: true })
    expect(fix).toMatch(/^Resolve it by hand/)
  })

  test('is mentioned by the advice for an edited lock, since a pull does not replace it', async () => {
    const before = printLock(lock, sha256).replace('Legal', 'Other')
    const setup = await setUp({ script, before })
    const { fix } = await rejection(setup.pull())
    expect(fix).toMatch(/^Restore the lock.*unless one is held/)
  })
})

describe('the form of a lock on disk', () => {
  const before = liveLock({ slug: 'a' }, { slug: 'b' })
  const script = [workspaceOf({ slug: 'a' }, { slug: 'b' })]

  test('is kept by a pull without changes if a formatter wrote it', async () => {
    const text = JSON.stringify(JSON.parse(printLock(before, sha256)), undefined, '\t')
    const setup = await setUp({ script, before: text })
    expect(await setup.pull()).toMatchObject({ outcome: 'unchanged' })
    expect(await setup.text()).toBe(text)
  })

  test('is sorted by a pull', async () => {
    const value = JSON.parse(printLock(before, sha256))
    value.prompts.reverse()
    const setup = await setUp({ script, before: JSON.stringify(value, undefined, 2) })
    expect(await setup.pull()).toMatchObject({ outcome: 'written' })
    expect(await setup.text()).toBe(printLock(before, sha256))
  })
})

describe('what no key can read of a conflict', () => {
  const drafts = ['v1', 'v2', 'v3'].map((version) => ({ slug: 'a', version }))
  const lives = drafts.map((part) => liveLock(part))
  const stagings = drafts.map((part) => lockOf({ live: [{ slug: 'a' }], staging: [part] }))

  function merging(sides: readonly Lock[], keys: 'live' | 'test', listed: GivenPrompt) {
    const [base = liveLock(), ours = base, theirs = base] = sides
    const script = [workspaceOf({ slug: 'a', ...listed })]
    return setUp({ script, before: conflict(ours, theirs, base), keys })
  }

  test('is the side with the label of the list, whichever it is', async () => {
    for (const version of ['v2', 'v3']) {
      const staged = await merging(stagings, 'live', { staging: { version } })
      expect(labels((await staged.pull()).lock)).toEqual(['a@v22', `a (staging)@${version}`])
      const live = await merging(lives, 'test', { version, staging: { version: 'v9' } })
      expect((await live.pull()).lock.parts).toContainEqual(pinned({ slug: 'a', version }))
    }
  })

  test('is dropped and named if it is a draft that the list has with another label', async () => {
    const setup = await merging(stagings, 'live', { staging: { version: 'v9' } })
    const { lock, kept } = await setup.pull()
    expect(labels(lock)).toEqual(['a@v22'])
    expect(kept).toMatchObject([
      { slug: 'a', environment: 'test', version: null, listed: 'v9', reason: 'dropped' },
    ])
  })

  test('is an error that asks for a live key if it is a live part', async () => {
    const setup = await merging(lives, 'test', { version: 'v9', staging: { version: 'v10' } })
    const before = await setup.text()
    expect(await rejection(setup.pull())).toMatchObject({
      code: 'KEY_MISSING',
      details: { variable: 'PROMPTS_API_KEY', kind: 'live' },
    })
    expect(await setup.text()).toBe(before)
  })
})

describe('the view of the lock', () => {
  const [of, staged] = [{ slug: 'a' }, { slug: 'b', staging: { version: 'v23' } }]

  test.each([
    ['test', 'no lock', undefined, 'test'],
    ['live', 'no lock', undefined, 'live'],
    ['both', 'no lock', undefined, 'live'],
    ['test', 'a lock of live', 'live', 'live'],
    ['test', 'a lock of staging', 'test', 'test'],
    ['live', 'a lock of staging', 'test', 'live'],
  ] as const)('after a pull with %s keys and %s is %s', async (keys, _, given, want) => {
    const before = given && lockOf({ environment: given, live: [{ slug: 'a' }] })
    const setup = await setUp({
      script: [workspaceOf(of, staged)],
      keys,
      ...(before && { before }),
    })
    const { lock } = await setup.pull()
    expect(lock.environment).toBe(want)
  })

  test('stays if only some prompts are read, even with a live key', async () => {
    const before = lockOf({ environment: 'test', live: [{ slug: 'a' }] })
    const setup = await setUp({ script: [workspaceOf(of, staged)], before })
    expect((await setup.pull({ slugs: ['a'] })).lock.environment).toBe('test')
  })
})

describe('both parts of a prompt', () => {
  const v1 = { slug: 'a', version: 'v1' }
  const staged = lockOf({ live: [v1], staging: [{ slug: 'a', version: 'v2' }] })

  test('are read with both keys, each once', async () => {
    const setup = await setUp({
      script: [workspaceOf({ ...v1, staging: { version: 'v2', system: 'New' } }, { slug: 'b' })],
      keys: 'both',
    })
    const report = await setup.pull()
    expect(labels(report.lock)).toEqual(['a@v1', 'a (staging)@v2', 'b@v22'])
    expect(setup.asked).toEqual(['list', 'list', 'a', 'a', 'b', 'list', 'list'])
    expect(report).toMatchObject({ reads: 3, lists: 2, kept: [] })
  })

  test('are one change if the draft is published, which is left as one', async () => {
    const script = [workspaceOf({ slug: 'a', version: 'v2' })]
    const setup = await setUp({ script, before: staged, keys: 'both' })
    const draft = await setup.prepare()
    expect(draft.changes).toMatchObject([{ environment: 'live', staging: { version: 'v2' } }])
    const rows = draft.changes.map((change) => skippedRow(change, 'not chosen'))
    expect(labels(skipChanges(draft, rows).lock)).toEqual(['a@v1', 'a (staging)@v2'])
  })

  test('may differ from the list where a key is missing, which is named and no change', async () => {
    const script = [workspaceOf({ slug: 'a', version: 'v3', staging: { version: 'v4' } })]
    const setup = await setUp({ script, before: staged, keys: 'live' })
    const report = await setup.pull()
    expect(kinds(report)).toEqual(['updated a'])
    expect(report.kept).toMatchObject([{ environment: 'test', version: 'v2', listed: 'v4' }])
  })

  test('are live parts only without staging, with a test key at hand', async () => {
    const script = [workspaceOf({ ...v1, staging: { version: 'v2' } })]
    const options = { staging: false }
    const setup = await setUp({ script, before: staged, keys: 'both', options })
    expect(labels((await setup.pull()).lock)).toEqual(['a@v1'])
    expect(setup.asked).toEqual(['list', 'a', 'list'])
  })

  test('of a draft that moves while it is read are read again', async () => {
    const moment = (version: string) => workspaceOf({ ...v1, staging: { version } })
    const script = [moment('v2'), moment('v2'), moment('v3')]
    const setup = await setUp({ script, keys: 'both' })
    expect(labels((await setup.pull()).lock)).toEqual(['a@v1', 'a (staging)@v3'])
  })
})

const CUT = '\ud83d'

const REFUSED = [
  { title: 'a system text', prompt: { system: CUT }, problems: ['bad: system', 'bad: source'] },
  { title: 'a user text', prompt: { user: CUT }, problems: ['bad: user', 'bad: source'] },
  { title: 'a folder', prompt: { folder: CUT }, problems: ['bad: folder'] },
  { title: 'a model', prompt: { model: CUT }, problems: ['bad: model'] },
  { title: 'a version', prompt: { version: CUT }, problems: ['bad: version'] },
]

describe('an unpaired surrogate is rejected, with the prompt and its field', () => {
  test.each(REFUSED)('in $title', async ({ prompt, problems }) => {
    const setup = await setUp({
      script: [workspaceOf({ slug: 'good' }, { slug: 'bad', ...prompt })],
    })
    expect(await rejection(setup.pull())).toMatchObject({
      code: 'TEXT_UNPAIRED_SURROGATE',
      details: { problems },
    })
    expect(await setup.lock.readHash()).toBeUndefined()
  })

  test('in a slug', async () => {
    const setup = await setUp({ script: [workspaceOf({ slug: CUT })] })
    expect(await rejection(setup.pull())).toMatchObject({ code: 'TEXT_UNPAIRED_SURROGATE' })
  })

  test('a complete emoji has none', async () => {
    const setup = await setUp({ script: [workspaceOf({ slug: 'good', system: '😀' })] })
    await expect(setup.pull()).resolves.toMatchObject({ outcome: 'written' })
  })
})

describe('a text that contains a key is rejected, and no message shows it', () => {
  const OTHER = 'svc_live_0123456789abcdef'
  const LEAKS: { title: string; prompt: Partial<PinnedPrompt>; key: string }[] = [
    {
      title: 'the key in use',
      prompt: { slug: 'bad', system: `Use ${LOCAL_KEYS.live}.` },
      key: LOCAL_KEYS.live,
    },
    { title: 'another key', prompt: { slug: 'bad', user: OTHER }, key: OTHER },
    { title: 'a key as slug', prompt: { slug: OTHER }, key: OTHER },
    { title: 'a key as version', prompt: { slug: 'bad', version: OTHER }, key: OTHER },
  ]

  test.each(LEAKS)('$title', async ({ prompt, key }) => {
    const setup = await setUp({ script: [workspaceOf(prompt)] })
    const error = await rejection(setup.pull())
    expect(error.code).toBe('TEXT_HOLDS_KEY')
    expect(JSON.stringify([error.message, error.details, error.stack])).not.toContain(key)
    expect(await setup.lock.readHash()).toBeUndefined()
  })
})

test('a slug that no URL can contain is rejected, and the lock is unchanged', async () => {
  const setup = await setUp({ script: [workspaceOf({ slug: 'a' }, { slug: '..' })] })
  expect(await rejection(setup.pull())).toMatchObject({ code: 'SLUG_UNSAFE' })
  expect(await setup.lock.readHash()).toBeUndefined()
})
