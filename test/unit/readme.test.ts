import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ErrorCode,
  type ErrorDetails,
  catalogue,
  type Explanation,
} from '../../src/errors/catalogue.ts'

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('README', () => {
  test.each(Object.keys(catalogue))('lists error %s as the catalogue has it', (code) => {
    expect(README).toContain(rowOf(code as ErrorCode))
  })

  test('lists no error that the catalogue does not have', () => {
    const listed = README.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)
    const unknown = [...listed].map(([, code = '']) => code).filter((code) => !(code in catalogue))
    expect(unknown).toEqual([])
  })
})

/** The row of README's table for a code, with the names of the details in place of values. */
function rowOf(code: ErrorCode): string {
  const explain = catalogue[code] as (details: ErrorDetails[ErrorCode]) => Explanation
  const { why, fix } = explain(placeholders as unknown as ErrorDetails[ErrorCode])
  const cells = [`\`${code}\``, why.replace(/:$/, ''), fix]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** Lists are empty, what may be left out is, and everything else stands for itself: `‹path›`. */
const placeholders = new Proxy(
  {},
  {
    get(_target, name: string) {
      if (['problems', 'slugs', 'differences', 'chain'].includes(name)) return []
      if (name === 'workspace') return 'prompts'
      return ['excerpt', 'wait', 'command'].includes(name) ? '' : `‹${name}›`
    },
  },
)
