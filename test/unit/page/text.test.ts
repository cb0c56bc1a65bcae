import { assert as hold, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { annotate, nameOf, type Piece } from '../../../src/page/app/annotate.ts'
import { fillIn, livePrompt } from '../../../src/page/app/live-prompt.ts'
import { countCharacters } from '../../../src/core/text/characters.ts'
import { sizeOf } from '../../../src/page/app/numbers.ts'
import { hostilePrompt, hostileText } from '../../helpers/hostile.ts'
import { pinned } from '../../helpers/pinned.ts'

describe('a text split into pieces', () => {
  test('is the text again when joined, for any text', () => {
    hold(
      property(hostileText, (text) => {
        for (const marks of ['nothing', 'tokens', 'tokens and notes'] as const) {
          const pieces = annotate(text, marks)
          expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        }
      }),
    )
  })

  test('shows no invisible character as it is', () => {
    hold(
      property(hostileText, (text) => {
        const shown = annotate(text.replaceAll('\n', ''), 'tokens and notes')
          .map((piece) => (piece.kind === 'hidden' ? nameOf(piece.text) : piece.text))
          .join('')
        expect(shown).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}|\p{Bidi_Control}/u)
      }),
    )
  })

  test('marks tokens, stray braces and invisible characters', () => {
    const text = 'a {{ b }} {{#if}} \u202e'
    const kinds = (pieces: readonly Piece[]): string[] => pieces.map(({ kind }) => kind)
    const all = ['plain', 'token', 'plain', 'note', 'plain', 'hidden']
    expect(kinds(annotate(text, 'tokens and notes'))).toEqual(all)
    expect(kinds(annotate(text, 'tokens'))).toEqual(['plain', 'token', 'plain', 'hidden'])
    expect(kinds(annotate(text, 'nothing'))).toEqual(['plain', 'hidden'])
  })
})

describe('a prompt that is tried', () => {
  test('equals its filled-in parts, for any prompt and any values', () => {
    hold(
      property(hostilePrompt, hostileText, (fields, value) => {
        const prompt = pinned(fields)
        const live = livePrompt(prompt)
        const values = Object.fromEntries(live.variables.map((name) => [name, value]))
        const rendered = live.render(values)
        for (const role of ['system', 'user'] as const) {
          const filled = fillIn(prompt[role], values)
          expect(filled.map(({ text }) => text).join('')).toBe(rendered[role])
        }
      }),
    )
  })

  test('has the raw texts of the lock', () => {
    hold(
      property(hostilePrompt, (fields) => {
        const live = livePrompt(pinned(fields))
        const { systemSource, userSource, source } = live
        expect({ systemSource, userSource, source }).toEqual({
          systemSource: fields.system,
          userSource: fields.user,
          source: fields.source,
        })
      }),
    )
  })
})

test('sizes count characters, and a token for every four of them', () => {
  expect(countCharacters('a😀')).toBe(2)
  expect([0, 4, 5].map(sizeOf)).toEqual([
    '0 characters, about 0 tokens',
    '4 characters, about 1 token',
    '5 characters, about 2 tokens',
  ])
})
