import { describe, expect, test } from 'vitest'
import { cacheablePrefix, lostPrefix } from '../../../src/core/cacheable-prefix.ts'

test.each([
  ['the system text before its first variable', 'Be {{ tone }}.', 'Hello', 3],
  ['the system text and the user text before its first variable', 'Be kind.', 'Hi {{ a }}', 11],
  ['both texts without variables', 'Be kind.', 'Hello', 13],
  ['nothing if a variable is first', '{{ date }} Be kind.', 'Hello', 0],
  ['counted in characters as the size is', '👍👍', '👍', 3],
  ['counted in characters also before a variable', '👍👍{{ a }}', '', 2],
  ['what only looks like a variable', 'Be {{#if x}} {{ a }}', '', 13],
])('the cacheable prefix is %s', (_, system, user, length) => {
  expect(cacheablePrefix({ system, user })).toBe(length)
})

const LONG = 'x'.repeat(4000)

describe('a change loses the cacheable prefix', () => {
  test.each([
    [
      'if another variable moved before the constant text',
      [`${LONG}{{ a }}{{ date }}`, ''],
      [`Today:\n{{ date }}${LONG}{{ a }}`, ''],
      {
        before: 4000,
        after: 7,
        variable: { name: 'date', isNew: false, field: 'system', line: 2 },
      },
    ],
    [
      'if a new variable stands there',
      [LONG, '{{ a }}'],
      [`Be {{ tone }}${LONG}`, '{{ a }}'],
      { before: 4000, after: 3, variable: { name: 'tone', isNew: true, field: 'system', line: 1 } },
    ],
    [
      'if a variable moved up in the user text',
      ['Hi', `${LONG}{{ a }}{{ b }}`],
      ['Hi', `{{ b }}${LONG}{{ a }}`],
      { before: 4002, after: 2, variable: { name: 'b', isNew: false, field: 'user', line: 1 } },
    ],
    [
      'if the constant text became shorter than 4,000 characters',
      [`${LONG}{{ a }}`, ''],
      [`${LONG.slice(1)}{{ a }}`, ''],
      { before: 4000, after: 3999, variable: null },
    ],
    [
      'if less than half is left, however long',
      [`${LONG}${LONG}${LONG}{{ a }}`, ''],
      [`${LONG}{{ a }}`, ''],
      { before: 12_000, after: 4000, variable: null },
    ],
  ])('%s', (_, before, after, want) => {
    expect(lostPrefix(textsOf(before), textsOf(after))).toEqual(want)
  })

  test.each([
    ['if it was below 4,000 characters', [LONG.slice(1), ''], ['{{ a }}', '']],
    ['if half of it is left', [LONG + LONG, ''], [`${LONG}{{ a }}`, '']],
    ['if it grows', [`${LONG}{{ a }}`, ''], [`${LONG}${LONG}{{ a }}`, '']],
  ])('not %s', (_, before, after) => {
    expect(lostPrefix(textsOf(before), textsOf(after))).toBeUndefined()
  })
})

function textsOf([system = '', user = '']: readonly string[]): { system: string; user: string } {
  return { system, user }
}
