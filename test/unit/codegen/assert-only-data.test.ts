import { describe, expect, test } from 'vitest'
import {
  assertOnlyData,
  type ParseModule,
  parseModule,
} from '../../../src/codegen/assert-only-data.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printDefinitions } from '../../../src/codegen/print-module.ts'
import { isPromptsError } from '../../../src/errors/prompts-error.ts'
import { HOSTILE } from '../../helpers/hostile.ts'
import { PARSERS } from '../../helpers/parsers.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { printModules } from '../../helpers/run-modules.ts'

const SOURCES = new Set(['./all', './definitions', './runtime'])

/** The rejected part of a module; `undefined` if it is accepted. */
function refusedWith(parse: ParseModule): (code: string) => string | undefined {
  return (code) => {
    try {
      assertOnlyData(code, SOURCES, parse)
      return undefined
    } catch (error) {
      if (isPromptsError(error, 'MODULE_REFUSED')) return error.details.found
      throw error
    }
  }
}

const HELD_BODY = '(v, s, t = [s("{{a}}", v["a"], v)]) => compose("S" + t[0] + t[0], "U", "")'

const TARGET = {
  all: './all',
  definitions: () => './definitions',
  runtime: './runtime',
}
const PLAN = planModule(
  liveLock({ slug: 's', temperature: 0.2, system: 'S{{a}}', user: 'U' }),
  'live',
)
const [, PRINTED = ''] = printDefinitions(PLAN, TARGET)
  .trim()
  .split(/\n(?=export)/)

/** Places in the printed prompt. */
const [SLUG, NUMBER, BODY] = ['"s"', '0.2', /\(v, s\).*(?=\))/] as const

/** A prompt as the printer prints it, with other code in one place. */
function definition(place: string | RegExp = '', code: string = ''): string {
  expect(PRINTED).toMatch(place)
  return PRINTED.replace(place, () => code)
}

const HOSTILE_PROMPTS = HOSTILE.map((text, index) => {
  return { slug: `${index}${text}`, folder: text, system: text, user: text }
})

const LOCKS = [
  ['no prompts', liveLock()],
  ['a plain prompt', liveLock({ system: 'Be kind to {{name}}.' })],
  ['a source that is not a join', liveLock({ source: 'X {{a}}' })],
  [
    'odd temperatures',
    liveLock(...[-1, 1e21, null].map((temperature) => ({ slug: `${temperature}`, temperature }))),
  ],
  ['long chains', liveLock({ system: '{{a}} '.repeat(1_000) })],
  ['odd names', liveLock({ slug: '__proto__' }, { slug: 'default' }, { slug: '' })],
  ['hostile texts', liveLock(...HOSTILE_PROMPTS)],
] as const

type Refused = readonly [title: string, code: string, found: string]
type RefusedArgument = readonly [title: string, place: string, code: string, found: string]

