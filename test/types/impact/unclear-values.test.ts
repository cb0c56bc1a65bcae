import { describe, expect, test } from 'vitest'
import { changeRows, type ComparedRow } from '../../../src/core/change-row.ts'
import { comparePrompts } from '../../../src/core/compare.ts'
import { skipBreaking } from '../../../src/features/pull/skip-breaking.ts'
import type { ImpactReport } from '../../../src/analysis/app/analyse-impact.ts'
import { findImpact } from '../../../src/features/usage/impact.ts'
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

/** A module for each case, in one app: a program for each would take ten times as long. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries({ ...UNCLEAR, ...CLEAR }).map(([title, code]) => [fileOf(title), HEAD + code]),
  ),
  'src/cast.js': `import { prompts } from 'virtual:prompts'
/** @typedef {import('virtual:prompts').VariablesOf<typeof prompts.reply>} Values */
export const f = (/** @type {object} */ x) => prompts.reply.render(/** @type {Values} */ (x))
export const g = (x) => prompts.reply.render(x)
`,
}

function fileOf(title: string): string {
  return `src/${title}.ts`
}

describe('a change of variables', () => {
  test.each(Object.keys(UNCLEAR))('is unclear with %s, and left as pinned', async (title) => {
    const { findings, skipped } = await analysis()
    const ofCase = findings.filter(({ file }) => file === fileOf(title))
    expect(ofCase.map(({ slug, kind }) => [slug, kind])).toEqual([['reply', 'unclear']])
    expect(skipped).toMatchObject([{ change: { slug: 'reply' } }])
    expect(skipped[0]?.places.map(({ file }) => file)).toContain(fileOf(title))
  })

  test.each(Object.keys(CLEAR))('is clear with %s', async (title) => {
    const { findings } = await analysis()
    expect(findings.filter(({ file }) => file === fileOf(title))).toEqual([])
  })

  test('is unclear with values in JavaScript that a comment or nothing types', async () => {
    const { findings } = await analysis()
    const ofCase = findings.filter(({ file }) => file === 'src/cast.js')
    expect(ofCase.map(({ line, kind }) => [line, kind])).toEqual([
      [3, 'unclear'],
      [4, 'unclear'],
    ])
  })
})

/** What the analysis finds in all modules, and what is left for it. */
interface Analysis {
  readonly findings: ImpactReport['findings']
  readonly skipped: readonly ComparedRow[]
}

let running: Promise<Analysis> | undefined

function analysis(): Promise<Analysis> {
  return (running ??= analyse())
}

async function analyse(): Promise<Analysis> {
  const config = JSON.parse(APP_TSCONFIG)
  config.compilerOptions.allowJs = true
  const root = await appFolder({
    'tsconfig.json': JSON.stringify(config),
    'src/console.d.ts': 'declare const console: { log(...data: any[]): void }\n',
    ...FILES,
  })
  const location = { root, dts: `${root}/prompts.d.ts` }
  const { findings, files } = await findImpact({ ...location, before, after })
  expect(files).toBe(Object.keys(FILES).length)
  const changes = comparePrompts(before.prompts, after.prompts)
  const reply = changeRows(changes, { findings }).find(({ slug }) => slug === 'reply')
  expect(reply).toMatchObject({ class: 'contract' })
  const { skipped } = await skipBreaking({ before, changes }, location)
  return { findings, skipped }
}
