import { readFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Options } from '../../../../src/config/options.ts'
import { changeRows, skippedRow } from '../../../../src/core/change-row.ts'
import { listDifferences } from '../../../../src/core/drift.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { describePart, type Lock, type PinnedPrompt } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/files.ts'
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
  /** What the service was asked for. */
  readonly asked: readonly string[]
  pull(): Promise<PullDraft & CommitResult>
  /** The text of the lock; `undefined` if there is none. */
  text(): Promise<string | undefined>
}

interface Given {
  /** The workspace, by names for {@link read}, or its moments. */
  readonly serves: string | readonly Workspace[]
  /** The lock that is there, by such names or as a text, which begins with a sign; none by default. */
  readonly before?: Lock | string | undefined
  /** Default: `live`. */
  readonly keys?: 'live' | 'test' | 'both'
  readonly options?: Options
  readonly request?: PullRequest
}

async function setUp({ serves, before, keys = 'live', ...given }: Given): Promise<Setup> {
  const script = typeof serves === 'string' ? [served(serves)] : serves
  const { url, asked } = await startScriptedService(...script)
  const isText = typeof before === 'string' && /^\W/.test(before)
  const text = before === undefined || isText ? before : printOf(before)
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

/** Prompts by short names: `a`, `a@v1`, with a staging version `a@v1+v2`. */
function read(names: string) {
  return names.split(' ').map((name) => {
    const [slug = '', version = 'v22', staging] = name.split(/[@+]/)
    return { slug, version, ...(staging !== undefined && { staging: { version: staging } }) }
  })
}

function served(names: string): Workspace {
  return workspaceOf(...(names === '' ? [] : read(names)))
}

function locked(names: string, environment: Lock['environment'] = 'live'): Lock {
  const prompts = read(names)
  return lockOf({
    environment,
    live: prompts.map(({ slug, version }) => ({ slug, version })),
    staging: prompts.flatMap(({ slug, staging }) => (staging ? { slug, ...staging } : [])),
  })
}

function printOf(lock: Lock | string): string {
  return printLock(typeof lock === 'string' ? locked(lock) : lock, sha256)
}

/** `slug@version` of each pinned part, with `(staging)`. */
function labels({ parts }: Pick<Lock, 'parts'>): string {
  return parts.map((part) => `${describePart(part)}@${part.version}`).join(', ')
}

/** `kind slug` of each change. */
function kinds({ changes }: Pick<PullDraft, 'changes'>): string {
  return changes.map((change) => `${change.kind} ${describePart(change)}`).join(', ')
}

/** What a pull leaves: the labels of the lock, the changes, what was asked, and more of its draft. */
interface Want {
  readonly pinned?: string
  readonly changes?: string
  readonly asked?: string
  readonly draft?: Readonly<Record<string, unknown>>
}

function pulls(rows: Readonly<Record<string, readonly [given: Given, want: Want]>>): void {
  for (const [title, [given, { draft = {}, ...want }]] of Object.entries(rows))
    test(title, async () => {
      const setup = await setUp(given)
      const report = await setup.pull()
      const { asked } = setup
      const result = { pinned: labels(report.lock), changes: kinds(report), asked: asked.join(' ') }
      expect(result).toMatchObject(want)
      expect(report).toMatchObject({
        reads: asked.filter((name) => name !== 'list').length,
        ...draft,
      })
      expect(await setup.project.lock.read()).toEqual(report.lock)
    })
}

type Refusal = readonly [given: Given, error: object, asked?: string]

/** The lock is as it was, or there is none. */
function refuses(rows: Readonly<Record<string, Refusal>>): void {
  for (const [title, [given, error, asked]] of Object.entries(rows))
    test(title, async () => {
      const setup = await setUp(given)
      const before = await setup.text()
      expect(await rejection(setup.pull())).toMatchObject(error)
      expect(await setup.text()).toBe(before)
      if (asked !== undefined) expect(setup.asked.join(' ')).toBe(asked)
    })
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

  test('writes nothing before its draft is committed', async () => {
    const { project, text } = await setUp({ serves: 'a' })
    const draft = await project.prepare()
    expect(await text()).toBeUndefined()
    expect(await project.commit(draft)).toEqual({ outcome: 'written', generated: [] })
    expect(await project.lock.read()).toEqual(draft.lock)
  })

  test('keeps the entries of the changes that its draft leaves', async () => {
    const { project } = await setUp({
      serves: [workspaceOf({ slug: 'a', version: 'v2', system: '{{' }, ...read('b@v2'))],
      before: 'a@v1 b@v1',
    })
    const draft = await project.prepare()
    const left = skipChanges(
      draft,
      draft.changes.slice(0, 1).map((change) => skippedRow(change, 'not chosen')),
    )
    expect([draft.notes, left.notes]).toMatchObject([[{ slug: 'a' }], []])
    expect(kinds(left)).toBe('updated b')
    expect(left.skipped.map((skipped) => skipped.change.slug)).toEqual(['a'])
    await project.commit(left)
    expect(labels((await project.lock.read()) ?? liveLock())).toBe('a@v1, b@v2')
  })

  test('reports its progress after each read', async () => {
    const onProgress = vi.fn<(progress: Progress) => void>()
    await (await setUp({ serves: 'a b c', request: { onProgress } })).pull()
    expect(onProgress.mock.calls).toEqual(
      [1, 2, 3].map((done) => [{ kind: 'read', done, total: 3 }]),
    )
  })

  test('writes nothing once it is aborted', async () => {
    const reason = new Error('enough')
    const request = { signal: AbortSignal.abort(reason) }
    const setup = await setUp({ serves: 'a', request })
    await expect(setup.pull()).rejects.toBe(reason)
    expect(await setup.text()).toBeUndefined()
  })

  const tokens = (count: number): GivenPrompt => ({ slug: 'a', system: '{{ a }}'.repeat(count) })
  const tooMany = { code: 'TOO_MANY_TOKENS', details: { problems: ['a: 20,001'], limit: 20_000 } }
  pulls({
    'reports notes of new prompts, ten of each at most, and colliding names': [
      {
        serves: [
          workspaceOf({ slug: 'a-b', system: '{{}}' }, { slug: 'a_b', user: '{{'.repeat(500) }),
        ],
      },
      {
        draft: {
          notes: [
            { slug: 'a-b', count: 1, first: [{ field: 'system', kind: 'empty' }] },
            { slug: 'a_b', count: 500, first: { length: 10 } },
          ],
          collisions: [{ identifier: 'aB', slugs: ['a-b', 'a_b'] }],
        },
      },
    ],
    'accepts a prompt of 20,000 tokens': [
      { serves: [workspaceOf(tokens(20_000))] },
      { draft: { outcome: 'written' } },
    ],
    'reads every prompt, because temperatures change under the same version': [
      { serves: [workspaceOf({ slug: 'a', temperature: 1 })], before: 'a' },
      { draft: { changes: [{ kind: 'updated', after: { temperature: 1 } }] } },
    ],
    'never reads what the options exclude': [
      {
        serves: [workspaceOf(...read('a b c').map((one) => ({ ...one, folder: one.slug })))],
        before: 'b',
        options: { include: ['a/*', 'c/*'] },
      },
      { changes: 'added a, removed b, added c', asked: 'list a c list' },
    ],
    'without changes keeps a lock that a formatter wrote': [
      { serves: 'a b', before: JSON.stringify(JSON.parse(printOf('a b')), undefined, '\t') },
      { draft: { outcome: 'unchanged' } },
    ],
    'sorts the lock': [
      { serves: 'a b', before: reversed(locked('a b')) },
      { draft: { outcome: 'written' }, changes: '' },
    ],
  })
  refuses({
    'refuses a prompt of more than 20,000 tokens': [
      { serves: [workspaceOf(tokens(20_001))] },
      tooMany,
    ],
    'counts the tokens of both texts': [
      { serves: [workspaceOf({ ...tokens(20_000), user: '{{ a }}' })] },
      tooMany,
    ],
    'rejects a slug that no URL can contain': [
      { serves: [workspaceOf({ slug: 'a' }, { slug: '..' })] },
      { code: 'SLUG_UNSAFE' },
    ],
  })
})

