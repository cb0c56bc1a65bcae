import { describe, expect, test } from 'vitest'
import { parseJavaScriptModule, promptUse } from '../../src/emit/prompt-use.ts'

const ID = 'virtual:prompts'
const IMPORT = `import { prompts } from 'virtual:prompts'\n`

function useOf(code: string): readonly string[] | 'all' {
  const use = promptUse(code, ID, [parseJavaScriptModule])
  return use === 'all' ? use : [...use].toSorted()
}

describe('the use of prompts in a module', () => {
  test.each<[given: string, want: readonly string[]]>([
    ['', []],
    ['prompts.a; prompts.a.render(prompts.b)', ['a', 'b']],
    [`prompts['a-b']?.render(); prompts?.c`, ['a-b', 'c']],
    ['prompts[`a b`].slug', ['a b']],
    [
      'const { a, b: c, "d-e": f, ["g"]: h = prompts.i, j: { slug } } = prompts',
      ['a', 'b', 'd-e', 'g', 'i', 'j'],
    ],
    ['const {} = prompts', []],
    ['export const f = async () => { for (const x of y) return prompts.a }', ['a']],
    ['class C extends prompts.a { prompts() { return this.prompts } prompts = 1 }', ['a']],
    ['const other = { prompts: 1 }; other.prompts; label: prompts.a', ['a']],
    ['`${prompts.a.slug}`', ['a']],
    ['import.meta.prompts; import("./other.js")', []],
    ['import { prompts as other } from "virtual:other-prompts"; prompts.a; other.b', ['a']],
    ['import(`./${x}.js`); import("virtually" + x); import("../" + x + ".js"); prompts.a', ['a']],
    ['require("virtually"); require(`x`); x("virtual:" + y); x.require(y); prompts.a', ['a']],
    ['new URL("virtual:" + x); import.meta.resolve(x); prompts.a', ['a']],
  ])('is read from %s', (code, want) => {
    expect(useOf(IMPORT + code)).toEqual(want)
  })

  test.each<[given: string]>([
    ['prompts'],
    ['const all = prompts'],
    ['prompts[name]'],
    ['prompts[0]'],
    ['prompts[`a${b}`]'],
    ['const { a, ...rest } = prompts'],
    ['const { [a]: b } = prompts'],
    ['const [a] = prompts'],
    ['({ a } = prompts)'],
    ['f({ prompts })'],
    ['f(...prompts)'],
    ['export { prompts }'],
    ['export default prompts'],
    ['"a" in prompts'],
    ['for (const a in prompts) f(a)'],
    ['await prompts'],
    ['eval("prompts.a")'],
    ['(0, prompts).a'],
    ['(x ? prompts : y).a'],
    ['await import("virtual:prompts")'],
    ['await import(`virtual:prompts`)'],
    ['require("virtual:prompts")'],
    ['await import("virtual:" + "prompts")'],
    ['await import("virtual" + ":" + "prompts")'],
    ['await import(`virtual:${"prompts"}`)'],
    ['await import(`virtual:${x}` + "")'],
    ['await import(`${x}:prompts`)'],
    ['await import(name)'],
    ['await import(x ? y : z)'],
    ['await import(1 + x)'],
    ['require("virtual:" + "prompts")'],
    ['require(name)'],
    ['export * from "virtual:prompts"'],
    ['export { prompts as all } from "virtual:prompts"'],
    ['import.meta.hot.accept("virtual:prompts", () => {})'],
    ['import * as all from "virtual:prompts"'],
    ['import all from "virtual:prompts"'],
    ['no JavaScript'],
  ])('is all where it says %s', (code) => {
    expect(useOf(`${IMPORT}prompts.a\n${code}`)).toBe('all')
  })

  test('is all where the module is not imported by a declaration', () => {
    expect(useOf('prompts.a')).toBe('all')
    expect(useOf(`const { prompts } = require('virtual:prompts'); prompts.a`)).toBe('all')
  })

  test('is told under other names and from several imports', () => {
    const code =
      `import { prompts as a, toOpenAI } from 'virtual:prompts'\nimport { 'prompts' as b } from 'virtual:prompts'\n` +
      `a.one; b.two; toOpenAI.three; prompts.four`
    expect(useOf(code)).toEqual(['one', 'two'])
  })

  test('has every name that shadowing may add, and none less', () => {
    expect(useOf(`${IMPORT}prompts.a; { let x = () => prompts.b }`)).toEqual(['a', 'b'])
    expect(useOf(`${IMPORT}prompts.a; function f(prompts) { return prompts.b }`)).toBe('all')
  })
})
