import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareCodePoints, groupBySlug, sortBySlug } from '../../../../src/core/text/order.ts'
import { character } from '../../../helpers/hostile.ts'
import { sweep } from '../../../helpers/sweep.ts'

/** Each pair in order. */
const PAIRS = [
  ['', 'a'],
  ['a', 'b'],
  ['a', 'aa'],
  ['a-b', 'a_b'],
  ['B', 'a'],
  ['Z', 'a'],
  ['z', 'ä'],
  ['10', '9'],
  ['\uffff', '😀'],
  ['\ue000', '\u{10000}'],
  ['\ud7ff', '\ue000'],
  ['\ud7ff', '\u{10000}'],
  ['x\uffff', 'x😀'],
  ['😀', '😁'],
  ['\u{1f600}', '\u{1f700}'],
] as const

test.each(PAIRS)('%j comes before %j: by code point, in no locale', (a, b) => {
  expect(compareCodePoints(a, b)).toBeLessThan(0)
  expect(compareCodePoints(b, a)).toBeGreaterThan(0)
})

test('equal texts are equal', () => {
  for (const text of ['', 'a', '😀']) expect(compareCodePoints(text, text)).toBe(0)
})

test('any texts are ordered as their arrays of code points are', () => {
  const text = fc.string({ unit: character, maxLength: 6 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(naive(codePoints(a), codePoints(b)))
    }),
    sweep(1000),
  )
})

test('sorting does not change the given array', () => {
  const entries = [{ slug: '😀' }, { slug: '\uffff' }, { slug: 'a' }]
  expect(sortBySlug(entries).map(({ slug }) => slug)).toEqual(['a', '\uffff', '😀'])
  expect(entries[0]?.slug).toBe('😀')
})

test('entries of one slug are a group, in their order', () => {
  const [a, b, other] = [{ slug: 'a' }, { slug: 'b' }, { slug: 'a', at: 1 }]
  expect([...groupBySlug([a, b, other])]).toStrictEqual([
    ['a', [a, other]],
    ['b', [b]],
  ])
})

function codePoints(text: string): number[] {
  return Array.from(text, (each) => each.codePointAt(0) ?? 0)
}

function naive(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((point, at) => point !== b[at])
  const end = index === -1 ? a.length : index
  return Math.sign((a[end] ?? -1) - (b[end] ?? -1))
}
