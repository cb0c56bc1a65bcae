import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinLines, splitLines } from '../../../../src/core/lock/print-lock.ts'
import { hostileText } from '../../../helpers/hostile.ts'
import { sweep } from '../../../helpers/sweep.ts'

test.each([
  ['', []],
  ['a', ['a', '']],
  ['a\n', ['a', '', '']],
  ['a\nb', ['a', 'b', '']],
  ['\n', ['', '', '']],
  ['a\r\nb', ['a\r', 'b', '']],
  ['a\rb\u2028c', ['a\rb\u2028c', '']],
])('%j is split into %j', (text, lines) => {
  expect(splitLines(text)).toEqual(lines)
})

test('joining the lines of any text returns the text', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(joinLines(splitLines(text))).toBe(text)
    }),
    sweep(),
  )
})
