import { describe, expect, test } from 'vitest'
import { assertOnlyData } from '../../../src/codegen/assert-only-data.ts'
import { type ParseModule, parseModule } from '../../../src/codegen/assert-only-data.ts'
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

/** A prompt as the printer makes it, with some of its arguments replaced. */
function definition(replaced: Readonly<Record<number, string>> = {}): string {
  const printed = [
    '"s"',
    '"f"',
    '"m"',
    '0.2',
    '"v"',
    '"live"',
    '(v, s) => compose("S" + s("{{a}}", v["a"], v), "U", "")',
  ]
  const given = printed.map((argument, index) => replaced[index] ?? argument)
  return `export const p0 = /* @__PURE__ */ definePrompt(${given.join(', ')})`
}

const LOCKS = [
  { title: 'no prompts', lock: liveLock() },
  { title: 'a plain prompt', lock: liveLock({ system: 'Be kind to {{name}}.' }) },
  { title: 'a source that is not a join', lock: liveLock({ source: 'X {{a}}' }) },
  {
    title: 'negative and large temperatures',
    lock: liveLock({ slug: 'a', temperature: -1 }, { slug: 'b', temperature: 1e21 }),
  },
  { title: 'long chains', lock: liveLock({ system: '{{a}} '.repeat(1_000) }) },
  {
    title: 'odd names',
    lock: liveLock({ slug: '__proto__' }, { slug: 'default' }, { slug: '' }),
  },
  {
    title: 'hostile texts',
    lock: liveLock(
      ...HOSTILE.map((text, index) => ({
        slug: `${index}${text}`,
        folder: text,
        system: text,
        user: text,
      })),
    ),
  },
]

