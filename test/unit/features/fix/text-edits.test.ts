import { describe, expect, test } from 'vitest'
import { applyEdits, sortEdits, toOldPosition } from '../../../../src/features/fix/text-edits.ts'

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
})