function reversed(lock: Lock): string {
  const value = JSON.parse(printLock(lock, sha256))
  return JSON.stringify({ ...value, prompts: value.prompts.toReversed() }, undefined, 2)
}

describe('two pulls at once', () => {
  const serves = 'a@v2'

  test.each([
    ['without a lock', undefined],
    ['with a lock', 'a@v1'],
  ])('both read, and the one that commits second is refused: %s', async (_, before) => {
    const { project, asked, text } = await setUp({ serves, before })
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
    const { project } = await setUp({ serves, before: 'a@v1' })
    const draft = await project.prepare()
    const shown = await project.show()
    const held = holdParts(shown.lock, ['a'], 'live', 'Legal')
    await project.commit(project.draftEdit(shown, held))
    expect(await rejection(project.commit(draft))).toMatchObject({ code: 'LOCK_CHANGED' })
    expect(await project.lock.read()).toMatchObject({
      parts: [{ version: 'v1', held: { reason: 'Legal' } }],
    })
  })
})

const MOVING = [
  ['a new version: only that prompt is read again', 'a1 b, a1 b, a2 b', 'a b, a, ', 'a@v2, b@v22'],
  ['a version that was already read: no read', 'a1 b, a2 b', 'a b, ', 'a@v2, b@v22'],
  ['a version that went back', 'a1 b, a2 b, a1 b', 'a b, a, ', 'a@v1, b@v22'],
  ['a new prompt', 'b, b, a1 b', 'b, a, ', 'a@v1, b@v22'],
  ['a prompt that was removed after its read', 'a1 b, a1 b, b', 'a b, ', 'b@v22'],
  ['a prompt that was removed before its read, so it is 404', 'a1 b, b', 'a b, ', 'b@v22'],
  ['a model without a new version', 'a1 b, a1 b, a1/model b', 'a b, a, ', 'a@v1, b@v22'],
  ['a folder without a new version', 'a1 b, a1 b, a1/folder b', 'a b, a, ', 'a@v1, b@v22'],
  ['two changes, one after the other', 'a1, a1, a2, a2, a3', 'a, a, a, ', 'a@v3'],
] as const

