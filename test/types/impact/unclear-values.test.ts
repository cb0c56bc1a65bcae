import { describe, expect, test } from 'vitest'
import { changeRows } from '../../../src/core/change-row.ts'
import { comparePrompts } from '../../../src/core/compare.ts'
import { skipBreaking } from '../../../src/features/pull/skip-breaking.ts'
import { findImpact, type ImpactReport } from '../../../src/features/usage/impact.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

const before = liveLock(
  { slug: 'farewell', system: 'Bye {{ name }} of {{ company }}' },
  { slug: 'greeting', system: 'Hello {{ name }}' },
  { slug: 'reply', system: 'Answer {{ ticket }}' },
)
/** `reply` needs another variable, `farewell` one less. */
const after = liveLock(
  { slug: 'farewell', system: 'Bye {{ name }}', version: 'v23' },
  { slug: 'greeting', system: 'Hi {{ name }}', version: 'v23' },
  { slug: 'reply', system: 'Answer {{ message }}', version: 'v23' },
)

const HEAD = `import { type AnyPrompt, prompts, type RenderArguments, toOpenAI, type VariablesOf } from 'virtual:prompts'
type Values = VariablesOf<typeof prompts.reply>
`

/** Code that compiles before and after, and may throw afterwards. */
const UNCLEAR: Readonly<Record<string, string>> = {
  'any as values': 'export const f = (x: any) => prompts.reply.render(x)',
  'any for an adapter': "export const f = () => toOpenAI(prompts.reply, JSON.parse('{}'))",
  'any for a typed constant': "const v: Values = JSON.parse('{}')\nprompts.reply.render(v)",
  'any that is awaited':
    'export async function f(r: { json(): Promise<any> }): Promise<Values> {\n  return await r.json()\n}',
  'a promise of any': 'export const f = (r: () => Promise<any>): Promise<Values> => r()',
  'a spread of any': 'export const f = (x: any) => prompts.reply.render({ ...x })',
  'an asserted dictionary':
    'export const f = (x: Record<string, string>) => prompts.reply.render(x as Values)',
  'an asserted object': 'export const f = (x: object) => prompts.reply.render(x as Values)',
  'unknown before the brackets': 'export const f = (x: unknown) => prompts.reply.render(<Values>x)',
  'an assertion by way of unknown':
    'export const f = (x: Date) => prompts.reply.render(x as unknown as Values)',
  'an assertion of the parameters':
    'export const f = (x: object) => prompts.reply.render(x as Parameters<typeof prompts.reply.render>[0])',
  'an assertion of an object with the values':
    'export const f = (x: object) => prompts.reply.render((x as { values: Values }).values)',
  'an assertion of a list':
    'export const f = (x: object[]) => (x as Values[]).map(prompts.reply.render)',
  'a type argument':
    'declare function load<T>(): T\nexport const f = () => prompts.reply.render(load<Values>())',
  'a type argument of a promise':
    'declare function load<T>(u: string): Promise<T>\nexport const f = async () => prompts.reply.render(await load<Values>(""))',
  'an inferred type argument':
    'declare function load<T>(): T\nexport const f = () => prompts.reply.render(load())',
  'a type guard':
    "const is = (x: object): x is Values => 'ticket' in x\nexport const f = (x: object) => is(x) && prompts.reply.render(x)",
  'an assertion function':
    'function check(x: unknown): asserts x is Values {}\nexport function f(x: unknown) { check(x); return prompts.reply.render(x) }',
  'an ignored error': 'export const f = (x: object) =>\n  // @ts-ignore\n  prompts.reply.render(x)',
  'an expected error':
    'export const f = (x: object) =>\n  // @ts-expect-error\n  prompts.reply.render(x)',
  'Reflect.apply':
    "export const f = () => Reflect.apply(prompts.reply.render, undefined, [{ ticket: 'T' }])",
  'a function of any type':
    "const render = prompts.reply.render as Function\nexport const f = () => render({ ticket: 'T' })",
  'all prompts as any': "export const f = () => (prompts as any).reply.render({ ticket: 'T' })",
  'a prompt for a parameter of any type':
    "function send(p: any) { return p.render({ ticket: 'T' }) }\nexport const f = () => send(prompts.reply)",
  'a prompt for a parameter of type unknown':
    "const send = (p: unknown) => (p as { render(v: object): unknown }).render({ ticket: 'T' })\nexport const f = () => send(prompts.reply)",
  'a prompt in a dictionary':
    "const table: Record<string, any> = { reply: prompts.reply }\nexport const f = (key: string) => table[key].render({ ticket: 'T' })",
  'all prompts as a dictionary':
    "const table: Record<string, any> = prompts\nexport const f = (key: string) => table[key].render({ ticket: 'T' })",
  'a prompt for a method without a type':
    'interface Sender { send(p: any): void }\nexport const f = (s: Sender) => s.send(prompts.reply)',
  'a prompt of any type': "export const f = () => (prompts.reply as any).render({ ticket: 'T' })",
}

