import { Parser } from 'acorn'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printAll, printDefinitions, printEntry } from '../../../src/codegen/print-module.ts'
import { liveLock } from '../../helpers/pinned.ts'

const IDS = { all: './all', definitions: './definitions', runtime: './runtime' }

type Plan = ReturnType<typeof planModule>

const PRINTED: readonly { module: string; print: (plan: Plan) => string }[] = [
  { module: 'the definitions', print: (plan) => printDefinitions(plan, IDS) },
  { module: 'prompts as an object', print: (plan) => printEntry(plan, IDS, 'object') },
  { module: 'prompts as a namespace', print: (plan) => printEntry(plan, IDS, 'namespace') },
  { module: 'every name', print: (plan) => printAll(plan, IDS, 'namespace') },
]

/** Prints a module of as many prompts, and gives its code and the texts that were parsed for it. */
function watch(print: (plan: Plan) => string, count: number): { code: string; parsed: string[] } {
  const prompts = Array.from({ length: count }, (_, index) => ({ slug: `prompt-${index}` }))
  const parse = vi.spyOn(Parser, 'parse')
  onTestFinished(() => parse.mockRestore())
  const code = print(planModule(liveLock(...prompts)))
  return { code, parsed: parse.mock.calls.map(([text]) => text) }
}

describe.each(PRINTED)('of $module', ({ print }) => {
  test.each([0, 1, 100, 1001])('every byte is checked once, with %i prompts', (count) => {
    const { code, parsed } = watch(print, count)
    expect(parsed.join('')).toBe(code)
  })

  test('no part declares more names than the parser compares quickly', () => {
    const declared = watch(print, 1001).parsed.map(
      (text) => text.match(/(?<=^export const )\w+|\bp\d+(?=[, ].*from )/gm)?.length ?? 0,
    )
    expect(Math.max(...declared)).toBeLessThanOrEqual(100)
  })
})
