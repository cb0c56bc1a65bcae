import { describe, expect, test } from 'vitest'
import { alignColumns, truncate, wrapParts } from '../../../../src/cli/shell/layout.ts'

/** Texts that a terminal draws two columns wide. */
const WIDE = ['👨‍👩‍👧', '🇩🇪', '❤️', '👩🏽‍💻', '日', '한', '😀']

describe('columns', () => {
  test.each(WIDE)('are aligned behind %s, which is two columns wide', (text) => {
    const [first, second] = alignColumns([
      [text, '|'],
      ['ab', '|'],
    ])
    expect(first).toBe(`${text}   |`)
    expect(second).toBe('ab   |')
  })

  test('are aligned whatever the styles in them', () => {
    expect(
      alignColumns([
        ['\u001b[31mab\u001b[39m', '|'],
        ['abc', '|'],
      ]),
    ).toEqual(['\u001b[31mab\u001b[39m    |', 'abc   |'])
  })
})

test.each(WIDE)('a text is never cut inside %s', (text) => {
  expect(truncate(`ab${text}cd`, 4)).toBe('ab…')
  expect(truncate(`ab${text}cd`, 5)).toBe(`ab${text}…`)
  expect(truncate(`ab${text}`, 4)).toBe(`ab${text}`)
})

test('a text of a million characters is cut without reading all of it', () => {
  expect(truncate('x'.repeat(1_000_000), 4)).toBe('xxx…')
})

test.each(WIDE)('a long line of a diff is never broken inside %s', (text) => {
  const rows = wrapParts([{ text: text.repeat(30) }], 20)
  expect(rows.length).toBeGreaterThan(2)
  for (const [part] of rows) expect(part?.text).toMatch(new RegExp(`^(?:${text})+$`, 'v'))
})

test('a long line of a text is never broken inside a token that fits', () => {
  const rows = wrapParts([{ text: 'Write to {{ customer_name }}, today' }], 24)
  expect(rows.map(([part]) => part?.text)).toStrictEqual([
    'Write to ',
    '{{ customer_name }}, ',
    'today',
  ])
})

test('a line of parts is wrapped as a whole, and each part keeps what belongs to it', () => {
  const [sign, text] = [
    { text: 'one two ', id: 1 },
    { text: 'three four five six', id: 2 },
  ]
  expect(wrapParts([sign, text], 20)).toStrictEqual([
    [sign, { text: 'three four ', id: 2 }],
    [{ text: 'five six', id: 2 }],
  ])
})

test('a word of 100,000 characters is wrapped, in linear time', () => {
  const rows = wrapParts([{ text: '字'.repeat(100_000) }], 100)
  expect(rows).toHaveLength(2000)
  expect(new Set(rows.map(([part]) => part?.text.length))).toEqual(new Set([50]))
})