const STATEMENTS: readonly Refused[] = [
  ['an expression', '"use strict"', 'ExpressionStatement'],
  ['a call', 'fetch("http://x")', 'ExpressionStatement'],
  ['a dynamic import', 'import("./runtime")', 'ExpressionStatement'],
  ['an assignment', 'globalThis.x = 1', 'ExpressionStatement'],
  ['an assignment to a name', 'p0 = 1', 'ExpressionStatement'],
  ['a function', 'function f() {}', 'FunctionDeclaration'],
  ['a class', 'class A {}', 'ClassDeclaration'],
  ['a plain constant', 'const p0 = 1', 'VariableDeclaration'],
  ['a block', '{ }', 'BlockStatement'],
  ['a condition', 'if (true) fetch("x")', 'IfStatement'],
  ['a loop', 'for (;;) ;', 'ForStatement'],
  ['a default export', 'export default fetch("x")', 'ExportDefaultDeclaration'],
  ['an exported function', 'export function p0() {}', 'FunctionDeclaration'],
  ['an exported class', 'export class p0 { static { x() } }', 'ClassDeclaration'],
  ['let', 'export let p0 = "x"', 'VariableDeclaration'],
  ['an export list', 'export {}', 'ExportNamedDeclaration'],
  ['an import from elsewhere', 'import { p9 } from "node:fs"', 'Literal'],
  ['an import for its effects from elsewhere', 'import "node:fs"', 'Literal'],
  ['an import of a file name', 'import { p0 } from "./definitions.js"', 'Literal'],
  ['a re-export from elsewhere', 'export { p0 as a } from "./other"', 'Literal'],
  ['all exports from elsewhere', 'export * as prompts from "https://x/y.js"', 'Literal'],
  ['an import under another name', 'import { p0 as f } from "./definitions"', 'ImportSpecifier'],
  ['an import of something else', 'import { fetch } from "./runtime"', 'ImportSpecifier'],
  ...['xp0', 'p0x', 'p', 'definePrompts'].map((name): Refused => [
    `an import of ${name}, which is almost a name of the printer's`,
    `import { ${name} } from "./definitions"`,
    'ImportSpecifier',
  ]),
  ['an import of a string name', 'import { "p0" as p0 } from "./definitions"', 'ImportSpecifier'],
  ['a default import', 'import p0 from "./runtime"', 'ImportDefaultSpecifier'],
  ['a namespace import', 'import * as p0 from "./runtime"', 'ImportNamespaceSpecifier'],
  ['a constant of another name', 'export const f = "x"', 'Identifier'],
  ['a destructuring', 'export const { p0 } = globalThis', 'ObjectPattern'],
  ['an alias of a global', 'export const p0 = eval', 'Identifier'],
  ['a bare text', 'export const p0 = "x"', 'Literal'],
  ['a require without a constant', 'require("./runtime")', 'ExpressionStatement'],
  ['a require of a whole module', 'const p0 = require("./runtime")', 'VariableDeclaration'],
  ['a destructuring with let', 'let { p0 } = require("./runtime")', 'VariableDeclaration'],
  [
    'two requires',
    'const { p0 } = require("./all"), { p2 } = require("./all")',
    'VariableDeclaration',
  ],
  ['a require from elsewhere', 'const { p0 } = require("fs")', 'Literal'],
  ['a require with a second argument', 'const { p0 } = require("./runtime", p1)', 'CallExpression'],
  ['a require of something else', 'const { fetch } = require("./runtime")', 'Property'],
  ['a require under another name', 'const { p0: p2 } = require("./definitions")', 'Property'],
  ['a require with a default', 'const { p0 = fetch } = require("./definitions")', 'Property'],
  ['a require of the rest', 'const { ...p0 } = require("./definitions")', 'RestElement'],
  ['a destructuring of a global', 'const { p0 } = globalThis', 'Identifier'],
  ['a call of an export', 'exports.p0()', 'ExpressionStatement'],
  ['a change of an export', 'exports.p0 += p1', 'ExpressionStatement'],
  ['an export by code', 'exports[f()] = require("./all").p0', 'CallExpression'],
  ['an export of a global', 'exports.p0 = eval', 'Identifier'],
  ['an export of another name', 'exports.f = definePrompt()', 'Identifier'],
  ['an export from elsewhere', 'exports.a = require("fs").p0', 'Literal'],
  ['an export of a whole module', 'exports.p0 = require("./definitions")', 'CallExpression'],
  ['another export', 'exports.a = require("./runtime").constructor', 'MemberExpression'],
  ['an export by a text', 'exports.a = require("./runtime")["p0"]', 'MemberExpression'],
  ['a text as the name of a definition', 'exports["p0"] = definePrompt()', 'MemberExpression'],
  ['another object', 'module.exports = p0', 'ExpressionStatement'],
  ['invalid JavaScript', 'export const', 'no module'],
]

