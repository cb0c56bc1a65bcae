import { describe, expect, test } from 'vitest'
import { readNames } from '../../../src/judge/named-uses.ts'

const IMPORT = `import { prompts } from 'virtual:prompts'\n`

function read(text: string, path = 'main.ts'): unknown {
  return readNames({ path, text }, 'virtual:prompts')
}

describe('the text of a file shows which prompts it names', () => {
  test.each<[text: string, names: readonly string[]]>([
    [`${IMPORT}prompts.a.render({}) + prompts.b?.render()`, ['a', 'b']],
    [`${IMPORT}prompts['support-triage'] ?? prompts\n  ?.größe`, ['support-triage', 'größe']],
    [
      `import { prompts as p$, toOpenAI } from "virtual:prompts"\ntoOpenAI(p$.a, { p$x: 1 })`,
      ['a'],
    ],
    [`import {\n  prompts,\n  toOpenAI,\n} from 'virtual:prompts/staging'\nprompts.a`, ['a']],
    [`${IMPORT}type Values = Parameters<typeof prompts.a.render>`, ['a']],
    [`import type { Prompts } from 'virtual:prompts'\nlet a: Prompts['a']`, ['a']],
    [`import { prompts, type AnyPrompt } from 'virtual:prompts'\nprompts.a`, ['a']],
    [`vi.mock('virtual:prompts', () => ({}))\n${IMPORT}prompts.a`, ['a']],
    [`import { prompts } from 'virtual:prompts-of-billing'`, []],
  ])('%j', (text, names) => {
    expect(read(text)).toEqual(names)
  })

  test('a document is no use', () => {
    expect(read(`${IMPORT}prompts[name]`, 'README.md')).toEqual([])
  })
})

describe('the text does not show it, and a compiler has to answer', () => {
  test.each([
    `${IMPORT}prompts[name].render({})`,
    `${IMPORT}prompts['a\\x62'].render({})`,
    `${IMPORT}prompts.\\u0061.render({})`,
    `${IMPORT}Object.values(prompts)`,
    `${IMPORT}const { a } = prompts`,
    `${IMPORT}export { prompts }`,
    `${IMPORT}(prompts as any).a`,
    `${IMPORT}type Names = keyof typeof prompts`,
    `import type { Prompts } from 'virtual:prompts'\ntype Name = keyof Prompts`,
    `import { /* all */ prompts } from 'virtual:prompts'\nprompts.a`,
    `import * as all from 'virtual:prompts'`,
    `export { prompts } from 'virtual:prompts'`,
    `export * from 'virtual:prompts'`,
    `import { a } from 'virtual:prompts/all'`,
    `const { prompts } = await import('virtual:prompts')`,
    `const { prompts } = require('virtual:prompts')`,
    `declare module 'virtual:prompts' {}`,
    `vi.mock('virtual:prompts', () => vi.importActual('virtual:prompts'))`,
  ])('%j', (text) => {
    expect(read(text)).toBeUndefined()
  })

  test.each([
    ['a language that is not known', 'page.marko', `${IMPORT}prompts.a`],
    ['a configuration of the app', 'app.config.ts', `export { prompts } from 'virtual:prompts'`],
    ['that of a tool', 'vite.config.ts', `export default { external: ['virtual:prompts'] }`],
  ])('in %s', (_, path, text) => {
    expect(read(text, path)).toBeUndefined()
  })
})
