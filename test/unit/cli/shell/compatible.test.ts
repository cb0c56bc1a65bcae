import { describe, expect, test } from 'vitest'
import { assertCompatible } from '../../../../src/cli/shell/arguments.ts'

const COMMAND = {
  name: 'diff',
  examples: [],
  conflicts: [['json', 'format markdown']],
  needs: [
    ['rename', 'fix'],
    ['output', 'format patch', 'format markdown'],
  ],
} as const

const check = (values: Readonly<Record<string, string | boolean | string[]>>): void =>
  assertCompatible(COMMAND, { values, positionals: [] })

describe('options that are given together', () => {
  test.each([
    [{ json: true, format: 'markdown' }, '--json and --format markdown cannot be combined.'],
    [{ rename: ['a=b'], fix: false }, '--rename needs --fix.'],
    [{ output: 'a.md', format: 'text' }, '--output needs --format patch or --format markdown.'],
  ])('%j are refused', (values, why) => {
    expect(() => check(values)).toThrow(expect.objectContaining({ code: 'USAGE', why }))
  })

  test.each([
    { unified: true, format: 'text' },
    { unified: false, format: 'markdown' },
    { rename: ['a=b'], fix: true },
    { output: 'a.md', format: 'markdown' },
    { rename: [], fix: false },
  ])('%j are accepted', (values) => {
    expect(() => check(values)).not.toThrow()
  })
})

describe('a required argument', () => {
  const command = {
    ...COMMAND,
    argument: { placeholder: '<slug>', description: '', missing: 'No.' },
  }

  test('is refused if it is missing, and accepted otherwise', () => {
    const missing = expect.objectContaining({ code: 'USAGE', why: 'No.' })
    expect(() => assertCompatible(command, { values: {}, positionals: [] })).toThrow(missing)
    expect(() => assertCompatible(command, { values: {}, positionals: ['a'] })).not.toThrow()
  })
})
