import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeVisible } from '../../../../src/core/text/sanitize.ts'
import { character, HOSTILE } from '../../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../../helpers/unprintable.ts'
import { sweep } from '../../../helpers/sweep.ts'

describe('makeVisible', () => {
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
  ])('shows %j as %s', (given, want) => {
    expect(makeVisible(given)).toBe(want)
  })

  test('leaves nothing hidden in any text, but tabs', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: character })))
    fc.assert(
      fc.property(text, (parts) => {
        expect(makeVisible(parts.join('')).replaceAll('\t', '')).not.toMatch(UNPRINTABLE)
      }),
      sweep(),
    )
  })
})