/** The prompts of a moment by short names: `a1/model` is `a` in version 1 with another model. */
function moment(names: string): Workspace {
  const prompts = names.split(' ').map((name): GivenPrompt => {
    const [, slug = '', version = '22', field] = /^(\D)(\d*)\/?(.*)$/.exec(name) ?? []
    return { slug, version: `v${version || 22}`, ...(field && { [field]: 'other' }) }
  })
  return workspaceOf(...prompts)
}

describe('the lock is one moment of the workspace, whatever is published meanwhile:', () => {
  for (const [title, moments, rounds, want] of MOVING) {
    // Each round lists, and reads what has changed.
    const asked = rounds.split(', ').map((names) => `list ${names}`.trim())
    const serves = moments.split(', ').map(moment)
    const draft = { lists: asked.length }
    pulls({ [title]: [{ serves }, { pinned: want, asked: asked.join(' '), draft }] })
  }
  pulls({
    'a draft that moves while it is read': [
      { serves: ['a@v1+v2', 'a@v1+v2', 'a@v1+v3'].map(served), keys: 'both' },
      { pinned: 'a@v1, a (staging)@v3' },
    ],
  })
  refuses({
    'after three rounds it gives up, and names what changes': [
      {
        serves: Array.from({ length: 9 }, (_, index) => served(`a@v${index} b`)),
        before: 'before',
      },
      { code: 'PULL_UNSETTLED', details: { slugs: ['a'], rounds: 3 } },
      'list a b list a list a list',
    ],
    'a prompt that is listed but not found is an error of the service': [
      { serves: ['a b', 'b', 'a b'].map(served) },
      { code: 'PROMPT_NOT_FOUND', details: { slugs: ['a'] } },
    ],
  })
})