const STATEMENTS = [
  { title: 'an expression', code: '"use strict"', found: 'ExpressionStatement' },
  { title: 'a call', code: 'fetch("http://x")', found: 'ExpressionStatement' },
  { title: 'a dynamic import', code: 'import("./runtime")', found: 'ExpressionStatement' },
  { title: 'an assignment', code: 'globalThis.x = 1', found: 'ExpressionStatement' },
  { title: 'a function', code: 'function f() {}', found: 'FunctionDeclaration' },
  { title: 'a class', code: 'class A {}', found: 'ClassDeclaration' },
  { title: 'a constant that is not exported', code: 'const p0 = 1', found: 'VariableDeclaration' },
  { title: 'a block', code: '{ }', found: 'BlockStatement' },
  { title: 'a condition', code: 'if (true) fetch("x")', found: 'IfStatement' },
  { title: 'a loop', code: 'for (;;) ;', found: 'ForStatement' },
  {
    title: 'a default export',
    code: 'export default fetch("x")',
    found: 'ExportDefaultDeclaration',
  },
  { title: 'an exported function', code: 'export function p0() {}', found: 'FunctionDeclaration' },
  {
    title: 'an exported class with a static block',
    code: 'export class p0 { static { x() } }',
    found: 'ClassDeclaration',
  },
  { title: 'let', code: 'export let p0 = "x"', found: 'VariableDeclaration' },
  { title: 'an export list', code: 'export {}', found: 'ExportNamedDeclaration' },
  {
    title: 'an import from elsewhere',
    code: 'import { p9 } from "node:fs"',
    found: 'Literal',
  },
  { title: 'an import for its effects from elsewhere', code: 'import "node:fs"', found: 'Literal' },
  {
    title: 'an import from a relative of an allowed source',
    code: 'import { p0 } from "./definitions.js"',
    found: 'Literal',
  },
  {
    title: 'a re-export from elsewhere',
    code: 'export { p0 as a } from "./other"',
    found: 'Literal',
  },
  {
    title: 'all exports from elsewhere',
    code: 'export * as prompts from "https://x/y.js"',
    found: 'Literal',
  },
  {
    title: 'an import under another name',
    code: 'import { p0 as f } from "./definitions"',
    found: 'ImportSpecifier',
  },
  {
    title: 'an import of something else',
    code: 'import { fetch } from "./runtime"',
    found: 'ImportSpecifier',
  },
  ...['xp0', 'p0x', 'p', 'definePrompts'].map((name) => ({
    title: `an import of ${name}, which is almost a name of the printer's`,
    code: `import { ${name} } from "./definitions"`,
    found: 'ImportSpecifier',
  })),
  {
    title: 'an import of a string name',
    code: 'import { "p0" as p0 } from "./definitions"',
    found: 'ImportSpecifier',
  },
  {
    title: 'a default import',
    code: 'import p0 from "./runtime"',
    found: 'ImportDefaultSpecifier',
  },
  {
    title: 'a namespace import',
    code: 'import * as p0 from "./runtime"',
    found: 'ImportNamespaceSpecifier',
  },
  { title: 'a constant of another name', code: 'export const f = "x"', found: 'Identifier' },
  { title: 'a destructuring', code: 'export const { p0 } = globalThis', found: 'ObjectPattern' },
  { title: 'an alias of a global', code: 'export const p0 = eval', found: 'Identifier' },
  { title: 'a bare text', code: 'export const p0 = "x"', found: 'Literal' },
  {
    title: 'a require without a constant',
    code: 'require("./runtime")',
    found: 'ExpressionStatement',
  },
  {
    title: 'a require of a whole module',
    code: 'const p0 = require("./runtime")',
    found: 'VariableDeclaration',
  },
  {
    title: 'a destructuring with let',
    code: 'let { p0 } = require("./runtime")',
    found: 'VariableDeclaration',
  },
  {
    title: 'two requires',
    code: 'const { p0 } = require("./all"), { p2 } = require("./all")',
    found: 'VariableDeclaration',
  },
  { title: 'a require from elsewhere', code: 'const { p0 } = require("fs")', found: 'Literal' },
  {
    title: 'a require with a second argument',
    code: 'const { p0 } = require("./runtime", p1)',
    found: 'CallExpression',
  },
  {
    title: 'a require of something else',
    code: 'const { fetch } = require("./runtime")',
    found: 'Property',
  },
  {
    title: 'a require under another name',
    code: 'const { p0: p2 } = require("./definitions")',
    found: 'Property',
  },
  {
    title: 'a require with a default',
    code: 'const { p0 = fetch } = require("./definitions")',
    found: 'Property',
  },
  {
    title: 'a require of the rest',
    code: 'const { ...p0 } = require("./definitions")',
    found: 'RestElement',
  },
  { title: 'a destructuring of a global', code: 'const { p0 } = globalThis', found: 'Identifier' },
  { title: 'a call of an export', code: 'exports.p0()', found: 'ExpressionStatement' },
  { title: 'a change of an export', code: 'exports.p0 += p1', found: 'ExpressionStatement' },
  {
    title: 'an export by code',
    code: 'exports[f()] = require("./all").p0',
    found: 'CallExpression',
  },
  { title: 'an export of a global', code: 'exports.p0 = eval', found: 'Identifier' },
  { title: 'an export of another name', code: 'exports.f = definePrompt()', found: 'Identifier' },
  { title: 'an export from elsewhere', code: 'exports.a = require("fs").p0', found: 'Literal' },
  {
    title: 'an export of a whole module',
    code: 'exports.p0 = require("./definitions")',
    found: 'CallExpression',
  },
  {
    title: 'an export of something else',
    code: 'exports.a = require("./runtime").constructor',
    found: 'MemberExpression',
  },
  {
    title: 'an export by a text of something else',
    code: 'exports.a = require("./runtime")["p0"]',
    found: 'MemberExpression',
  },
  {
    title: 'a text as the name of a definition',
    code: 'exports["p0"] = definePrompt()',
    found: 'MemberExpression',
  },
  { title: 'another object', code: 'module.exports = p0', found: 'ExpressionStatement' },
  { title: 'invalid JavaScript', code: 'export const', found: 'no module' },
]