const ARGUMENTS: readonly RefusedArgument[] = [
  ['a template literal', SLUG, '`s`', 'TemplateLiteral'],
  ['a tagged template', SLUG, 'String.raw`s`', 'TaggedTemplateExpression'],
  ['a regular expression', SLUG, '/s/', 'Literal'],
  ['a bigint', NUMBER, '1n', 'Literal'],
  ['true', NUMBER, 'true', 'Literal'],
  ['no text', SLUG, 'null', 'Literal'],
  ['a name', SLUG, 'document', 'Identifier'],
  ['another operator', NUMBER, '+1', 'UnaryExpression'],
  ['the negative of a text', NUMBER, '-"1"', 'UnaryExpression'],
  ['a difference', NUMBER, '2 - 1', 'BinaryExpression'],
  ['a sequence', SLUG, '(x(), "s")', 'SequenceExpression'],
  ['a condition', SLUG, 'a ? "b" : "c"', 'ConditionalExpression'],
  ['an assignment', SLUG, '(p9 = "s")', 'AssignmentExpression'],
  ['an await', SLUG, 'await x', 'AwaitExpression'],
  ['a meta property', SLUG, 'import.meta', 'MetaProperty'],
  ['a dynamic import', SLUG, 'import("x")', 'ImportExpression'],
  ['new', SLUG, 'new Function("x")', 'NewExpression'],
  ['a nested call', SLUG, 'definePrompt()', 'CallExpression'],
  ['a sum outside a body', SLUG, '"a" + "b"', 'BinaryExpression'],
  ['a spread of arguments', SLUG, '...x', 'SpreadElement'],
]

const BODIES: readonly Refused[] = [
  ['a global', 'setTimeout', 'Identifier'],
  ['Function', 'Function', 'Identifier'],
  ['a function', 'function (v, s) { return compose("") }', 'FunctionExpression'],
  ['an async function', 'async (v, s) => compose("")', 'ArrowFunctionExpression'],
  ['statements', '(v, s) => { return compose("") }', 'BlockStatement'],
  ['other parameters', '(s, v) => compose("")', 'Identifier'],
  ['one parameter less', '(v) => compose("")', 'ArrowFunctionExpression'],
  ['no parameters', '() => compose("")', 'ArrowFunctionExpression'],
  ['a third parameter', '(v, s, t) => compose("")', 'Identifier'],
  ['a fourth', '(v, s, t = [], u) => compose("")', 'ArrowFunctionExpression'],
  ['a default value', '(v, s = eval) => compose("")', 'AssignmentPattern'],
  ['a pattern', '({ constructor: v }, s) => compose("")', 'ObjectPattern'],
  ['a rest', '(v, ...s) => compose("")', 'RestElement'],
  ['a call of something else', '(v, s) => s("")', 'CallExpression'],
  ['a call of a value', '(v, s) => v["a"]("")', 'CallExpression'],
  ['a method', '(v, s) => compose.call("")', 'CallExpression'],
  ['an optional call', '(v, s) => compose?.("")', 'ChainExpression'],
  ['no call', '(v, s) => "s"', 'Literal'],
  ['a call within', '(v, s) => compose(compose(""))', 'CallExpression'],
  ['a spread', '(v, s) => compose(...v)', 'SpreadElement'],
  ['a parameter by itself', '(v, s) => compose(v)', 'Identifier'],
  ['another operation', '(v, s) => compose("a" - "b")', 'BinaryExpression'],
  ['a conversion', '(v, s) => compose(+v)', 'UnaryExpression'],
  ['a search for a name', '(v, s) => compose("a" in v)', 'BinaryExpression'],
  ['a number in a text', '(v, s) => compose("a" + 1)', 'Literal'],
  ['a value that no slot has checked', '(v, s) => compose("" + v["a"])', 'MemberExpression'],
  ['a held value where none is held', '(v, s) => compose("" + t[0])', 'MemberExpression'],
]

/** Where the printer puts `s("{{a}}", v["a"], v)`: into a text, or among the values that are held. */
const PLACES = [
  { place: 'in a text', around: (code: string) => `(v, s) => compose("S" + ${code})` },
  { place: 'held', around: (code: string) => `(v, s, t = [${code}]) => compose("" + t[0])` },
]