describe('a pull from another workspace', () => {
  const empty = { serves: '', before: 'a b' }
  const other = { serves: 'x y', before: 'a b c' }
  const request = { allowReplace: true }
  const whole = printOf(empty.before)
  const BROKEN = [
    ['LOCK_CONFLICTED', `<<<<<<< HEAD\n${whole}`],
    ['LOCK_EDITED', whole.replace('kind', 'mean')],
  ] as const
  for (const [code, before] of BROKEN) {
    const details = { held: 'the broken lock may have some' }
    const error = { code: 'PULL_EMPTY', details, cause: { code } }
    const draft = { previousLockError: { code } }
    refuses({
      [`is refused if it is empty and the lock is ${code}`]: [{ ...empty, before }, error],
    })
    pulls({
      [`may be empty with allowReplace: ${code}`]: [{ ...empty, before, request }, { draft }],
    })
  }
  refuses({
    'is refused if it is empty': [
      empty,
      { code: 'PULL_EMPTY', details: { held: 'the lock has 2' } },
    ],
    'is refused if the options exclude everything': [
      { serves: 'a', before: 'a', options: { exclude: '**' } },
      { code: 'PULL_EMPTY' },
    ],
    'is refused before a prompt is read if it has no prompt of the lock': [
      other,
      { code: 'PULL_UNRELATED', details: { count: 2, known: 3 } },
      'list',
    ],
  })
  pulls({
    'may be empty with allowReplace': [{ ...empty, request }, { changes: 'removed a, removed b' }],
    'may have other prompts with allowReplace': [
      { ...other, request },
      { changes: 'removed a, removed b, removed c, added x, added y' },
    ],
    'may have one of the prompts, even if the options exclude it': [
      { ...other, serves: 'c x', options: { exclude: 'c' } },
      { pinned: 'x@v22' },
    ],
    'may have other prompts than a lock of two, which may both be renamed': [
      { ...other, before: 'a b' },
      { pinned: 'x@v22, y@v22' },
    ],
  })
})

describe('a pull of changes', () => {
  const request = { changed: true }
  const CHANGED: readonly [what: string, prompt: GivenPrompt, asked: string][] = [
    ['nothing', {}, 'list list'],
    ['a version', { version: 'v2' }, 'list a list'],
    ['a model', { model: 'gpt-6' }, 'list a list'],
    ['a folder', { folder: 'sales' }, 'list a list'],
    ['a temperature, which no list shows', { temperature: 1 }, 'list list'],
    ['a text under the same label, which no list shows', { system: 'x' }, 'list list'],
  ]
  const edited = printOf('a').replace('kind', 'mean')
  const rewritten = { slug: 'a', staging: { version: 'v23', system: 'rewritten' } }
  for (const [what, prompt, asked] of CHANGED) {
    const serves = [workspaceOf({ slug: 'a', ...prompt }, { slug: 'b' })]
    pulls({ [`reads what differs: ${what}`]: [{ serves, before: 'a b', request }, { asked }] })
  }
  pulls({
    'reads new prompts and drops removed ones': [
      { serves: 'b c', before: 'a b', request },
      { changes: 'removed a, added c', asked: 'list c list' },
    ],
    'reads every draft, which may be rewritten under its label': [
      {
        serves: [workspaceOf(rewritten, { slug: 'b' })],
        before: 'a@v22+v23 b',
        keys: 'both',
        request,
      },
      { changes: 'updated a (staging)', asked: 'list list a list list' },
    ],
    'reads everything from a lock that was edited': [
      { serves: 'a', before: edited, request },
      { asked: 'list a list' },
    ],
  })
  refuses({ 'needs a lock': [{ serves: 'a', request }, { code: 'LOCK_MISSING' }, ''] })
})

describe('a pull of some slugs', () => {
  const given = { serves: 'a@v2 b@v2 c@v2', before: 'a@v1 b@v1' }
  const of = (...slugs: string[]): Given => ({ ...given, request: { slugs } })
  pulls({
    'updates these, reads nothing else, and keeps the rest': [
      of('b'),
      { pinned: 'a@v1, b@v2', asked: 'list b list' },
    ],
    'adds new ones': [of('c'), { pinned: 'a@v1, b@v1, c@v2' }],
    'drops one that was removed from the workspace': [
      { ...of('a'), serves: 'b' },
      { pinned: 'b@v1' },
    ],
  })
  refuses({
    'names slugs that exist nowhere, all at once': [
      of('x', 'a', 'y'),
      {
        code: 'SLUG_UNKNOWN',
        details: { slugs: ['x', 'y'], known: expect.arrayContaining(['a', 'b', 'c']) },
      },
    ],
    'does not pin what the options exclude': [
      { ...of('c'), options: { exclude: 'c' } },
      { code: 'SLUG_UNKNOWN' },
      'list list',
    ],
    'needs a lock, because a lock of some prompts would look complete': [
      { serves: given.serves, request: { slugs: ['a'] } },
      { code: 'LOCK_MISSING', details: { path: expect.stringMatching(/prompts\.lock\.json$/) } },
      '',
    ],
  })
})

