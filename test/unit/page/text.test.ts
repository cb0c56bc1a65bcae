import { assert as hold, property } from 'fast-check'
import { expect, test } from 'vitest'
import { annotate, nameOf, type Piece } from '../../../src/page/app/annotate.ts'
import { fillIn, livePrompt } from '../../../src/page/app/live-prompt.ts'
import { countCharacters } from '../../../src/core/text/characters.ts'
import { sizeOf } from '../../../src/page/app/numbers.ts'
import { hostilePrompt, hostileText } from '../../helpers/hostile.ts'
import { pinned } from '../../helpers/pinned.ts'

test('a text split into pieces is the text again when joined, and shows no invisible character', () => {
  hold(
    property(hostileText, (text) => {
      for (const marks of ['nothing', 'tokens', 'tokens and notes'] as const) {
        const pieces = annotate(text, marks)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        const shown = pieces.map((piece) =>
          piece.kind === 'hidden' ? nameOf(piece.text) : piece.text,
        )
        expect(shown.join('')).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}|\p{Bidi_Control}/u)
      }
    }),
  )
})

test('a text split into pieces has its tokens, stray braces and invisible characters marked', () => {
  const text = 'a {{ b }} {{#if}} \u202e'
  const kinds = (pieces: readonly Piece[]): string[] => pieces.map(({ kind }) => kind)
  const all = ['plain', 'token', 'plain', 'note', 'plain', 'hidden']
  expect(kinds(annotate(text, 'tokens and notes'))).toEqual(all)
  expect(kinds(annotate(text, 'tokens'))).toEqual(['plain', 'token', 'plain', 'hidden'])
  expect(kinds(annotate(text, 'nothing'))).toEqual(['plain', 'hidden'])
})

test('a prompt that is tried equals its filled-in parts, and has the raw texts of the lock', () => {
  hold(
    property(hostilePrompt, hostileText, (fields, value) => {
      const prompt = pinned(fields)
      const live = livePrompt(prompt)
      const values = Object.fromEntries(live.variables.map((name) => [name, value]))
      const rendered = live.render(values)
      for (const role of ['system', 'user'] as const) {
        const filled = fillIn(prompt[role], values)
        expect(filled.map(({ text }) => text).join('')).toBe(rendered[role])
        expect(live[`${role}Source`]).toBe(prompt[role])
      }
      expect(live.source).toBe(prompt.source)
    }),
  )
})

test('sizes count characters, and a token for every four of them', () => {
  expect(countCharacters('a😀')).toBe(2)
  expect([0, 4, 5].map(sizeOf)).toEqual([
    '0 characters, about 0 tokens',
    '4 characters, about 1 token',
    '5 characters, about 2 tokens',
  ])
})
