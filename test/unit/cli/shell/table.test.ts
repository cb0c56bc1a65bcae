import displayWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { wrapRows } from '../../../../src/cli/shell/layout.ts'

const ROWS = [
  [
    '  src/main.ts:2:44',
    'support-triage',
    '`render` needs `issue`, probably renamed from `ticket`',
  ],
  ['  src/日本.ts:5:1', 'greeting', '`greeting` was removed'],
]

const print = (columns: number, rows = ROWS): string => wrapRows(rows, columns).flat().join('\n')

test('rows stay whole in a file', () => {
  expect(print(Number.POSITIVE_INFINITY)).toMatchInlineSnapshot(`
    "  src/main.ts:2:44   support-triage   \`render\` needs \`issue\`, probably renamed from \`ticket\`
      src/日本.ts:5:1    greeting         \`greeting\` was removed"
  `)
})

test('the last cell wraps in its column', () => {
  expect(print(72)).toMatchInlineSnapshot(`
    "  src/main.ts:2:44   support-triage   \`render\` needs \`issue\`, probably
                                          renamed from \`ticket\`
      src/日本.ts:5:1    greeting         \`greeting\` was removed"
  `)
})

test('the last cell goes below the others if its column would be too narrow', () => {
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
  expect(wrapRows([['+', slug, '']], 30)).toStrictEqual([['+', `    ${slug}`]])
})

test.each([40, 60, 80])('no row of words exceeds %i columns', (columns) => {
  const cells = ['~ 更新', '\u001b[1mgreeting\u001b[22m', '😀 日本 '.repeat(40)]
  const lines = wrapRows([cells], columns).flat()
  expect(lines.length).toBeGreaterThan(2)
  expect(Math.max(...lines.map((line) => displayWidth(line)))).toBeLessThanOrEqual(columns)
})

test('cells that wrap too continue below the first', () => {
  const row = ['~ updated', 'a-slug-that-is-rather-wide', 'v22 → v23', 'system text']
  expect(wrapRows([row], 42)[0]).toEqual([
    '~ updated   a-slug-that-is-rather-wide',
    '    v22 → v23',
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
