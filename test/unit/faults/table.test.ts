import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasTest, readTitles, type TestTitles } from '../../helpers/test-titles.ts'

const TESTS = join(import.meta.dirname, '../..')

const ROWS = readFileSync(join(TESTS, 'faults/README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
  .map(([, number = '', fault = '', expected = '', tests = '']) => ({
    number: Number(number),
    fault,
    expected,
    tests: citations(tests),
  }))

describe('the table of faults', () => {
  test('is numbered from 1 without a gap', () => {
    expect(ROWS.length).toBeGreaterThan(80)
    expect(ROWS.map(({ number }) => number)).toEqual(ROWS.map((_, index) => index + 1))
  })

  test.each(ROWS)('names the tests of fault $number: $fault', ({ fault, expected, tests }) => {
    expect([fault, expected]).not.toContain('')
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.filter((cited) => !exists(cited))).toEqual([])
  })
})

describe('a named test', () => {
  const titles = readTitles(`
    describe('reading', () => {
      test.each([['chunks', 2]])('%s in %i parts', () => {})
      test.each([{ title: 'a cut body', code: 'CUT' }])('$title is $code', () => {})
      test.skip('later', () => {})
    })
    test.skipIf(windows)('on Linux', () => {})
  `)

  test.each([
    'reading › chunks in 2 parts',
    'reading › $title is $code',
    '$title is $code',
    'a cut body is CUT',
    'on Linux',
  ])('is found: %s', (cited) => {
    expect(hasTest(titles, cited)).toBe(true)
  })

  test.each([
    'a whole body is CUT',
    'CUT is CUT',
    'chunks in 3 parts',
    'writing › a cut body is CUT',
    'reading › on Linux',
    'reading',
    'later',
    'on Windows',
  ])('is not found: %s', (cited) => {
    expect(hasTest(titles, cited)).toBe(false)
  })
})

/** The code spans of a cell: a file, then titles of tests in it, then perhaps another file. */
function citations(cell: string): { file: string; title: string }[] {
  let file = ''
  return [...cell.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].flatMap(([, , span = '']) => {
    const title = span.trim()
    if (!title.endsWith('.test.ts')) return [{ file, title }]
    file = title
    return []
  })
}

const read = new Map<string, TestTitles>()

function exists({ file, title }: { file: string; title: string }): boolean {
  const path = join(TESTS, file)
  const titles = read.get(path) ?? readTitles(existsSync(path) ? readFileSync(path, 'utf8') : '')
  read.set(path, titles)
  return hasTest(titles, title)
}
