import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyChanges,
  changedFields,
  compareLocks,
  comparePrompts,
  compareVariables,
  countUnchanged,
  isSamePrompt,
  promptVariables,
  revertChanges,
} from '../../../src/core/compare.ts'
import { describePart, partKey, type PinnedPrompt } from '../../../src/core/prompt.ts'
import { type GivenLock, lockOf, pinned } from '../../helpers/pinned.ts'
import { sweep } from '../../helpers/sweep.ts'

const PROMPT = pinned({ system: 'Be kind.', user: '{{ ticket }}' })

const FIELDS = [
  { fields: ['folder'], change: { folder: 'sales' } },
  { fields: ['model'], change: { model: 'gpt-6' } },
  { fields: ['temperature'], change: { temperature: 0 } },
  { fields: ['version'], change: { version: 'v23' } },
  {
    fields: ['system', 'source'],
    change: { system: 'Be brief.', source: 'Be brief.\n\n{{ ticket }}' },
  },
  { fields: ['user', 'source'], change: { user: 'Hi', source: 'Be kind.\n\nHi' } },
  { fields: ['source'], change: { source: 'Be kind.\n{{ ticket }}' } },
  {
    fields: ['version', 'system', 'user', 'source'],
    change: { version: 'v23', system: 'a', user: 'b', source: 'ab' },
  },
]

describe('a prompt is updated if a field differs, and its texts that differ are known', () => {
  test.each(FIELDS)('$fields', ({ fields, change }) => {
    const after = { ...PROMPT, ...change }
    const updated = {
      kind: 'updated',
      slug: 'support-triage',
      environment: 'live',
      before: PROMPT,
      after,
    } as const
    expect(comparePrompts([PROMPT], [after])).toStrictEqual([updated])
    const texts = fields.filter((field) => ['system', 'user', 'source'].includes(field))
    expect(changedFields(updated)).toEqual(texts)
  })
})

const VARIABLES = [
  { title: 'the same', user: '{{ticket}}!', added: [], removed: [] },
  { title: 'another spelling', user: '{{ticket}} {{  ticket }}', added: [], removed: [] },
  { title: 'one more', user: '{{ ticket }} {{ tone }}', added: ['tone'], removed: [] },
  { title: 'a renamed one', user: '{{ Ticket }}', added: ['Ticket'], removed: ['ticket'] },
  { title: 'none left', user: 'Hi', added: [], removed: ['ticket'] },
]

describe('the variables of two versions are compared', () => {
  test.each(VARIABLES)('$title', ({ user, added, removed }) => {
    expect(compareVariables(PROMPT, { ...PROMPT, user, source: user })).toEqual({ added, removed })
  })
})

test('snapshots are compared by slug in any order, and changes are sorted by slug', () => {
  const [a, b, c, d] = ['a', 'b', 'c', '😀'].map((slug) => pinned({ slug }))
  const list = (...prompts: (PinnedPrompt | undefined)[]) =>
    prompts.flatMap((prompt) => prompt ?? [])
  const kinds = comparePrompts(list(c, a, b), list(d, { ...pinned({ slug: 'b' }), model: 'x' }, a))
  expect(kinds.map(({ kind, slug }) => `${slug} ${kind}`)).toEqual([
    'b updated',
    'c removed',
    '😀 added',
  ])
})

const [v1, v2, v3] = ['v1', 'v2', 'v3'].map((version) => ({ slug: 'a', version })) as [
  Partial<PinnedPrompt>,
  Partial<PinnedPrompt>,
  Partial<PinnedPrompt>,
]