describe('a service whose live and staging version have one label', () => {
  const text = 'Draft, not published.'
  const workspace = workspaceOf({
    slug: 'a',
    version: 'v1',
    staging: { version: 'v1', system: text },
  })

  test.each([
    ['with a test key is a staging part', 'test'],
    ['with both keys is a staging part', 'both'],
  ] as const)('what is read of it %s, never a live one', async (_, keys) => {
    const setup = await setUp({ serves: [workspace], before: 'a@v1', keys })
    const { lock } = await setup.pull()
    expect(labels(lock)).toBe('a@v1, a (staging)@v1')
    expect(lock.parts.map(({ system }) => system)).toEqual(['Be kind.', text])
    expect((await setup.pull()).changes).toEqual([])
  })

  test('a staging part that has become equal to the live one is left out, also if no key reads it', async () => {
    const setup = await setUp({ serves: 'a@v1+v1', before: 'a@v1+v1', keys: 'live' })
    expect(labels((await setup.pull()).lock)).toBe('a@v1')
  })

  test('a staging part that is equal to the live one because its update is left is left out', async () => {
    const setup = await setUp({ serves: 'a@v2+v1', before: 'a@v1', keys: 'both' })
    const draft = await setup.project.prepare()
    const left = changeRows(draft.changes).filter(({ change }) => change.environment === 'live')
    expect(labels(skipChanges(draft, left).lock)).toBe('a@v1')
  })

  test('a staging part that is equal to the live one is not pinned, and no pull or list names it', async () => {
    const serves = [workspaceOf({ slug: 'a', version: 'v1', staging: { version: 'v1' } })]
    const setup = await setUp({ serves, before: 'a@v1', keys: 'both' })
    expect(await setup.pull()).toMatchObject({ changes: [], kept: [], reads: 2 })
    const { entries } = await setup.project.withService(async (service) => {
      return { entries: (await service.list()).prompts }
    })
    const lock = await setup.project.readLock()
    const readable = { live: 'all', staging: true } as const
    expect(listDifferences(lock, { entries, readable })).toEqual({ rows: [], kept: [] })
  })
})

describe('a broken lock', () => {
  const whole = printOf('a')
  const serves = 'a b'
  const REPAIRED = [
    ['LOCK_CONFLICTED', `<<<<<<< HEAD\n${whole}`],
    ['LOCK_EDITED', whole.replace('kind', 'mean')],
  ] as const
  const KEPT = [
    ['LOCK_TOO_NEW', whole.replace(/"lockVersion": \d+/, '"lockVersion": 99')],
    ['LOCK_SYNTAX', '{'],
    ['LOCK_INVALID', '{}'],
  ] as const
  for (const [code, before] of REPAIRED) {
    const draft = { outcome: 'written', previousLockError: { code } }
    pulls({ [`is replaced by a pull, which reports ${code}`]: [{ serves, before }, { draft }] })
  }
  for (const [code, before] of KEPT)
    refuses({
      [`is never overwritten, without a request: ${code}`]: [{ serves, before }, { code }, ''],
    })
  for (const [code, before] of [...REPAIRED, ...KEPT]) {
    const request = { slugs: ['a'] }
    refuses({ [`refuses a pull of some slugs: ${code}`]: [{ serves, before, request }, { code }] })
  }
})

/** Both sides as one conflict over the whole lock, with their base. */
function conflict(ours: string, theirs: string, base: string): string {
  const [one, other, before] = [ours, theirs, base].map((side) => printOf(side))
  return `<<<<<<< HEAD\n${one}||||||| base\n${before}=======\n${other}>>>>>>> main\n`
}

