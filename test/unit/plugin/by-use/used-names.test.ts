import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import type { ParseModule } from '../../../../src/codegen/assert-only-data.ts'
import { findUsedNames, type UsedModule } from '../../../../src/plugin/by-use/used-names.ts'
import { PARSERS } from '../../../helpers/parsers.ts'

const ID = 'virtual:prompts'
const IMPORT = `import { prompts } from 'virtual:prompts'\n`
const AWAIT = 'await import("virtual:prompts")'

const parseTsx: ParseModule = (code) => parseAst(code, { lang: 'tsx' })

const ENTRY = { id: ID, kind: 'entry' } as const
const ALL = { id: `${ID}/all`, kind: 'all' } as const

function useWith(
  parse: ParseModule,
  code: string,
  module: UsedModule = ENTRY,
): readonly string[] | 'all' {
  const { use } = findUsedNames(code, { ...module, parsers: [parse] })
  return use === 'all' ? use : [...use].toSorted()
}

describe.each(PARSERS)(
  'the use of prompts in a module, read by the parser of $parser,',
  ({ parse }) => {
    const useOf = (code: string): readonly string[] | 'all' => useWith(parse, code)

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
      ['"prompts"; x = { key: "eval" }; prompts.a', ['a']],
      ['let unset; const { b } = x; for (const { c } of y) prompts.a', ['a']],
      ['x[prompts.a]; ({ [prompts.b]: 1, get [prompts.c]() {} })', ['a', 'b', 'c']],
      ['import("virtual:"); require("v"); prompts.a', ['a']],
      ['import(`./${x}.js`); import("virtually" + x); import("./" + x + ".js"); prompts.a', ['a']],
      ['require("virtually"); require(`x`); x("virtual:" + y); x.require(y); prompts.a', ['a']],
      ['new URL("virtual:" + x); import.meta.resolve(x); prompts.a', ['a']],
      ['export { prompts as others } from "./others.js"; export * from "x"; prompts.a', ['a']],
      [`(${AWAIT}).prompts.b; prompts.a`, ['a', 'b']],
      ['const { a } = flag(prompts.b) ? staging : prompts', ['a', 'b']],
      ['(x ? prompts : y).a; ((x ? y : z ? (prompts) : prompts)).b', ['a', 'b']],
      [`(x ? y : (${AWAIT}).prompts).a`, ['a']],
    ])('is read from %s', (code, want) => {
      expect(useOf(IMPORT + code)).toEqual(want)
    })

    test.each<[given: string]>([
      ['prompts'],
      ['const all = prompts'],
      ['prompts[name]'],
      ['prompts[0]'],
      ['prompts.hasOwnProperty("a")'],
      ['prompts.valueOf()[name]'],
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
      ['(x ? prompts : y)[z]'],
      ['(x ? prompts : prompts)'],
      ['(x ? prompts : [prompts]).a'],
      ['(prompts ? x : prompts).a'],
      ['const all = x ? prompts : y'],
      ['const { ...all } = x ? prompts : y'],
      [`(x ? ${AWAIT} : y).prompts.a`],
      [`${AWAIT}`],
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
      ['const { b } = f(prompts)'],
      ['const b = prompts, { c } = x'],
      ['x[prompts]'],
      ['({ [prompts]: 1 })'],
      ['class C { [prompts]() {} }'],
      ['class C { #b; f() { return prompts.#b } }'],
      ['for (prompts; ; ) ;'],
      ['export { prompts as default }'],
      ['let b = eval'],
    ])('is all where it says %s', (statement) => {
      const code = `${IMPORT}prompts.a;\n${statement}`
      expect(parse(code)).toHaveProperty('body')
      expect(useOf(code)).toBe('all')
    })

    test('is read by the first parser that accepts the code', () => {
      const code = `${IMPORT}let a: string = prompts.a.slug`
      expect(findUsedNames(code, { ...ENTRY, parsers: [parse, parseTsx] }).use).toEqual(
        new Set(['a']),
      )
    })

    test.each<[replacement: string, want: readonly string[] | 'all']>([
      ['p.b', ['a', 'b']],
      ['"p.b"', ['a']],
      ['prompts.b', ['a']],
      ['{"p": 1}', ['a']],
      ['p', 'all'],
      ['"virtual:prompts"', 'all'],
      ['no expression', 'all'],
    ])('counts what the bundler may still put in: %s', (replacement, want) => {
      const code = `import { prompts as p } from 'virtual:prompts'; p.a; X`
      const { use } = findUsedNames(code, {
        ...ENTRY,
        parsers: [parse],
        replacements: ['1', replacement],
      })
      expect(use).toEqual(want === 'all' ? want : new Set(want))
    })

    test.each<[given: string, want: readonly string[]]>([
      [
        '(await import("virtual:prompts")).prompts.a; (await import(`virtual:prompts`)).toOpenAI',
        ['a'],
      ],
      [`(${AWAIT})?.prompts["a"]`, ['a']],
      [`const { a, b: c } = (${AWAIT}).prompts`, ['a', 'b']],
      [`const { prompts: { a }, toOpenAI } = ${AWAIT}; toOpenAI()`, ['a']],
      [`const { prompts: { a }, prompts } = ${AWAIT}; prompts.b`, ['a', 'b']],
      [`f = () => [one.a, two.b]; let { prompts: one, "prompts": two } = ${AWAIT}`, ['a', 'b']],
      [`async function f() { const { prompts } = ${AWAIT}; prompts.a }`, ['a']],
      [`const {} = ${AWAIT}`, []],
      ['import("virtual:prompts").then(({ prompts }) => prompts.a)', ['a']],
      ['f(import("virtual:prompts")?.then(async ({ prompts: p }, x) => p["a"], g))', ['a']],
      ['import("virtual:prompts").then(({ prompts: { a, b: c }, toOpenAI }) => f(a))', ['a', 'b']],
      ['import("virtual:prompts").then(() => 1)', []],
      ['#!/usr/bin/env node\nimport { prompts } from "virtual:prompts"; prompts.a', ['a']],
      ['import { toOpenAI } from "virtual:prompts"; eval("prompts.a")', []],
      [`${IMPORT}import * as others from './others.js'; prompts.a; others.prompts.b`, ['a']],
      [
        `import { prompts as a, toOpenAI } from '${ID}'; import { 'prompts' as b } from '${ID}'; a.one; b.two; toOpenAI.three; prompts.four`,
        ['one', 'two'],
      ],
      [`${IMPORT}prompts.a; { let x = () => prompts.b }`, ['a', 'b']],
    ])('is read from the module: %s', (code, want) => {
      expect(useOf(code)).toEqual(want)
    })

    test.each<[given: string]>([
      [`const all = ${AWAIT}; all.prompts.a`],
      ['import("virtual:prompts").then((all) => all.prompts.a)'],
      ['import("virtual:prompts").then(({ ...all }) => all.prompts.a)'],
      ['import("virtual:prompts").then(function () { return arguments[0] })'],
      ['import("virtual:prompts").then(({ prompts } = x) => prompts.a)'],
      ['import("virtual:prompts").then(({ prompts }) => f(prompts))'],
      ['import("virtual:prompts").then(f)'],
      ['import("virtual:prompts").then()'],
      ['import("virtual:prompts").catch(({ prompts }) => prompts.a)'],
      ['f(import("virtual:prompts").then)'],
      ['import("virtual:prompts")[then](({ prompts }) => prompts.a)'],
      [`(${AWAIT}).prompts`],
      [`(${AWAIT})[name]`],
      [`(${AWAIT}).prompts[name]`],
      ['(await import("virtual:prompts", f(prompts))).prompts.a'],
      ['(await import("virtual:" + "prompts")).prompts.a'],
      [`const { ...all } = ${AWAIT}`],
      [`const { [name]: all } = ${AWAIT}`],
      [`const { prompts: { ...all } } = ${AWAIT}`],
      [`const { prompts = {} } = ${AWAIT}`],
      [`let prompts; ({ prompts } = ${AWAIT})`],
      [`const { prompts } = ${AWAIT}; f(prompts)`],
      [`f(prompts); const { prompts } = ${AWAIT}`],
      [`const { prompts } = ${AWAIT}; eval("prompts.a")`],
      [`export const { prompts } = ${AWAIT}`],
      ['prompts.a'],
      ['import { prompts } from "./prompts.js"; prompts.a'],
      ['export { prompts } from "./prompts.js"'],
      ['const { prompts } = require("virtual:prompts"); prompts.a'],
      [`${IMPORT}prompts.a; function f(prompts) { return prompts.b }`],
    ])('is all with %s', (code) => {
      expect(parse(code)).toHaveProperty('body')
      expect(useOf(code)).toBe('all')
    })

    test.each<[given: string, want: readonly (string | undefined)[]]>([
      ['import { prompts as others } from "x"; import { a } from "y"; import b from "z"', ['x']],
      ['import * as others from "x"; import { "prompts" as c } from "y"', ['x', 'y']],
      ['import { a, prompts as others } from "x"; export { b, prompts } from "y"', ['x', 'y']],
      ['export { prompts } from "x"; export { a as b } from "y"; export * from "z"', ['z', 'x']],
      ['import("x"); require("y"); import("z" + `${"1"}2`)', ['z12', 'y', 'x']],
      [
        'import("@/" + name); require(`x${name}`); import(`./${name}.js`); import(`../${name}.js`)',
        [undefined, undefined],
      ],
    ])('may depend on other modules that %s asks for', (code, want) => {
      const request = { ...ENTRY, parsers: [parse] }
      const { use, requests } = findUsedNames(`${IMPORT}prompts.d;${code}`, request)
      expect(use).toEqual(new Set(['d']))
      expect(requests.map(({ specifier }) => specifier)).toEqual(want)
    })

    test.each<[given: string, reason: string, at?: string]>([
      ['no JavaScript', 'not parsed'],
      ['prompts.a', 'no direct import'],
      [`import * as all from '${ID}'`, 'namespace import', '1:1'],
      [`${IMPORT}export * from '${ID}'`, 'module mentioned', '2:15'],
      [`${IMPORT}\n  import(name)`, 'computed import', '3:3'],
      [`${IMPORT}import('${ID}')`, 'computed import', '2:1'],
      [`${IMPORT}prompts[name]`, 'computed member', '2:1'],
      [`(${AWAIT})[name]`, 'computed member', '1:8'],
      [`name[${AWAIT}]`, 'passed on', '1:12'],
      [`const [name] = ${AWAIT}`, 'passed on', '1:22'],
      [`f(${AWAIT})`, 'passed on', '1:9'],
      [`const { prompts: [name] } = ${AWAIT}`, 'passed on', '1:35'],
      [`${IMPORT}f(1, prompts)`, 'passed on', '2:6'],
      [`${IMPORT}x[prompts]`, 'passed on', '2:3'],
      [`${IMPORT}const [x] = prompts`, 'passed on', '2:13'],
      [`${IMPORT}eval('1')`, 'eval', '2:1'],
    ])('is all with a reason and a place: %s', (code, reason, at) => {
      const { use, unclear } = findUsedNames(code, { ...ENTRY, parsers: [parse] })
      expect([use, unclear]).toEqual(['all', { reason, at }])
    })

    test('is all with a reason and no place if the bundler inserts the use', () => {
      const code = `${IMPORT}prompts.a; X`
      const used = findUsedNames(code, { ...ENTRY, parsers: [parse], replacements: ['prompts'] })
      expect([used.use, used.unclear]).toEqual(['all', { reason: 'passed on' }])
    })

    test.each<[given: string, want: readonly string[]]>([
      ['prompts.a; prompts[name]; const { b, "c-d": c } = prompts', ['a', 'b', 'c-d']],
      ['prompts.a?.b; flag && prompts.c; typeof prompts.d', ['a', 'c', 'd']],
      ['prompts.a; app.prompts.b; ({ prompts: 1 })', ['a']],
      // Another variable may have the name of the import.
      ['prompts.a; (prompts) => prompts.b', []],
      ['prompts.a; function g(prompts) {}', []],
      ['prompts.a; const g = ({ prompts }) => 1', []],
      ['prompts.a; { let prompts }', []],
      ['prompts.a; { const [prompts = 1] = x }', []],
      ['prompts.a; { class prompts {} }', []],
      ['prompts.a; try {} catch (prompts) {}', []],
      ['prompts.a; (function prompts() {})', []],
      ['prompts.a; for (const prompts of x) {}', []],
      ['prompts.a; const g = (...prompts) => 1', []],
      ['prompts.a; for (const { prompts } of x) prompts.b', []],
      ['import p from "x"; import("virtual:prompts").then(({ prompts: p }) => p.a); p.b', []],
      ['"a" in prompts && prompts.a', []],
      ['prompts.a; f({ ...prompts })', []],
      ['prompts.a', ['a']],
      ['prompts.a(', []],
    ])('names certainly what %s says', (code, want) => {
      const { names } = findUsedNames(IMPORT + code, { ...ENTRY, parsers: [parse] })
      expect([...names].toSorted()).toEqual(want)
    })

    test.each<[given: string, want: readonly string[] | 'all']>([
      [`import { a, 'b-c' as b } from '${ALL.id}'; f(a)`, ['a', 'b-c']],
      [
        `import * as all from '${ALL.id}'; f(all.a, all['b-c']); const { d } = all`,
        ['a', 'b-c', 'd'],
      ],
      [`import a from '${ALL.id}'`, ['default']],
      [`const { a } = await import('${ALL.id}'); (await import('${ALL.id}')).b.slug`, ['a', 'b']],
      [`import('${ALL.id}').then(({ a }) => a)`, ['a']],
      [`import * as all from '${ALL.id}'; f(all)`, 'all'],
      [`import * as all from '${ALL.id}'; all[name]`, 'all'],
      [`const all = await import('${ALL.id}'); all.a`, 'all'],
      [`export { a } from '${ALL.id}'`, 'all'],
      [`export * from '${ALL.id}'`, 'all'],
      [`import { prompts } from '${ID}'; prompts.a`, 'all'],
    ])('reads from the module of all prompts: %s', (code, want) => {
      expect(useWith(parse, code, ALL)).toEqual(want)
    })
  },
)

test.each<[given: string]>([
  ['<prompts.b />'],
  ['<C of={prompts} />'],
  ['<>{prompts}</>'],
  ['(prompts as any).b'],
  ['prompts!.b'],
  ['import b = prompts'],
  ['export = prompts'],
  ['enum B { c = prompts }'],
])('the use of prompts is all where TypeScript or JSX says %s', (statement) => {
  const code = `${IMPORT}prompts.a;\n${statement}`
  expect(parseTsx(code)).toHaveProperty('body')
  expect(useWith(parseTsx, code)).toBe('all')
})

test.each<[given: string]>([
  ['type B = typeof prompts; export interface C { b: typeof prompts }'],
  ['let b: typeof prompts'],
  ['function f(b: typeof prompts): typeof prompts { return b }'],
  ['function f<B extends typeof prompts>() {}; f<typeof prompts>()'],
  ['let b = <C {...d} e="prompts">prompts</C>'],
])('the use of prompts is read from TypeScript and JSX without types: %s', (code) => {
  expect(useWith(parseTsx, `${IMPORT}prompts.a;\n${code}`)).toEqual(['a'])
})
