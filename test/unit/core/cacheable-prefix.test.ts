import { expect, test } from 'vitest'
import { cacheablePrefix, lostPrefix } from '../../../src/core/classify-change.ts'

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

const MOVED = [`${LONG}{{ a }}{{ date }}`, `Today:\n{{ date }}${LONG}{{ a }}`] as const
const moved = { name: 'date', isNew: false, field: 'system', line: 2 }
const first = { name: 'a', isNew: false, field: 'system', line: 1 }
const isNew = { name: 'tone', isNew: true, field: 'system', line: 1 }

test.each([
  ['another variable moved before the constant text', ...MOVED, 4000, 7, moved],
  ['a new variable stands there', LONG, `Be {{ tone }}${LONG}`, 4000, 3, isNew],
  ['it is less than 4,000 now', `${LONG}{{ a }}`, `${LONG.slice(1)}{{ a }}`, 4000, 3999, null],
  ['its variable moved up', `${LONG}\n{{ a }}`, `{{ a }}${LONG}`, 4001, 0, first],
  ['no variable is left', LONG, 'Be kind.', 4000, 8, null],
  ['less than half is left', `${LONG.repeat(3)}{{ a }}`, `${LONG}{{ a }}`, 12_000, 4000, null],
] as const)('a change loses the cacheable prefix if %s', (_, old, now, before, after, variable) => {
  const lost = lostPrefix({ system: old, user: '' }, { system: now, user: '' })
  expect(lost).toEqual({ before, after, variable })
})

test('a change loses the cacheable prefix if a variable moved up in the user text, or from it', () => {
  const [before, after] = [`${LONG}{{ a }}{{ b }}`, `{{ b }}${LONG}{{ a }}`]
  const variable = { name: 'b', isNew: false, field: 'user', line: 1 }
  const lost = lostPrefix({ system: 'Hi', user: before }, { system: 'Hi', user: after })
  expect(lost).toEqual({ before: 4002, after: 2, variable })
  const swapped = lostPrefix({ system: LONG, user: '{{ a }}' }, { system: '{{ a }}', user: LONG })
  expect(swapped).toEqual({ before: 4000, after: 0, variable: first })
})

test.each([
  ['if it was below 4,000 characters', LONG.slice(1), '{{ a }}'],
  ['if half of it is left', LONG + LONG, `${LONG}{{ a }}`],
  ['if it grows', `${LONG}{{ a }}`, `${LONG}${LONG}{{ a }}`],
])('a change does not lose the cacheable prefix %s', (_, system, now) => {
  expect(lostPrefix({ system, user: '' }, { system: now, user: '' })).toBeUndefined()
})