describe('a lock with a merge conflict', () => {
  const base = 'a@v1 b@v1 c@v1 d@v1'
  const ours = 'a@v2 b@v1 c@v1 d@v2'
  const before = conflict(ours, 'a@v1 b@v3 c@v1 d@v3', base)
  const serves = 'a@v9 b@v9 c@v9 d@v9'
  const drafts = conflict('a@v22+v2', 'a@v22+v3', 'a@v22+v1')
  const lives = conflict('a@v2', 'a@v3', 'a@v1')
  for (const version of ['v2', 'v3'])
    pulls({
      [`gets the draft ${version} without a test key if the list names it`]: [
        { serves: `a@v22+${version}`, before: drafts },
        { pinned: `a@v22, a (staging)@${version}` },
      ],
      [`gets the live part ${version} without a live key if the list names it`]: [
        { serves: `a@${version}+v9`, before: lives, keys: 'test' },
        { pinned: `a@${version}` },
      ],
    })
  pulls({
    'is merged, and only what both sides changed is read': [
      { serves, before },
      {
        asked: 'list d list',
        pinned: 'a@v2, b@v3, c@v1, d@v9',
        changes: 'updated b, updated d',
        draft: {
          outcome: 'written',
          merged: [{ slug: 'd', environment: 'live' }],
          previousLockError: { code: 'LOCK_CONFLICTED' },
        },
      },
    ],
    'is merged without a read if no prompt was changed on both sides': [
      { serves, before: conflict(ours, base, base), request: { changed: true } },
      { pinned: 'a@v2, b@v1, c@v1, d@v2', asked: 'list list', draft: { merged: [] } },
    ],
    'loses a prompt that both sides changed when the service no longer has it': [
      { serves: 'a@v9 b@v9 c@v9', before },
      { pinned: 'a@v2, b@v3, c@v1' },
    ],
    'is merged by part: two branches that pull the two parts of one prompt need no read': [
      { serves, before: conflict('a@v2', 'a@v1+v3', 'a@v1') },
      { pinned: 'a@v2, a (staging)@v3', draft: { reads: 0, merged: [] } },
    ],
    'loses a draft that no key reads and that the list has with another label, which is named': [
      { serves: 'a@v22+v9', before: drafts },
      {
        pinned: 'a@v22',
        draft: {
          kept: [
            { slug: 'a', environment: 'test', version: null, listed: 'v9', reason: 'dropped' },
          ],
        },
      },
    ],
  })
  refuses({
    'needs a live key for a live part that the list has with another label': [
      { serves: 'a@v9+v10', before: lives, keys: 'test' },
      { code: 'KEY_MISSING', details: { variable: 'PROMPTS_API_KEY', kind: 'live' } },
    ],
  })
})

describe('a held prompt', () => {
  const held = { slug: 'a', version: 'v1', held: { reason: 'Legal' } }
  const serves = 'a@v2 b@v2'
  const lock = liveLock(held, { slug: 'b', version: 'v1', model: 'gpt-4' })
  const text = printLock(lock, sha256)
  const given = { serves, before: lock }
  const parts = [held, { slug: 'b', version: 'v2' }]
  const stays = { changes: 'updated b', asked: 'list b list', draft: { lock: { parts } } }
  pulls({
    'is not read by a whole pull': [given, stays],
    'is not read by a pull of what changed': [{ ...given, request: { changed: true } }, stays],
    'is not read by a pull of other slugs': [{ ...given, request: { slugs: ['b'] } }, stays],
    'is not read by a pull of this slug': [{ ...given, request: { slugs: ['a', 'b'] } }, stays],
    'stays if the options leave it out': [{ ...given, options: { include: 'b' } }, stays],
    'stays when the service no longer has it': [
      { serves: 'b', before: lock },
      { pinned: 'a@v1, b@v22' },
    ],
    'stays when another entry was edited': [
      { serves, before: text.replace('"gpt-4"', '"other"') },
      { draft: { previousLockError: { code: 'LOCK_EDITED' }, lock: { parts } } },
    ],
  })
  refuses({
    'is never given up where it was edited, as the advice says': [
      { serves, before: text.replace('Legal', 'Other') },
      { code: 'LOCK_EDITED', fix: expect.stringMatching(/^Restore the lock.*unless one is held/) },
      '',
    ],
    'is never given up in a conflict that can not be merged, which a person resolves': [
      { serves, before: `=======\n${text}` },
      {
        code: 'LOCK_CONFLICTED',
        details: { line: 1, losesHold: true },
        fix: expect.stringMatching(/^Resolve it by hand/),
      },
      '',
    ],
  })
})

