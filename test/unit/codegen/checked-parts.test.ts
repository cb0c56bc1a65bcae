import { describe, expect, test } from 'vitest'
import { type ParseModule, parseModule } from '../../../src/codegen/assert-only-data.ts'
import { planModule, type PlannedPrompt } from '../../../src/codegen/plan-module.ts'
import {
  type PrintTarget,
  printAll,
  printDefinitions,
  printEntry,
} from '../../../src/codegen/print-module.ts'
import { liveLock } from '../../helpers/pinned.ts'

type Print = (plan: ReturnType<typeof planModule>, target: PrintTarget) => string

const PRINTED: readonly (readonly [module: string, print: Print])[] = [
  ['the definitions', printDefinitions],
  ['prompts as an object', (plan, target) => printEntry(plan, target, 'object')],
  ['prompts as a namespace', (plan, target) => printEntry(plan, target, 'namespace')],
  [
    'prompts in CommonJS',
    (plan, target) => printEntry(plan, { ...target, format: 'cjs' }, 'object'),
  ],
  ['every name', (plan, target) => printAll(plan, target)],
]

/** Prints a module of `count` prompts, and returns its code and the texts that were parsed for it. */
function watch(print: Print, count: number): { code: string; parsed: string[] } {
  const prompts = Array.from({ length: count }, (_, index) => ({ slug: `prompt-${index}` }))
  const parsed: string[] = []
  const parse: ParseModule = (text) => {
    parsed.push(text)
    return parseModule(text)
  }
  const definitions = ({ head }: PlannedPrompt) => `./definitions/${head.slug}`
  const ids = { all: './all', definitions, runtime: './runtime' }
  return { code: print(planModule(liveLock(...prompts), 'live'), { ...ids, parse }), parsed }
}

describe.each(PRINTED)('in the module of %s', (_, print) => {
  test.each([0, 1, 100, 1001])('every byte is checked once, with %i prompts', (count) => {
    const { code, parsed } = watch(print, count)
    expect(parsed.join('')).toBe(code)
    // Without prompts, webpack would not recognize an empty text as a module.
    expect(code).not.toBe('')
  })

  test('no part declares more names than the parser compares quickly', () => {
    const names = /(?<=^export const )\w+|\bp\d+(?=[, ].*(?:from|require))/gm
    const declared = watch(print, 1001).parsed.map((text) => text.match(names)?.length ?? 0)
    expect(Math.max(...declared)).toBeLessThanOrEqual(100)
  })
})