describe('the parts of a prompt are compared, each as code sees it', () => {
  test.each<[string, GivenLock, GivenLock, string[]]>([
    ['a live update', { live: [v1] }, { live: [v2] }, ['a v1 → v2']],
    [
      'a live update of a staged prompt',
      { live: [v1], staging: [v3] },
      { live: [v2], staging: [v3] },
      ['a v1 → v2'],
    ],
    ['a draft that comes', { live: [v1] }, { live: [v1], staging: [v2] }, ['a (staging) v1 → v2']],
    [
      'a draft that changes',
      { live: [v1], staging: [v2] },
      { live: [v1], staging: [v3] },
      ['a (staging) v2 → v3'],
    ],
    [
      'a draft that is discarded',
      { live: [v1], staging: [v2] },
      { live: [v1] },
      ['a (staging) v2 → v1'],
    ],
    [
      'a draft that is published',
      { live: [v1], staging: [v2] },
      { live: [v2] },
      ['a v1 → v2 with v2'],
    ],
    [
      'a new draft of a new live version',
      { live: [v1], staging: [v2] },
      { live: [v2], staging: [v3] },
      ['a v1 → v2', 'a (staging) v2 → v3'],
    ],
    ['a prompt that is removed', { live: [v1], staging: [v2] }, {}, ['a v1 → gone with v2']],
    ['a prompt that is only staged', {}, { staging: [v1] }, ['a (staging) new → v1']],
    [
      'a live part that is read for the first time',
      { staging: [v2] },
      { live: [v1], staging: [v2] },
      ['a new → v1'],
    ],
    [
      'a first version that is published',
      { staging: [v1] },
      { live: [v1] },
      ['a new → v1 with v1'],
    ],
    [
      'live rows before staging rows',
      { live: [v1, { slug: 'b' }] },
      { live: [v1, { slug: 'b', version: 'v9' }], staging: [v2] },
      ['b v22 → v9', 'a (staging) v1 → v2'],
    ],
    [
      'equal locks',
      { live: [v1], staging: [v2] },
      { live: [v1], staging: [{ ...v2, held: { reason: '' } }] },
      [],
    ],
  ])('%s', (_, before, after, want) => {
    const rows = compareLocks(lockOf(before), lockOf(after)).map((change) => {
      const [old, now] = [change.before?.version ?? 'new', change.after?.version ?? 'gone']
      const staging = change.staging === undefined ? '' : ` with ${change.staging.version}`
      return `${describePart(change)} ${old} → ${now}${staging}`
    })
    expect(rows).toEqual(want)
  })

  const label = fc.constantFrom(undefined, 'v1', 'v2', 'v3')
  const lock = fc.record({ a: label, stagedA: label, b: label, stagedB: label }).map((labels) => {
    const partsOf = (a: string | undefined, b: string | undefined) =>
      Object.entries({ a, b }).flatMap(([slug, version]) =>
        version === undefined ? [] : [{ slug, version, system: version }],
      )
    const { a, b, stagedA, stagedB } = labels
    return lockOf({ live: partsOf(a, b), staging: partsOf(stagedA, stagedB) })
  })

  test('applying all changes gives the later lock, and reverting any of them leaves the others', () => {
    fc.assert(
      fc.property(lock, lock, fc.nat(15), (before, after, bits) => {
        const changes = compareLocks(before, after)
        expect(applyChanges(before, changes)).toEqual(after)
        const isReverted = (index: number): boolean => (bits & (1 << index)) !== 0
        const kept = changes.filter((_, index) => !isReverted(index))
        const reverted = revertChanges(
          after,
          changes.filter((_, index) => isReverted(index)),
        )
        expect(reverted).toEqual(applyChanges(before, kept))
        expect(compareLocks(before, reverted).map(partKey)).toEqual(kept.map(partKey))
      }),
      sweep(),
    )
  })
})

test('prompts are unchanged if neither of their parts has changed', () => {
  const before = lockOf({ live: [{ slug: 'a' }, { slug: 'b' }, { slug: 'c' }] })
  const after = lockOf({
    live: [{ slug: 'b' }, { slug: 'c' }, { slug: 'd' }],
    staging: [{ slug: 'c', version: 'v23' }],
  })
  expect(countUnchanged(after, compareLocks(before, after))).toBe(1)
})

test('slugs of the prototype are slugs as any other', () => {
  const prompts = ['__proto__', 'constructor', 'toString'].map((slug) => pinned({ slug }))
  expect(comparePrompts([], prompts).map(({ kind }) => kind)).toEqual(['added', 'added', 'added'])
})

test('a negative zero is not a change', () => {
  const [zero, negative] = [0, -0].map((temperature) => pinned({ temperature }))
  expect(zero && negative && comparePrompts([zero], [negative])).toEqual([])
})

test.each<[string, Partial<PinnedPrompt>]>([
  ['slug', { slug: 'other' }],
  ['folder', { folder: 'other' }],
  ['model', { model: 'other' }],
  ['temperature', { temperature: 1 }],
  ['version', { version: 'v23' }],
  ['system', { system: 'Be short.', source: pinned().source }],
  ['user', { user: '{{ ticket }}', source: pinned().source }],
  ['source', { source: 'Be kind!' }],
])('two prompts are the same in all or not at all: %s', (_, fields) => {
  expect(isSamePrompt(pinned(), pinned())).toBe(true)
  expect(isSamePrompt(pinned(), pinned(fields))).toBe(false)
  expect(isSamePrompt(pinned(), undefined)).toBe(false)
})

describe('the variables of a prompt', () => {
  test('are sorted by first appearance in system, then user', () => {
    expect(promptVariables(pinned({ system: '{{b}}', user: '{{a}}{{b}}' }))).toEqual(['b', 'a'])
  })

  test('include those of a source that is not a join', () => {
    const prompt = pinned({ system: '{{a}}', user: '', source: '{{a}} {{c}}' })
    expect(promptVariables(prompt)).toEqual(['a', 'c'])
  })
})
