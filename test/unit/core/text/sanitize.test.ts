import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  neutralizeCiCommands,
  sanitize,
  sanitizeMessage,
} from '../../../../src/core/text/sanitize.ts'
import { COMMAND, hostileText } from '../../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../../helpers/unprintable.ts'
import { sweep } from '../../../helpers/sweep.ts'

const REMOTE = [
  { title: 'plain text stays', given: 'Größe 票据 😀 ❤\ufe0f', want: 'Größe 票据 😀 ❤\ufe0f' },
  { title: 'colours', given: '\u001b[1;31mred\u001b[0m', want: 'red' },
  { title: 'cursor moves', given: 'a\u001b[2J\u001b[Hb', want: 'ab' },
  { title: 'CSI as one C1 character', given: 'a\u009b31mb', want: 'ab' },
  { title: 'a cut CSI', given: 'a\u001b[31', want: 'a' },
  {
    title: 'a link, ended by BEL',
    given: '\u001b]8;;http://x\u0007text\u001b]8;;\u0007',
    want: 'text',
  },
  { title: 'a window title, ended by ST', given: '\u001b]0;title\u001b\\text', want: 'text' },
  { title: 'OSC as one C1 character', given: '\u009d0;title\u009ctext', want: 'text' },
  {
    title: 'an unterminated window title: everything after it',
    given: 'a\u001b]0;title',
    want: 'a',
  },
  { title: 'a device control string', given: '\u001bP1$r\u001b\\text', want: 'text' },
  { title: 'a reset', given: 'a\u001bcb', want: 'ab' },
  { title: 'a character set switch', given: 'a\u001b(0b', want: 'ab' },
  { title: 'a cut character set switch', given: 'a\u001b(', want: 'a' },
  { title: 'a lone ESC', given: 'a\u001b', want: 'a' },
  { title: 'an escape within an escape', given: '\u001b\u001b[31m[31ma', want: '[31ma' },
  { title: 'NUL, BEL and backspace', given: 'a\0b\u0007c\u0008d', want: 'abcd' },
  { title: 'C1', given: 'a\u0080b', want: 'ab' },
  {
    title: 'line breaks of every kind become one space',
    given: 'a\r\n\nb\u2028c\u0085d\ve',
    want: 'a b c d e',
  },
  { title: 'a tab', given: 'a\tb', want: 'a b' },
  {
    title: 'a workflow command begins no line',
    given: 'a\n::error::b',
    want: 'a ::error::b',
  },
  { title: 'a progress line is not overwritten', given: 'good\rbad', want: 'good bad' },
  { title: 'bidirectional overrides', given: 'a\u202eb\u2066', want: 'ab' },
  { title: 'invisible characters', given: 'a\u200bb\ufeff\u{e0041}', want: 'ab' },
]

describe('remote text can neither move the cursor nor begin a line', () => {
  test.each(REMOTE)('$title', ({ given, want }) => {
    expect(sanitize(given)).toBe(want)
  })
})

test('any text comes out as one line without controls, and stays so', () => {
  const hostile = fc.array(
    fc.oneof(
      hostileText,
      fc.constantFrom('\u001b', '\u009d', '\u001b[', '\u001b]', '\u0007', '\u001b\\'),
    ),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(hostile, (pieces) => {
      const clean = sanitize(pieces.join(''))
      expect(clean).not.toMatch(UNPRINTABLE)
      expect(sanitize(clean)).toBe(clean)
    }),
    sweep(1000),
  )
})

describe('a message', () => {
  test('keeps line breaks and removes terminal sequences', () => {
    expect(sanitizeMessage('a\u001b[31m\n  - b\rc\u202e')).toBe('a\n  - b c')
  })

  test('with any text in it has no line that is a command to a CI server', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { maxLength: 4 }), (texts) => {
        const safe = sanitizeMessage(texts.join('\n'))
        expect(safe).not.toMatch(COMMAND)
        expect(sanitizeMessage(safe)).toBe(safe)
      }),
      sweep(1000),
    )
  })
})

describe('commands to a CI server are broken by a space', () => {
  test.each([
    ['::error::x', ': :error::x'],
    ['a\n \t::set-output name=x::y', 'a\n \t: :set-output name=x::y'],
    ['a\r::error::x', 'a\r: :error::x'],
    ['\u0085::error::x', '\u0085: :error::x'],
    ['a ##[add-path]/bin', 'a # #[add-path]/bin'],
    ['###[group]x', '## #[group]x'],
    ['##vso[task.complete]', '# #vso[task.complete]'],
    ['##\ufe0fvso[task.complete]', '# #\ufe0fvso[task.complete]'],
    ["x ##teamcity[buildStop comment='y']", "x # #teamcity[buildStop comment='y']"],
  ])('%j', (given, want) => {
    expect(neutralizeCiCommands(given)).toBe(want)
  })

  test.each(['## Heading [x]', 'a::b', 'std::vector', '# [x]', 'C:\\::', '/a/##/b[c]'])(
    '%j is not a command and stays',
    (text) => {
      expect(neutralizeCiCommands(text)).toBe(text)
    },
  )

  test('in linear time', () => {
    const hard = `${' '.repeat(200_000)}${'\n'.repeat(200_000)}${'#'.repeat(200_000)}`
    expect(neutralizeCiCommands(hard)).toBe(hard)
  })
})