describe('the view of the lock', () => {
  const serves = 'a b@v22+v23'
  const VIEWS = [
    ['test', undefined, 'test'],
    ['live', undefined, 'live'],
    ['both', undefined, 'live'],
    ['test', 'live', 'live'],
    ['test', 'test', 'test'],
    ['live', 'test', 'live'],
  ] as const
  for (const [keys, former, environment] of VIEWS) {
    const title = `is ${environment} after a pull with ${keys} keys, where it was ${former}`
    const before = former && locked('a', former)
    pulls({ [title]: [{ serves, keys, before }, { draft: { lock: { environment } } }] })
  }
  pulls({
    'is live after a pull with a test key that replaces a lock that can not be read': [
      { serves, keys: 'test', before: `<<<<<<< HEAD\n${printOf('a')}` },
      { draft: { lock: { environment: 'live' } } },
    ],
    'stays if only some prompts are read, even with a live key': [
      { serves, before: locked('a', 'test'), request: { slugs: ['a'] } },
      { draft: { lock: { environment: 'test' } } },
    ],
  })
})

describe('both parts of a prompt', () => {
  pulls({
    'are read with both keys, each once': [
      { serves: 'a@v1+v2 b', keys: 'both' },
      {
        pinned: 'a@v1, a (staging)@v2, b@v22',
        asked: 'list list a a b list list',
        draft: { lists: 2, kept: [] },
      },
    ],
    'may differ from the list where a key is missing, which is named and no change': [
      { serves: 'a@v3+v4', before: 'a@v1+v2' },
      {
        changes: 'updated a',
        draft: { kept: [{ environment: 'test', version: 'v2', listed: 'v4' }] },
      },
    ],
    'are live parts only without staging, with a test key at hand': [
      { serves: 'a@v1+v2', before: 'a@v1+v2', keys: 'both', options: { staging: false } },
      { pinned: 'a@v1', asked: 'list a list' },
    ],
  })

  const published = { slug: 'a', environment: 'test', version: 'v2', listed: null }
  test.each([
    ['is published', 'a@v2 b', [{ ...published, reason: 'published' }]],
    ['is removed with the prompt', 'b', []],
  ])('are one change if the draft %s, which is left as one', async (_, serves, kept) => {
    const setup = await setUp({ serves, before: 'a@v1+v2 b', keys: 'both' })
    const draft = await setup.project.prepare()
    expect(draft.changes).toMatchObject([{ environment: 'live', staging: { version: 'v2' } }])
    const rows = draft.changes.map((change) => skippedRow(change, 'not chosen'))
    expect(skipChanges(draft, rows)).toMatchObject({ lock: draft.before, changes: [], kept })
  })
})

describe('an unpaired surrogate', () => {
  const CUT = '\ud83d'
  const REFUSED: readonly [what: string, prompt: GivenPrompt, problems: unknown][] = [
    ['a system text', { system: CUT }, ['bad: system', 'bad: source']],
    ['a user text', { user: CUT }, ['bad: user', 'bad: source']],
    ['a folder', { folder: CUT }, ['bad: folder']],
    ['a model', { model: CUT }, ['bad: model']],
    ['a version', { version: CUT }, ['bad: version']],
    ['a slug', { slug: CUT }, expect.any(Array)],
  ]
  for (const [what, prompt, problems] of REFUSED) {
    const serves = [workspaceOf({ slug: 'good', system: '😀' }, { slug: 'bad', ...prompt })]
    const error = { code: 'TEXT_UNPAIRED_SURROGATE', details: { problems } }
    refuses({ [`is rejected in ${what}, with the prompt and its field`]: [{ serves }, error] })
  }
})

const OTHER = 'svc_live_0123456789abcdef'

test.each<[what: string, prompt: Partial<PinnedPrompt>, key: string]>([
  ['the key in use', { system: `Use ${LOCAL_KEYS.live}.` }, LOCAL_KEYS.live],
  ['another key', { user: OTHER }, OTHER],
  ['a key as slug', { slug: OTHER }, OTHER],
  ['a key as version', { version: OTHER }, OTHER],
])(
  'a text that contains a key is rejected, and no message shows it: %s',
  async (_, prompt, key) => {
    const setup = await setUp({ serves: [workspaceOf({ slug: 'bad', ...prompt })] })
    const error = await rejection(setup.pull())
    expect(error.code).toBe('TEXT_HOLDS_KEY')
    expect(JSON.stringify([error.message, error.details, error.stack])).not.toContain(key)
    expect(await setup.text()).toBeUndefined()
  },
)
