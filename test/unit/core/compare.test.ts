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
  leaveChanges,
  promptVariables,
  prune,
} from '../../../src/core/compare.ts'
import { describePart, type Lock, type PinnedPrompt, sortParts } from '../../../src/core/prompt.ts'
import { partsOf, pinned } from '../../helpers/pinned.ts'
import { sweep } from '../../helpers/sweep.ts'

const PROMPT = pinned({ system: 'Be kind.', user: '{{ ticket }}' })

test.each([
  ['folder', { folder: 'sales' }],
  ['model', { model: 'gpt-6' }],
  ['temperature', { temperature: 0 }],
  ['version', { version: 'v23' }],
  ['system', { system: 'Be brief.' }],
  ['user', { user: 'Hi' }],
  ['source', { source: 'Be kind.\n{{ ticket }}' }],
])('a prompt is updated if its %s differs', (field, change) => {
  const after = { ...PROMPT, ...change }
  const prompts = { before: PROMPT, after }
  const { slug, environment } = PROMPT
  const updated = { kind: 'updated', slug, environment, ...prompts }
  expect(comparePrompts([PROMPT], [after])).toStrictEqual([updated])
  const isText = ['system', 'user', 'source'].includes(field)
  expect(changedFields(prompts)).toEqual(isText ? [field] : [])
  expect(isSamePrompt(PROMPT, after)).toBe(false)
})

test('a prompt is the same as one with all its fields, and as no other', () => {
  expect(isSamePrompt(pinned(), pinned())).toBe(true)
  expect(isSamePrompt(pinned(), pinned({ slug: 'other' }))).toBe(false)
  const [one, none] = [pinned({ user: '' }), undefined]
  expect(changedFields({ before: none, after: one })).toEqual(['system', 'source'])
  expect(changedFields({ before: one, after: none })).toEqual(['system', 'source'])
})

