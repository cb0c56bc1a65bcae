import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  makeVisible,
  neutralizeCiCommands,
  sanitize,
  sanitizeMessage,
} from '../../../../src/core/text/sanitize.ts'
import { character, COMMAND, HOSTILE, hostileText } from '../../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../../helpers/unprintable.ts'
import { sweep } from '../../../helpers/sweep.ts'

const REMOTE: readonly (readonly [title: string, given: string, want: string])[] = [
  ['plain text stays', 'Größe 票据 😀 ❤\ufe0f', 'Größe 票据 😀 ❤\ufe0f'],
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['cursor moves', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['CSI as one C1 character', 'a\u009b31mb', 'ab'],
  ['a cut CSI', 'a\u001b[31', 'a'],
  ['a link, ended by BEL', '\u001b]8;;http://x\u0007text\u001b]8;;\u0007', 'text'],
  ['a window title, ended by ST', '\u001b]0;title\u001b\\text', 'text'],
  ['OSC as one C1 character', '\u009d0;title\u009ctext', 'text'],
  ['an unterminated window title: everything after it', 'a\u001b]0;title', 'a'],
  ['a device control string', '\u001bP1$r\u001b\\text', 'text'],
  ['a reset', 'a\u001bcb', 'ab'],
  ['a character set switch', 'a\u001b(0b', 'ab'],
  ['a cut character set switch', 'a\u001b(', 'a'],
  ['a lone ESC', 'a\u001b', 'a'],
  ['an escape within an escape', '\u001b\u001b[31m[31ma', '[31ma'],
  ['NUL, BEL and backspace', 'a\0b\u0007c\u0008d', 'abcd'],
  ['C1', 'a\u0080b', 'ab'],
  ['line breaks of every kind become one space', 'a\r\n\nb\u2028c\u0085d\ve', 'a b c d e'],
  ['a tab', 'a\tb', 'a b'],
  ['a workflow command begins no line', 'a\n::error::b', 'a ::error::b'],
  ['a progress line is not overwritten', 'good\rbad', 'good bad'],
  ['bidirectional overrides', 'a\u202eb\u2066', 'ab'],
  ['invisible characters', 'a\u200bb\ufeff\u{e0041}', 'ab'],
]

describe('remote text can neither move the cursor nor begin a line', () => {
  test.each(REMOTE)('remote text is safe to print: %s', (_, given, want) => {
    expect(sanitize(given)).toBe(want)
  })
})

test('any remote text comes out as one line without controls, and stays so', () => {
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
  test('a message keeps line breaks and loses terminal sequences', () => {
    expect(sanitizeMessage('a\u001b[31m\n  - b\rc\u202e')).toBe('a\n  - b c')
  })

  test('a message of any text has no line that is a command to a CI server', () => {
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
  ])('the command %j is broken by a space', (given, want) => {
    expect(neutralizeCiCommands(given)).toBe(want)
  })

  test.each(['## Heading [x]', 'a::b', 'std::vector', '# [x]', 'C:\\::', '/a/##/b[c]'])(
    'the text %j is no command to a CI server and stays',
    (text) => {
      expect(neutralizeCiCommands(text)).toBe(text)
    },
  )

  test('commands to a CI server are found in linear time', () => {
    const hard = `${' '.repeat(200_000)}${'\n'.repeat(200_000)}${'#'.repeat(200_000)}`
    expect(neutralizeCiCommands(hard)).toBe(hard)
  })
})

test.each([
  ['\u001b[31mred', '␛[31mred'],
  ['a\0b\u007f', 'a␀b␡'],
  ['\u009b2J', '⟨U+009B⟩2J'],
  ['\u202ereversed', '⟨U+202E⟩reversed'],
  ['zero\u200bwidth', 'zero⟨U+200B⟩width'],
  ['\u{e0041}', '⟨U+E0041⟩'],
  ['\ud800', '⟨U+D800⟩'],
  ['line\r', 'line␍'],
  ['a\tb', 'a\tb'],
  ['Grüße, 世界, 😀, שלום', 'Grüße, 世界, 😀, שלום'],
])('the hidden characters of %j are visible as %s', (given, want) => {
  expect(makeVisible(given)).toBe(want)
})

test('nothing but tabs is hidden in any text that was made visible', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: character })))
  fc.assert(
    fc.property(text, (parts) => {
      expect(makeVisible(parts.join('')).replaceAll('\t', '')).not.toMatch(UNPRINTABLE)
    }),
    sweep(),
  )
})
