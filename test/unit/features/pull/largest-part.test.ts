import { describe, expect, test } from 'vitest'
import { findLargestPart } from '../../../../src/features/pull/largest-part.ts'

/** Sets of parts that fail together, each with the part that its finding names. */
type Conflicts = readonly { readonly parts: readonly string[]; readonly blamed?: string }[]

function run(parts: string, conflicts: Conflicts): { taken: string; left: string; checks: number } {
  let checks = 0
  const { taken, left } = findLargestPart(
    [...parts],
    (chosen) => {
      checks++
      return conflicts.filter((conflict) => conflict.parts.every((part) => chosen.includes(part)))
    },
    ({ blamed }) => blamed,
  )
  return { taken: [...taken].toSorted().join(''), left: [...left.keys()].join(''), checks }
}

describe('the parts that can be taken together', () => {
  test.each([
    ['are all, after one check', 'abc', [], { taken: 'abc', left: '', checks: 1 }],
    ['are none of none, without a check', '', [], { taken: '', left: '', checks: 0 }],
    [
      'are all but the one that is blamed',
      'abc',
      [{ parts: ['b'], blamed: 'b' }],
      { taken: 'ac', left: 'b', checks: 2 },
    ],
    [
      'are found if nothing is blamed',
      'abcdefgh',
      [{ parts: ['c'] }, { parts: ['f'] }],
      { taken: 'abdegh', left: 'cf' },
    ],
    [
      'are found if the wrong one is blamed',
      'abcd',
      [{ parts: ['c'], blamed: 'a' }],
      { taken: 'abd', left: 'c' },
    ],
    [
      'are found if what is blamed is no part',
      'abcd',
      [{ parts: ['c'], blamed: 'z' }],
      { taken: 'abd', left: 'c' },
    ],
    [
      'leave one of two that fail only together',
      'abc',
      [{ parts: ['a', 'b'] }],
      { taken: 'ac', left: 'b' },
    ],
    [
      'are none if each one fails',
      'ab',
      [{ parts: ['a'], blamed: 'a' }, { parts: ['b'] }],
      { taken: '', left: 'ab' },
    ],
  ] as const)('%s', (_, parts, conflicts, want) => {
    expect(run(parts, conflicts)).toMatchObject(want)
  })

  test('are found in a few checks for each part that is left', () => {
    const parts = Array.from({ length: 64 }, (_, index) => String.fromCodePoint(97 + index)).join(
      '',
    )
    const { checks } = run(parts, [{ parts: ['c'] }, { parts: ['f'] }])
    expect(checks).toBeLessThanOrEqual(2 + 2 * 2 * Math.log2(64))
  })
})

test('what is taken passes, and what is left fails with it, whatever is blamed', () => {
  const parts = [...'abcdefgh']
  let state = 7
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
  const pick = (): string => parts[random(parts.length)] ?? ''
  for (let round = 0; round < 300; round++) {
    const conflicts = Array.from({ length: random(5) }, () => ({
      parts: Array.from({ length: 1 + random(2) }, pick),
      ...(random(3) === 0 ? {} : { blamed: pick() }),
    }))
    const check = (chosen: readonly string[]): (typeof conflicts)[number][] =>
      conflicts.filter((conflict) => conflict.parts.every((part) => chosen.includes(part)))
    const { taken, left } = findLargestPart(parts, check, ({ blamed }) => blamed)
    expect([...taken, ...left.keys()].toSorted(), `round ${round}`).toEqual(parts)
    expect(check([...taken]), `round ${round}`).toEqual([])
    for (const part of left.keys())
      expect(check([...taken, part]).length, `round ${round}`).toBeGreaterThan(0)
  }
})
