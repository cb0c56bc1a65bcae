import { describe, expect, test } from 'vitest'
import { codeFrame, cutLine, usedBy } from '../../../src/core/impact.ts'

const LONG = `${'a'.repeat(20)}(MARK)${'b'.repeat(20)}`

/** The line and its marker, cut to so many characters. */
function cut(text: string, max: number): string[] {
  const line = cutLine({ text, start: text.indexOf('MARK'), length: 'MARK'.length }, max)
  return [line.text, ' '.repeat(line.start) + '~'.repeat(line.length)]
}

describe('the frame of a line of code', () => {
  test('has the whole line if it fits, wherever the expression is', () => {
    expect(cut(LONG, LONG.length)).toEqual([LONG, `${' '.repeat(21)}~~~~`])
    const code = { text: '\trender(x)', start: 1, length: 6 }
    expect(codeFrame({ line: 7, code })).toEqual(['7 │  render(x)', '  │  ~~~~~~'])
    expect(codeFrame({ line: 7 })).toEqual([])
  })

  test.each([
    ['in the middle of a longer one', LONG, ['…aaaa(MARK)b…', '      ~~~~']],
    ['at its beginning', 'MARK' + 'b'.repeat(20), ['MARKbbbbbbb…', '~~~~']],
    ['and the expression with it', `a(MARK${'b'.repeat(20)}`, ['a(MARKbbbbb…', '  ~~~~']],
    ['at its end', 'a'.repeat(20) + 'MARK', ['…aaaaaaaMARK', '        ~~~~']],
  ])('is cut around the expression, with a sign at each cut end: %s', (_, text, lines) => {
    expect(cut(text, 13)).toEqual(lines)
  })

  test.each([0, 1, 2, -5])(
    'has a character of the expression on a screen of %i columns',
    (columns) => {
      expect(cut(LONG, columns)).toEqual(['…M…', ' ~'])
    },
  )

  test('has room for the number of the line on a screen', () => {
    const code = { text: LONG, start: 21, length: 4 }
    const frame = codeFrame({ line: 12, code }, 20)
    expect(frame.map(({ length }) => length)).toEqual([20, expect.any(Number)])
    expect(frame[0]).toContain('MARK')
  })
})

test('code uses the prompts that it names, or may use any if it passes on all', () => {
  const uses = (escapes: readonly unknown[]) =>
    ['a', 'b'].map((slug) => usedBy({ sites: [{ slug: 'a' }], escapes })({ slug }))
  expect(uses([])).toEqual([true, false])
  expect(uses([{}])).toEqual([true, true])
})