const ARGUMENTS = [
  { title: 'a template literal', at: 0, code: '`s`', found: 'TemplateLiteral' },
  { title: 'a tagged template', at: 0, code: 'String.raw`s`', found: 'TaggedTemplateExpression' },
  { title: 'a regular expression', at: 0, code: '/s/', found: 'Literal' },
  { title: 'a bigint', at: 3, code: '1n', found: 'Literal' },
  { title: 'true', at: 3, code: 'true', found: 'Literal' },
  { title: 'no text', at: 0, code: 'null', found: 'Literal' },
  { title: 'a name', at: 0, code: 'document', found: 'Identifier' },
  { title: 'another operator', at: 3, code: '+1', found: 'UnaryExpression' },
  { title: 'the negative of a text', at: 3, code: '-"1"', found: 'UnaryExpression' },
  { title: 'a difference', at: 3, code: '2 - 1', found: 'BinaryExpression' },
  { title: 'a sequence', at: 0, code: '(x(), "s")', found: 'SequenceExpression' },
  { title: 'a condition', at: 0, code: 'a ? "b" : "c"', found: 'ConditionalExpression' },
  { title: 'an assignment', at: 0, code: '(p9 = "s")', found: 'AssignmentExpression' },
  { title: 'an await', at: 0, code: 'await x', found: 'AwaitExpression' },
  { title: 'a meta property', at: 0, code: 'import.meta', found: 'MetaProperty' },
  { title: 'a dynamic import', at: 0, code: 'import("x")', found: 'ImportExpression' },
  { title: 'new', at: 0, code: 'new Function("x")', found: 'NewExpression' },
  { title: 'a nested call', at: 0, code: 'definePrompt()', found: 'CallExpression' },
  { title: 'a sum outside a body', at: 0, code: '"a" + "b"', found: 'BinaryExpression' },
  { title: 'a spread of arguments', at: 5, code: '...x', found: 'SpreadElement' },
]

const BODIES = [
  { title: 'a global', code: 'setTimeout', found: 'Identifier' },
  { title: 'Function', code: 'Function', found: 'Identifier' },
  {
    title: 'a function',
    code: 'function (v, s) { return compose("") }',
    found: 'FunctionExpression',
  },
  {
    title: 'an async function',
    code: 'async (v, s) => compose("")',
    found: 'ArrowFunctionExpression',
  },
  { title: 'statements', code: '(v, s) => { return compose("") }', found: 'BlockStatement' },
  { title: 'other parameters', code: '(s, v) => compose("")', found: 'Identifier' },
  { title: 'one parameter less', code: '(v) => compose("")', found: 'ArrowFunctionExpression' },
  { title: 'no parameters', code: '() => compose("")', found: 'ArrowFunctionExpression' },
  { title: 'a third parameter', code: '(v, s, t) => compose("")', found: 'Identifier' },
  { title: 'a fourth', code: '(v, s, t = [], u) => compose("")', found: 'ArrowFunctionExpression' },
  { title: 'a default value', code: '(v, s = eval) => compose("")', found: 'AssignmentPattern' },
  { title: 'a pattern', code: '({ constructor: v }, s) => compose("")', found: 'ObjectPattern' },
  { title: 'a rest', code: '(v, ...s) => compose("")', found: 'RestElement' },
  { title: 'a call of something else', code: '(v, s) => s("")', found: 'CallExpression' },
  { title: 'a call of a value', code: '(v, s) => v["a"]("")', found: 'CallExpression' },
  { title: 'a method', code: '(v, s) => compose.call("")', found: 'CallExpression' },
  { title: 'an optional call', code: '(v, s) => compose?.("")', found: 'ChainExpression' },
  { title: 'no call', code: '(v, s) => "s"', found: 'Literal' },
  { title: 'a call within', code: '(v, s) => compose(compose(""))', found: 'CallExpression' },
  { title: 'a spread', code: '(v, s) => compose(...v)', found: 'SpreadElement' },
  { title: 'a parameter by itself', code: '(v, s) => compose(v)', found: 'Identifier' },
  { title: 'another operation', code: '(v, s) => compose("a" - "b")', found: 'BinaryExpression' },
  { title: 'a search for a name', code: '(v, s) => compose("a" in v)', found: 'BinaryExpression' },
  { title: 'a number in a text', code: '(v, s) => compose("a" + 1)', found: 'Literal' },
  {
    title: 'a value that no slot has checked',
    code: '(v, s) => compose("" + v["a"])',
    found: 'MemberExpression',
  },
  {
    title: 'a held value where none is held',
    code: '(v, s) => compose("" + t[0])',
    found: 'MemberExpression',
  },
].map((body) => ({ ...body, at: 6 }))

/** Where the printer puts `s("{{a}}", v["a"], v)`: into a text, or among the values that are held. */
const PLACES = [
  { place: 'in a text', around: (code: string) => `(v, s) => compose("S" + ${code})` },
  { place: 'held', around: (code: string) => `(v, s, t = [${code}]) => compose("" + t[0])` },
]

