import { describe, expect, test } from 'vitest'
import {
  splitCharacters,
  truncate,
  alignColumns,
  wrapSegments,
} from '../../../../src/cli/output/layout.ts'

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

test('a long text is split as if it were segmented at once', () => {
  const text = Array.from({ length: 500 }, (_, index) => 'a'.repeat(index % 4) + WIDE.join(''))
    .join('')
    .concat('\u0301'.repeat(10))
  const segments = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  expect([...splitCharacters(text)]).toStrictEqual(segments)
})

test.each(WIDE)('a long line of a diff is never broken inside %s', (text) => {
  const rows = wrapSegments([{ text: text.repeat(30), changed: true }], 20)
  expect(rows.length).toBeGreaterThan(2)
  for (const [segment] of rows) expect(segment?.text).toMatch(new RegExp(`^(?:${text})+$`, 'v'))
})

test('a long line of a text is never broken inside a token that fits', () => {
  const rows = wrapSegments([{ text: 'Write to {{ customer_name }}, today', changed: false }], 24)
  expect(rows.map(([segment]) => segment?.text)).toStrictEqual([
    'Write to ',
    '{{ customer_name }}, ',
    'today',
  ])
})