const SLOTS: readonly Refused[] = [
  ['another function', 'f("{{a}}", v["a"], v)', 'CallExpression'],
  ['a method', 's.call("{{a}}", v["a"], v)', 'CallExpression'],
  ['a constructor', 'new s("{{a}}", v["a"], v)', 'NewExpression'],
  ['a tag', 's`{{a}}`', 'TaggedTemplateExpression'],
  ['an optional call', 's?.("{{a}}", v["a"], v)', 'ChainExpression'],
  ['a call of what it gives', 's("{{a}}", v["a"], v)()', 'CallExpression'],
  ['a member of what it gives', 's("{{a}}", v["a"], v)["b"]', 'MemberExpression'],
  ['a token that is not text', 's(0, v["a"], v)', 'Literal'],
  ['a token that is code', 's(x(), v["a"], v)', 'CallExpression'],
  ['a member by name', 's("{{a}}", v.a, v)', 'MemberExpression'],
  ['a member by index', 's("{{a}}", v[0], v)', 'Literal'],
  ['a member by code', 's("{{a}}", v[x()], v)', 'CallExpression'],
  ['a member of a member', 's("{{a}}", v["a"]["b"], v)', 'MemberExpression'],
  ['an optional member', 's("{{a}}", v?.["a"], v)', 'ChainExpression'],
  ['a member of something else', 's("{{a}}", globalThis["a"], v)', 'MemberExpression'],
  ['a value that is called', 's("{{a}}", v["a"](), v)', 'CallExpression'],
  ['other values', 's("{{a}}", v["a"], globalThis)', 'Identifier'],
  ['no values', 's("{{a}}", v["a"])', 'CallExpression'],
  ['no arguments', 's()', 'CallExpression'],
  ['one argument more', 's("{{a}}", v["a"], v, x)', 'CallExpression'],
  ['a spread of arguments', 's(...v)', 'SpreadElement'],
]

const HELD: readonly Refused[] = [
  ['another name', '(v, s, u = []) => compose("")', 'Identifier'],
  ['a pattern', '(v, s, [t] = []) => compose("")', 'ArrayPattern'],
  ['a rest', '(v, s, ...t) => compose("")', 'RestElement'],
  ['no array', '(v, s, t = eval) => compose("")', 'Identifier'],
  ['a hole', '(v, s, t = [, s("{{a}}", v["a"], v)]) => compose("")', 'ArrayExpression'],
  ['a spread', '(v, s, t = [...v]) => compose("")', 'SpreadElement'],
  ['a text', '(v, s, t = ["a"]) => compose("")', 'Literal'],
  ['by a name', '(v, s, t = []) => compose("" + t.length)', 'MemberExpression'],
  ['the constructor', '(v, s, t = []) => compose("" + t["constructor"])', 'Literal'],
  ['by code', '(v, s, t = []) => compose("" + t[v])', 'Identifier'],
  ['a member of one', '(v, s, t = []) => compose("" + t[0][0])', 'MemberExpression'],
  ['an optional one', '(v, s, t = []) => compose("" + t?.[0])', 'ChainExpression'],
  ['a call of one', '(v, s, t = []) => compose("" + t[0]())', 'CallExpression'],
  ['all', '(v, s, t = []) => compose("" + t)', 'Identifier'],
]

/** What is refused where the body of a prompt is. */
const IN_BODIES: readonly Refused[] = [
  ...BODIES,
  ...SLOTS.flatMap(([title, code, found]) =>
    PLACES.map(({ place, around }): Refused => [`${title}, ${place}`, around(code), found]),
  ),
  ...HELD.map(([title, code, found]): Refused => [`held: ${title}`, code, found]),
]

