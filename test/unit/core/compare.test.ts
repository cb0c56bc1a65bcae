import { describe, expect, test } from 'vitest'
import {
  changedFields,
  comparePrompts,
  compareVariables,
  countUnchanged,
  isSamePrompt,
  promptVariables,
} from '../../../src/core/compare.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { pinned } from '../../helpers/pinned.ts'

const before = pinned({ system: 'Be kind.', user: '{{ ticket }}' })

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
    const after = { ...before, ...change }
    const updated = { kind: 'updated', slug: 'support-triage', before, after } as const
    expect(comparePrompts([before], [after])).toStrictEqual([updated])
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
    expect(compareVariables(before, { ...before, user, source: user })).toEqual({ added, removed })
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

test('a change contains its prompts', () => {
  const [a, b] = ['a', 'b'].map((slug) => pinned({ slug }))
  expect(comparePrompts(a ? [before, a] : [], b ? [b, before] : [])).toStrictEqual([
    { kind: 'removed', slug: 'a', before: a, after: undefined },
    { kind: 'added', slug: 'b', before: undefined, after: b },
  ])
})

test('prompts that only one lock has are not unchanged', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((slug) => pinned({ slug }))
  const [old, now] = [a && b ? [a, b] : [], b && c ? [b, c] : []]
  expect(countUnchanged(now, comparePrompts(old, now))).toBe(1)
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