/** Code of which types say enough. */
const CLEAR: Readonly<Record<string, string>> = {
  'values of any type': 'export const f = (x: any) => prompts.greeting.render({ name: x })',
  'any for a prompt with the same variables':
    'export const f = (x: any) => prompts.greeting.render(x)',
  'any for a prompt that needs less': 'export const f = (x: any) => prompts.farewell.render(x)',
  'a prompt that is printed': 'console.log(prompts.reply, { prompt: prompts.reply })',
  'a prompt for a generic function':
    'function ask<P extends AnyPrompt>(p: P, ...args: RenderArguments<P>) { return p.render(...args) }\nexport const f = (x: Values) => ask(prompts.reply, x)',
  'a prompt as an object with its fields':
    'const label = (p: { slug: string }) => p.slug\nexport const f = () => label(prompts.reply)',
  'a prompt in a dictionary of prompts':
    'export const table: Record<string, AnyPrompt> = { reply: prompts.reply }',
  'a typed parameter': 'export const f = (x: Values) => prompts.reply.render(x)',
  'an assertion that adds nothing':
    'export const f = (x: Values) => prompts.reply.render(x as Values)',
  'a generic function':
    'const same = <T>(x: T): T => x\nexport const f = (x: Values) => prompts.reply.render(same(x))',
  'optional values': 'export const f = (x: object) => x as Partial<Values>',
}

describe('a change of variables', () => {
  test.each(Object.entries(UNCLEAR))('is unclear with %s, and left as pinned', async (_, code) => {
    const { report, location } = await impactOn(code)
    expect(new Set(report.findings.map(({ slug }) => slug))).toEqual(new Set(['reply']))
    expect(report.findings.map(({ kind }) => kind)).toEqual(['unclear'])
    const changes = comparePrompts(before.prompts, after.prompts)
    const rows = changeRows(changes, { findings: report.findings })
    expect(Object.fromEntries(rows.map((row) => [row.slug, row.class]))).toMatchObject({
      reply: 'contract',
    })
    const { skipped } = await skipBreaking({ before, changes }, location)
    expect(skipped).toMatchObject([
      { change: { slug: 'reply' }, places: [{ file: 'src/main.ts' }] },
    ])
  })

  test.each(Object.entries(CLEAR))('is clear with %s', async (_, code) => {
    expect((await impactOn(code)).report).toMatchObject({ findings: [], files: 1 })
  })

  test('is unclear with values in JavaScript that a comment or nothing types', async () => {
    const { report } = await impactOn('', {
      'src/cast.js': `import { prompts } from 'virtual:prompts'
/** @typedef {import('virtual:prompts').VariablesOf<typeof prompts.reply>} Values */
export const f = (/** @type {object} */ x) => prompts.reply.render(/** @type {Values} */ (x))
export const g = (x) => prompts.reply.render(x)
`,
    })
    expect(report.findings.map(({ file, line, kind }) => [file, line, kind])).toEqual([
      ['src/cast.js', 3, 'unclear'],
      ['src/cast.js', 4, 'unclear'],
    ])
  })
})

async function impactOn(
  code: string,
  files: Readonly<Record<string, string>> = {},
): Promise<{ report: ImpactReport; location: { root: string; dts: string } }> {
  const config = JSON.parse(APP_TSCONFIG)
  config.compilerOptions.allowJs = true
  const root = await appFolder({
    'tsconfig.json': JSON.stringify(config),
    'src/main.ts': HEAD + code,
    'src/console.d.ts': 'declare const console: { log(...data: any[]): void }\n',
    ...files,
  })
  const location = { root, dts: `${root}/prompts.d.ts` }
  return { report: await findImpact({ ...location, before, after }), location }
}