const NAMESPACES: readonly Refused[] = [
  ['a plain key', '{ a: p0 }', 'Property'],
  ['a shorthand', '{ p0 }', 'Property'],
  ['a getter', '{ get ["a"]() { return p0 } }', 'FunctionExpression'],
  ['a method', '{ ["a"]() {} }', 'FunctionExpression'],
  ['a method called __proto__', '{ __proto__() {} }', 'Property'],
  ['a quoted __proto__', '{ "__proto__": null }', 'Property'],
  ['a key that is a number', '{ [0]: p0 }', 'Literal'],
  ['a second property that is none', '{ ["a"]: p0, b: p1 }', 'Property'],
  ['a prototype that is not null', '{ __proto__: 0 }', 'Property'],
  ['another prototype', '{ __proto__: p0 }', 'Property'],
  ['a key that is computed by code', '{ [x()]: p0 }', 'CallExpression'],
  ['a value that is not a prompt', '{ ["a"]: fetch }', 'Identifier'],
  ['a value that is a text', '{ ["a"]: "b" }', 'Literal'],
  ['a spread', '{ ...p0 }', 'Identifier'],
  ['a spread of a call', '{ ...f("./all") }', 'CallExpression'],
  ['a spread of another module', '{ ...require("fs") }', 'Literal'],
  ['an array', '[p0]', 'ArrayExpression'],
]

const imported = 'import { compose, definePrompt } from "./runtime"\n'
const required = 'const { compose, definePrompt } = require("./runtime")\n'

const DEFINITIONS: readonly Refused[] = [
  ['another callee', definition().replace('definePrompt', 'eval'), 'CallExpression'],
  ['a member as callee', definition().replace('define', 'x.define'), 'CallExpression'],
  ['new', definition().replace('define', 'new define'), 'NewExpression'],
  ['one argument more', definition().replace(/\)$/, ', "x")'), 'CallExpression'],
  ['one argument less', 'export const p0 = definePrompt("s")', 'CallExpression'],
  ...ARGUMENTS.map(([title, place, code, found]): Refused => [
    `${title} instead of ${place}`,
    definition(place, code),
    found,
  ]),
  ...IN_BODIES.map(([title, code, found]): Refused => [
    `${title} in a body`,
    definition(BODY, code),
    found,
  ]),
  ...NAMESPACES.map(([title, code, found]): Refused => [
    `${title} in a namespace`,
    `export const prompts = ${code}`,
    found,
  ]),
]

describe.each(PARSERS)('read by the parser of $parser,', ({ parse }) => {
  const refused = refusedWith(parse)

  test.each(LOCKS)('the printed modules of %s are accepted', (_, lock) => {
    // Printing throws if one is not.
    for (const shape of ['namespace', 'object'] as const) {
      for (const format of ['esm', 'cjs'] as const)
        expect(Object.keys(printModules(lock, shape, { parse, format }))).toHaveLength(3)
    }
  })

  test.each([
    ['an import', imported + definition()],
    ['held values', imported + definition(BODY, HELD_BODY)],
    ['a require', required + definition().replace('export const ', 'exports.')],
  ])('a definition with %s is accepted', (_, code) => {
    expect(refused(code)).toBeUndefined()
  })

  test.each(STATEMENTS)('the statement is refused that is %s', (_, code, found) => {
    expect(refused(code)).toBe(found)
    expect(refused(`${imported}${definition().replace(/p\d+/, 'p1')}\n${code}`)).toBe(found)
  })

  test.each(DEFINITIONS)('a definition or namespace is refused that has %s', (_, code, found) => {
    expect(refused(code)).toBe(found)
  })

  test('allowed kinds of nodes alone do not reach Function', () => {
    const attack = [
      'export const t = (v) => [v["a"]]',
      'export const f = t["constructor"]',
      'export const definePrompt = f("globalThis.hacked = true")',
      'export const p0 = definePrompt()',
    ]
    expect(refused(attack.join('\n'))).toBe('Identifier')
  })

  test.each([
    ['the position', 'export const p0 = eval', { details: { found: 'Identifier', position: 18 } }],
    ['the error of the parser', '}', { code: 'MODULE_REFUSED', cause: expect.any(Error) }],
  ])('the error has %s', (_, code, error) => {
    const check = (): void => assertOnlyData(code, SOURCES, parse)
    expect(check).toThrow(expect.objectContaining(error))
  })
})

// Rollup's parser leaves that to Rollup, which refuses it.
test('a name that is exported twice is refused', () => {
  const refused = refusedWith(parseModule)
  expect(refused(`${definition()}\n${definition()}`)).toBe('no module')
})