test.each([
  ['the same', '{{ticket}}!', [], []],
  ['another spelling', '{{ticket}} {{  ticket }}', [], []],
  ['one more', '{{ ticket }} {{ tone }}', ['tone'], []],
  ['a renamed one', '{{ Ticket }}', ['Ticket'], ['ticket']],
  ['none left', 'Hi', [], ['ticket']],
])('the variables of two versions are compared: %s', (_, user, added, removed) => {
  expect(compareVariables(PROMPT, { ...PROMPT, user, source: user })).toEqual({ added, removed })
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

describe('the parts of locks', () => {
  test.each([
    ['a live update', 'a1', 'a2', 'a v1 → v2'],
    ['a live update of a staged prompt', 'a1 a*3', 'a2 a*3', 'a v1 → v2'],
    ['a draft that comes', 'a1', 'a1 a*2', 'a (staging) v1 → v2'],
    ['a draft that changes', 'a1 a*2', 'a1 a*3', 'a (staging) v2 → v3'],
    ['a draft that is discarded', 'a1 a*2', 'a1', 'a (staging) v2 → v1'],
    ['a draft that is published', 'a1 a*2', 'a2', 'a v1 → v2, a (staging) v2 → v2'],
    ['a draft of a new live version', 'a1 a*2', 'a2 a*3', 'a v1 → v2, a (staging) v2 → v3'],
    ['a prompt that is removed', 'a1 a*2', '', 'a v1 → gone, a (staging) v2 → gone'],
    ['a prompt that is only staged', '', 'a*1', 'a (staging) new → v1'],
    ['a prompt that comes with a draft', '', 'a1 a*2', 'a new → v1, a (staging) new → v2'],
    [
      'a live part of a prompt that was only staged',
      'a*2',
      'a1 a*3',
      'a new → v1, a (staging) v2 → v3',
    ],
    ['a live part that is read for the first time', 'a*2', 'a1 a*2', 'a new → v1'],
    ['a first version that is published', 'a*1', 'a1', 'a new → v1, a (staging) v1 → v1'],
    ['live rows before staging rows', 'a1 b1', 'a1 a*2 b9', 'b v1 → v9, a (staging) v1 → v2'],
    ['locks that differ by a hold', 'a1 a*2', 'a1 a*2!', ''],
  ])('the parts of locks are compared as code sees them: %s', (_, before, after, want) => {
    const changes = compareLocks({ parts: partsOf(before) }, { parts: partsOf(after) })
    const rows = changes.map((change) => {
      const [old, now] = [change.before?.version ?? 'new', change.after?.version ?? 'gone']
      return `${describePart(change)} ${old} → ${now}`
    })
    expect(rows.join(', ')).toBe(want)
  })

  const part = (name: string) => fc.constantFrom('', `${name}1`, `${name}2`, `${name}3`)
  const lock = fc
    .tuple(part('a'), part('a*'), part('b'), part('b*'))
    .map((words): Lock => ({ parts: sortParts(partsOf(words.join(' '))) }))

  test('a lock with any of the changes has no needless part, and a prompt that is not removed keeps one', () => {
    fc.assert(
      fc.property(lock, lock, fc.nat(15), (before, after, bits) => {
        const changes = compareLocks(before, after)
        expect(applyChanges(before, changes)).toEqual(prune(after))
        const [left, taken] = [true, false].map((isLeft) =>
          changes.filter((_, index) => ((bits >> index) & 1) === Number(isLeft)),
        ) as [typeof changes, typeof changes]
        const next = leaveChanges(before, after, left)
        expect(next).toEqual(applyChanges(before, taken))
        expect(next).toEqual(prune(next))
        const isRemoved = (slug: string) =>
          taken.some((change) => change.slug === slug && change.after === undefined)
        const slugs = before.parts.map(({ slug }) => slug).filter((slug) => !isRemoved(slug))
        expect(next.parts.map(({ slug }) => slug)).toEqual(expect.arrayContaining(slugs))
      }),
      sweep(),
    )
  })

  test.each([
    ['a live update ends an equal staging part with it', 'a1 a*2', 'a2', ['a*'], 'a2'],
    ['the end of a staging part needs no live update', 'a1 a*2', 'a2', ['a'], 'a1'],
    ['a staging part never ends while the lock has no live part', 'a*2', 'a2', ['a'], 'a*2'],
    ['a staging part that differs stays', 'a1 a*2', 'a3', ['a*'], 'a3 a*2'],
    ['a staging part that differs ends alone', 'a1 a*2', 'a3', ['a'], 'a1'],
    ['both parts of a removed prompt go alone', 'a1 a*2', '', ['a'], 'a1'],
    ['a held staging part is never needless', 'a1 a*2!', 'a2 a*2!', [], 'a2 a*2!'],
    ['what is equal since its update is left is needless', 'a1', 'a2 a*1', ['a'], 'a1'],
    ['a hold is no change, and stays', 'a1 b1', 'a2 b1!', ['a'], 'a1 b1!'],
  ])('of what is left of an update, %s', (_, from, to, names, want) => {
    const [before, after] = [from, to].map((words) => lockWith(words)) as [Lock, Lock]
    const left = compareLocks(before, after).filter(({ slug, environment }) =>
      names.includes(environment === 'live' ? slug : `${slug}*`),
    )
    expect(left).toHaveLength(names.length)
    expect(leaveChanges(before, after, left)).toEqual(lockWith(want))
  })
})

function lockWith(words: string): Lock {
  return { parts: partsOf(words) }
}

test('prompts are unchanged if neither of their parts has changed', () => {
  const [before, after] = [{ parts: partsOf('a1 b1 c1 e1') }, { parts: partsOf('b1 c1 c*2 e1') }]
  expect(countUnchanged(after, compareLocks(before, after))).toBe(2)
})

test('slugs of the prototype are slugs as any other', () => {
  const prompts = ['__proto__', 'constructor', 'toString'].map((slug) => pinned({ slug }))
  expect(comparePrompts([], prompts).map(({ kind }) => kind)).toEqual(['added', 'added', 'added'])
})

test('a negative zero is not a change', () => {
  const [zero, negative] = [0, -0].map((temperature) => pinned({ temperature }))
  expect(zero && negative && comparePrompts([zero], [negative])).toEqual([])
})

test.each([
  [{ system: '{{b}}', user: '{{a}}{{b}}' }, ['b', 'a']],
  // A source that is not a join has variables, too.
  [{ system: '{{a}}', user: '', source: '{{a}} {{c}}' }, ['a', 'c']],
])('the variables of %j are %j, by first appearance', (texts, want) => {
  expect(promptVariables(pinned(texts))).toEqual(want)
})