const SLOTS = [
  { title: 'another function', code: 'f("{{a}}", v["a"], v)', found: 'CallExpression' },
  { title: 'a method', code: 's.call("{{a}}", v["a"], v)', found: 'CallExpression' },
  { title: 'a constructor', code: 'new s("{{a}}", v["a"], v)', found: 'NewExpression' },
  { title: 'a tag', code: 's`{{a}}`', found: 'TaggedTemplateExpression' },
  { title: 'an optional call', code: 's?.("{{a}}", v["a"], v)', found: 'ChainExpression' },
  { title: 'a call of what it gives', code: 's("{{a}}", v["a"], v)()', found: 'CallExpression' },
  {
    title: 'a member of what it gives',
    code: 's("{{a}}", v["a"], v)["b"]',
    found: 'MemberExpression',
  },
  { title: 'a token that is not text', code: 's(0, v["a"], v)', found: 'Literal' },
  { title: 'a token that is code', code: 's(x(), v["a"], v)', found: 'CallExpression' },
  { title: 'a member by name', code: 's("{{a}}", v.a, v)', found: 'MemberExpression' },
  { title: 'a member by index', code: 's("{{a}}", v[0], v)', found: 'Literal' },
  { title: 'a member by code', code: 's("{{a}}", v[x()], v)', found: 'CallExpression' },
  { title: 'a member of a member', code: 's("{{a}}", v["a"]["b"], v)', found: 'MemberExpression' },
  { title: 'an optional member', code: 's("{{a}}", v?.["a"], v)', found: 'ChainExpression' },
  {
    title: 'a member of something else',
    code: 's("{{a}}", globalThis["a"], v)',
    found: 'MemberExpression',
  },
  { title: 'a value that is called', code: 's("{{a}}", v["a"](), v)', found: 'CallExpression' },
  { title: 'other values', code: 's("{{a}}", v["a"], globalThis)', found: 'Identifier' },
  { title: 'no values', code: 's("{{a}}", v["a"])', found: 'CallExpression' },
  { title: 'no arguments', code: 's()', found: 'CallExpression' },
  { title: 'one argument more', code: 's("{{a}}", v["a"], v, x)', found: 'CallExpression' },
  { title: 'a spread of arguments', code: 's(...v)', found: 'SpreadElement' },
].flatMap(({ title, code, found }) =>
  PLACES.map(({ place, around }) => ({
    title: `${title}, ${place}`,
    at: 6,
    code: around(code),
    found,
  })),
)

const HELD = [
  { title: 'another name', code: '(v, s, u = []) => compose("")', found: 'Identifier' },
  { title: 'a pattern', code: '(v, s, [t] = []) => compose("")', found: 'ArrayPattern' },
  { title: 'a rest', code: '(v, s, ...t) => compose("")', found: 'RestElement' },
  { title: 'no array', code: '(v, s, t = eval) => compose("")', found: 'Identifier' },
  {
    title: 'a hole',
    code: '(v, s, t = [, s("{{a}}", v["a"], v)]) => compose("")',
    found: 'ArrayExpression',
  },
  { title: 'a spread', code: '(v, s, t = [...v]) => compose("")', found: 'SpreadElement' },
  { title: 'a text', code: '(v, s, t = ["a"]) => compose("")', found: 'Literal' },
  {
    title: 'by a name',
    code: '(v, s, t = []) => compose("" + t.length)',
    found: 'MemberExpression',
  },
  {
    title: 'the constructor',
    code: '(v, s, t = []) => compose("" + t["constructor"])',
    found: 'Literal',
  },
  { title: 'by code', code: '(v, s, t = []) => compose("" + t[v])', found: 'Identifier' },
  {
    title: 'a member of one',
    code: '(v, s, t = []) => compose("" + t[0][0])',
    found: 'MemberExpression',
  },
  {
    title: 'an optional one',
    code: '(v, s, t = []) => compose("" + t?.[0])',
    found: 'ChainExpression',
  },
  {
    title: 'a call of one',
    code: '(v, s, t = []) => compose("" + t[0]())',
    found: 'CallExpression',
  },
  { title: 'all', code: '(v, s, t = []) => compose("" + t)', found: 'Identifier' },
].map(({ title, ...held }) => ({ ...held, title: `held: ${title}`, at: 6 }))

