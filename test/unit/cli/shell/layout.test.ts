import displayWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import {
  alignColumns,
  truncate,
  wrapLine,
  wrapParts,
  wrapRows,
} from '../../../../src/cli/shell/layout.ts'

/** Texts that a terminal draws two columns wide. */
const WIDE = ['👨‍👩‍👧', '🇩🇪', '❤️', '👩🏽‍💻', '日', '한', '😀']

test.each(WIDE)('columns are aligned behind %s, which is two columns wide', (text) => {
  const rows = alignColumns([
    [text, '|'],
    ['ab', '|'],
  ])
  expect(rows).toEqual([`${text}   |`, 'ab   |'])
})

test('columns are aligned whatever the styles in them', () => {
  const rows = alignColumns([
    ['\u001b[31mab\u001b[39m', '|'],
    ['abc', '|'],
  ])
  expect(rows).toEqual(['\u001b[31mab\u001b[39m    |', 'abc   |'])
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

const ROWS = [
  [
    '  src/main.ts:2:44',
    'support-triage',
    '`render` needs `issue`, probably renamed from `ticket`',
  ],
  ['  src/日本.ts:5:1', 'greeting', '`greeting` was removed'],
]

const print = (columns: number, rows = ROWS): string => wrapRows(rows, columns).flat().join('\n')

test('the rows of a table stay whole in a file', () => {
  expect(print(Number.POSITIVE_INFINITY)).toMatchInlineSnapshot(`
    "  src/main.ts:2:44   support-triage   \`render\` needs \`issue\`, probably renamed from \`ticket\`
      src/日本.ts:5:1    greeting         \`greeting\` was removed"
  `)
})

test('the last cell of a row wraps in its column', () => {
  expect(print(72)).toMatchInlineSnapshot(`
    "  src/main.ts:2:44   support-triage   \`render\` needs \`issue\`, probably
                                          renamed from \`ticket\`
      src/日本.ts:5:1    greeting         \`greeting\` was removed"
  `)
})

test('the last cell of a row goes below the others if its column would be too narrow', () => {
  expect(print(40)).toMatchInlineSnapshot(`
    "  src/main.ts:2:44   support-triage
          \`render\` needs \`issue\`, probably
          renamed from \`ticket\`
      src/日本.ts:5:1    greeting
          \`greeting\` was removed"
  `)
})

test('an empty last cell takes no line', () => {
  const slug = 'a-slug-that-is-wider-than-the-whole-screen'
  expect(wrapRows([['+', slug, '']], 30)).toStrictEqual([['+', slug]])
})

test.each([40, 60, 80])('no row of words exceeds %i columns', (columns) => {
  const cells = ['~ 更新', '\u001b[1mgreeting\u001b[22m', '😀 日本 '.repeat(40)]
  const lines = wrapRows([cells], columns).flat()
  expect(lines.length).toBeGreaterThan(2)
  expect(Math.max(...lines.map((line) => displayWidth(line)))).toBeLessThanOrEqual(columns)
})

test('cells that wrap too continue in the column of the first', () => {
  const row = ['~ updated', 'a-slug-that-is-rather-wide', 'v22 → v23', 'system text']
  expect(wrapRows([row], 42)[0]).toEqual([
    '~ updated   a-slug-that-is-rather-wide',
    'v22 → v23',
    '    system text',
  ])
})

test('each line of a last cell is in its column', () => {
  const rows = [
    ['fault', 'first line\nsecond line'],
    ['字', 'one'],
  ]
  expect(wrapRows(rows, 80).flat()).toEqual([
    'fault   first line',
    '        second line',
    '字      one',
  ])
})

test.each([
  { line: '▲ one two three four five six', rows: ['▲ one two three four', '  five six'] },
  { line: '  Fix: one two three four five', rows: ['  Fix: one two three', '  four five'] },
  {
    line: '   /a/path/longer/than/the/line now',
    rows: ['   /a/path/longer/than/the/line', '   now'],
  },
  { line: '\u001b[33m▲\u001b[39m short', rows: ['\u001b[33m▲\u001b[39m short'] },
])('a line wraps below its indentation and sign: $line', ({ line, rows }) => {
  expect(wrapLine(line, 22)).toEqual(rows)
})

test.each(['x', '{', '{{', '{{ ', ' '])('a word of 10 MB of “%s” has a row in a file', (text) => {
  const part = { text: `${text.repeat(1e7 / text.length)}x` }
  expect(wrapParts([part], Number.POSITIVE_INFINITY).flat()).toHaveLength(1)
})

test('a line for a file stays whole', () => {
  const line = '▲ '.repeat(500)
  expect(wrapLine(line, Number.POSITIVE_INFINITY)).toEqual([line])
})
