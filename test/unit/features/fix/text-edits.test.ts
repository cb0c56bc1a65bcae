import { describe, expect, test } from 'vitest'
import {
  applyEdits,
  findOverlap,
  sortEdits,
  toOldPosition,
} from '../../../../src/features/fix/text-edits.ts'

const TEXT = 'render({ ticket, tone })'
const EDITS = sortEdits([
  { start: 15, end: 21, text: '' },
  { start: 9, end: 9, text: 'message: ' },
  { start: 9, end: 9, text: 'message: ' },
])

describe('edits of a text', () => {
  test('are applied once each, by position', () => {
    expect(applyEdits(TEXT, EDITS)).toBe('render({ message: ticket })')
  })

  test('map every position outside of a replacement back', () => {
    const edited = applyEdits(TEXT, EDITS)
    for (const name of ['render', 'ticket', '})'])
      expect(toOldPosition(EDITS, edited.indexOf(name))).toBe(TEXT.lastIndexOf(name))
    expect(toOldPosition(EDITS, edited.indexOf('message'))).toBe(9)
  })

  test.each([
    [{ start: 0, end: 3 }, { start: 2, end: 4 }, true],
    [{ start: 0, end: 3 }, { start: 3, end: 4 }, false],
    [{ start: 3, end: 3 }, { start: 3, end: 3 }, true],
    [{ start: 3, end: 3 }, { start: 3, end: 5 }, false],
  ])('%j and %j overlap: %s', (one, other, overlaps) => {
    const edits = sortEdits([
      { ...one, text: 'a' },
      { ...other, text: 'b' },
    ])
    expect(findOverlap(edits) !== undefined).toBe(overlaps)
  })
})
