import { expect, test } from 'vitest'
import { cacheablePrefix } from '../../../src/core/cacheable-prefix.ts'

test.each([
  ['the system text before its first variable', 'Be {{ tone }}.', 'Hello', 3],
  ['the system text and the user text before its first variable', 'Be kind.', 'Hi {{ a }}', 11],
  ['both texts without variables', 'Be kind.', 'Hello', 13],
  ['nothing if a variable is first', '{{ date }} Be kind.', 'Hello', 0],
  ['what only looks like a variable', 'Be {{#if x}} {{ a }}', '', 13],
])('the cacheable prefix is %s', (_, system, user, length) => {
  expect(cacheablePrefix({ system, user })).toBe(length)
})
