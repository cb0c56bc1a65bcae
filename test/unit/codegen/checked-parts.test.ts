import { describe, expect, test } from 'vitest'
import { type ParseModule, parseModule } from '../../../src/codegen/assert-only-data.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printAll, printDefinitions, printEntry } from '../../../src/codegen/print-module.ts'
import { liveLock } from '../../helpers/pinned.ts'

const IDS = { all: './all', definitions: () => './definitions', runtime: './runtime' }

type Plan = ReturnType<typeof planModule>

type Print = (plan: Plan, parse: ParseModule) => string

const PRINTED: readonly { module: string; print: Print }[] = [
  { module: 'the definitions', print: (plan, parse) => printDefinitions(plan, { ...IDS, parse }) },
  {
    module: 'prompts as an object',
    print: (plan, parse) => printEntry(plan, { ...IDS, parse }, 'object'),
  },
  {
    module: 'prompts as a namespace',
    print: (plan, parse) => printEntry(plan, { ...IDS, parse }, 'namespace'),
  },
  {
    module: 'prompts in CommonJS',
    print: (plan, parse) => printEntry(plan, { ...IDS, parse, format: 'cjs' }, 'object'),
  },
  { module: 'every name', print: (plan, parse) => printAll(plan, { ...IDS, parse }, 'namespace') },
]

/** Prints a module of `count` prompts, and returns its code and the texts that were parsed for it. */
function watch(print: Print, count: number): { code: string; parsed: string[] } {
  const prompts = Array.from({ length: count }, (_, index) => ({ slug: `prompt-${index}` }))
  const parsed: string[] = []
  const code = print(planModule(liveLock(...prompts)), (text) => {
    parsed.push(text)
    return parseModule(text)
  })
  return { code, parsed }
}

describe.each(PRINTED)('of $module', ({ print }) => {
  test.each([0, 1, 100, 1001])('every byte is checked once, with %i prompts', (count) => {
    const { code, parsed } = watch(print, count)
    expect(parsed.join('')).toBe(code)
  })

  test('no part declares more names than the parser compares quickly', () => {
    const declared = watch(print, 1001).parsed.map(
      (text) =>
        text.match(/(?<=^export const )\w+|\bp\d+(?=[, ].*(?:from|require))/gm)?.length ?? 0,
    )
    expect(Math.max(...declared)).toBeLessThanOrEqual(100)
  })
})
