import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import { listCertainReads } from '../../../../src/analysis/by-use/certain-reads.ts'
import { PARSERS } from '../../../helpers/parsers.ts'

const ENTRY = 'virtual:prompts'
const ALL = `${ENTRY}/all`
const IMPORT = `import { prompts } from '${ENTRY}'\n`

describe.each(PARSERS)('the names that a module certainly reads, by $parser,', ({ parse }) => {
  const readsOf = (code: string, specifier = ENTRY): readonly string[] =>
    listCertainReads(code, {
      specifier,
      kind: specifier === ENTRY ? 'entry' : 'all',
      parsers: [parse],
    })

  test.each<[code: string, want: readonly string[]]>([
    ['prompts.a; f(prompts.b, prompts["c-d"].slug)', ['a', 'b', 'c-d']],
    ['f(prompts[name], prompts, { prompts }, ...[prompts].flat()); prompts.a.render()', ['a']],
    ['const { a, b: { slug }, "c-d": c } = prompts', ['a', 'b', 'c-d']],
    ['const f = () => prompts.a; const g = () => { return flag && prompts.b }', ['a', 'b']],
    ['const all = prompts; export { prompts }; g(flag ? prompts.a : prompts.b)', ['a', 'b']],
    ['f?.(prompts.a); x?.[prompts.b]; for (prompts; ; ) ;', ['a', 'b']],
    ['x = prompts.a; f({ b: prompts.b, [prompts.c]: 1 }); `${prompts.d}`', ['a', 'b', 'c', 'd']],
  ])('are in %s', (code, want) => {
    expect(readsOf(IMPORT + code).toSorted()).toEqual(want)
  })

  test.each<[code: string]>([
    ['prompts?.a; prompts.b?.slug; prompts.c?.(); (prompts?.d).slug'],
    ['if (prompts.a) prompts.a.render(); prompts.b && prompts.b.render(); prompts.c ?? d'],
    ['if (x && prompts.a) f(); while (!prompts.b) f(); prompts.c ? 1 : 2'],
    ['typeof prompts.a; delete prompts.b; prompts.c === undefined; prompts.d = 1; prompts.e++'],
    ['[prompts.a] = x; ({ b: prompts.b } = x); for (prompts.c of x) f(); [...prompts.d] = x'],
    ['do f(); while (prompts.a); [prompts.b = 1] = x; -prompts.c; x = prompts.d || 1'],
    ['"a" in prompts && prompts.a.render(); Object.hasOwn(prompts, `b`) && f(prompts.b)'],
    ['const { a = 1, ...rest } = prompts; const { b = 1 } = prompts; const { [c]: d } = prompts'],
    ['f(prompts.a); (prompts) => 1'],
    ['f(prompts.a); function g(prompts) {}'],
    ['f(prompts.a); const g = ({ prompts }) => 1'],
    ['f(prompts.a); { let prompts }'],
    ['f(prompts.a); { const [prompts = 1] = x }'],
    ['f(prompts.a); { class prompts {} }'],
    ['f(prompts.a); try {} catch (prompts) {}'],
    ['f(prompts.a); (function prompts() {})'],
    ['f(prompts.a); for (const prompts of x) {}'],
    ['f(prompts.a); const g = (...prompts) => 1'],
    ['app.prompts.a; ({ prompts: 1 }); x.f(prompts)'],
    ['f(prompts.a); "a".length'],
    ['f(prompts.a'],
    [`import { toOpenAI } from '${ENTRY}'; f(toOpenAI.a)`],
  ])('are not in %s', (code) => {
    expect(readsOf(IMPORT + code)).toEqual([])
  })

  test.each<[code: string, want: readonly string[]]>([
    [`import { a, b as c, d } from '${ALL}'; f(a, c)`, ['a', 'b']],
    [`import * as all from '${ALL}'; f(all.a, all[b]); all.c?.slug`, ['a']],
    [`import { a } from '${ALL}'; f(a); const g = (a) => a`, []],
    [`import * as all from '${ENTRY}'; f(all.a)`, []],
    [`import { a } from 'other'; f(a.b)`, []],
    [`import all from '${ALL}'; f(all.a)`, []],
    [`import { a } from '${ALL}'; f(a.b, a?.c, typeof a); const { d } = a`, ['a']],
  ])('of the module of all prompts are in %s', (code, want) => {
    expect(readsOf(code, ALL).toSorted()).toEqual(want)
  })
})

test('types read no names', () => {
  const reads = (code: string): readonly string[] =>
    listCertainReads(code, {
      specifier: ALL,
      kind: 'all',
      parsers: [(text) => parseAst(text, { lang: 'tsx' })],
    })
  const code = `import { type P, a, b } from '${ALL}'
    import * as all from '${ALL}'
    if (all.b!) (all.c as any)?.slug
    f(all.d!, <T,>() => (all.e satisfies P).slug)
    type A = typeof b.c
    interface B<T = typeof b> extends C<typeof b> { b: P; (b: string): void }
    f(a!.render() as typeof b, a satisfies P)
    const g = (x: typeof b): typeof b => x`
  expect(reads(code).toSorted()).toEqual(['a', 'd', 'e'])
})