const NAMESPACES = [
  { title: 'a plain key', code: '{ a: p0 }', found: 'Property' },
  { title: 'a shorthand', code: '{ p0 }', found: 'Property' },
  { title: 'a getter', code: '{ get ["a"]() { return p0 } }', found: 'FunctionExpression' },
  { title: 'a method', code: '{ ["a"]() {} }', found: 'FunctionExpression' },
  { title: 'a method called __proto__', code: '{ __proto__() {} }', found: 'Property' },
  { title: 'a quoted __proto__', code: '{ "__proto__": null }', found: 'Property' },
  { title: 'a key that is a number', code: '{ [0]: p0 }', found: 'Literal' },
  { title: 'a second property that is none', code: '{ ["a"]: p0, b: p1 }', found: 'Property' },
  { title: 'a prototype that is not null', code: '{ __proto__: 0 }', found: 'Property' },
  { title: 'another prototype', code: '{ __proto__: p0 }', found: 'Property' },
  { title: 'a key that is computed by code', code: '{ [x()]: p0 }', found: 'CallExpression' },
  { title: 'a value that is not a prompt', code: '{ ["a"]: fetch }', found: 'Identifier' },
  { title: 'a value that is a text', code: '{ ["a"]: "b" }', found: 'Literal' },
  { title: 'a spread', code: '{ ...p0 }', found: 'Identifier' },
  { title: 'a spread of a call', code: '{ ...f("./all") }', found: 'CallExpression' },
  { title: 'a spread of another module', code: '{ ...require("fs") }', found: 'Literal' },
  { title: 'an array', code: '[p0]', found: 'ArrayExpression' },
]

describe.each(PARSERS)('read by the parser of $parser,', ({ parse }) => {
  const refused = refusedWith(parse)

  describe('printed code is accepted', () => {
    test.each(LOCKS)('$title', ({ lock }) => {
      // Printing throws if it is not.
      for (const shape of ['namespace', 'object'] as const) {
        for (const format of ['esm', 'cjs'] as const)
          expect(Object.keys(printModules(lock, shape, { parse, format }))).toHaveLength(3)
      }
    })

    test('by itself', () => {
      const imported = 'import { compose, definePrompt } from "./runtime"\n'
      expect(refused(imported + definition())).toBeUndefined()
      const held = '(v, s, t = [s("{{a}}", v["a"], v)]) => compose("S" + t[0] + t[0], "U", "")'
      expect(refused(imported + definition({ 6: held }))).toBeUndefined()
      const required = 'const { compose, definePrompt } = require("./runtime")\n'
      const exported = definition().replace('export const ', 'exports.')
      expect(refused(required + exported)).toBeUndefined()
    })
  })

  describe('a statement that the printer never makes is refused', () => {
    test.each(STATEMENTS)('$title', ({ code, found }) => {
      expect(refused(code)).toBe(found)
      expect(
        refused(
          `import { definePrompt } from "./runtime"\n${definition().replace('p0', 'p1')}\n${code}`,
        ),
      ).toBe(found)
    })
  })

  describe('a definition that is anything but data is refused', () => {
    test.each([...ARGUMENTS, ...BODIES, ...SLOTS, ...HELD])(
      '$title: $code',
      ({ at, code, found }) => {
        expect(refused(definition({ [at]: code }))).toBe(found)
      },
    )

    test.each([
      ['another callee', definition().replace('definePrompt', 'eval'), 'CallExpression'],
      [
        'a member as callee',
        definition().replace('definePrompt', 'x.definePrompt'),
        'CallExpression',
      ],
      ['new', definition().replace('definePrompt', 'new definePrompt'), 'NewExpression'],
      ['one argument more', definition().replace(/\)$/, ', "x")'), 'CallExpression'],
      ['one argument less', 'export const p0 = definePrompt("s")', 'CallExpression'],
    ])('%s', (_, code, found) => {
      expect(refused(code)).toBe(found)
    })
  })

  describe('a namespace that is anything but prompts is refused', () => {
    test.each(NAMESPACES)('$title: $code', ({ code, found }) => {
      expect(refused(`export const prompts = ${code}`)).toBe(found)
    })
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

  test('the error has the position and the message of the parser', () => {
    expect(() => assertOnlyData('export const p0 = eval', SOURCES, parse)).toThrow(
      expect.objectContaining({ details: { found: 'Identifier', position: 18 } }),
    )
    expect(() => assertOnlyData('}', SOURCES, parse)).toThrow(
      expect.objectContaining({
        code: 'MODULE_REFUSED',
        details: { found: 'no module', position: 0 },
        cause: expect.any(Error),
      }),
    )
  })
})

// Rollup's parser leaves that to Rollup, which refuses it.
test('a name that is exported twice is refused', () => {
  const refused = refusedWith(parseModule)
  expect(refused(`${definition()}\n${definition()}`)).toBe('no module')
})
