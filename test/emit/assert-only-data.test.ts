import { describe, expect, test } from 'vitest'
import { assertOnlyData } from '../../src/emit/assert-only-data.ts'
import { isPromptsError } from '../../src/errors.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { liveLock } from '../helpers/pinned.ts'
import { printModules } from '../helpers/run-modules.ts'

const SOURCES = ['./all', './definitions', './runtime']

/** What in a module is refused; `undefined` where it is accepted. */
function refused(code: string): string | undefined {
  try {
    assertOnlyData(code, SOURCES)
    return undefined
  } catch (error) {
    if (isPromptsError(error, 'MODULE_REFUSED')) return error.details.found
    throw error
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
    '(t, f) => f("S" + t[0], "U", "")',
    '["{{a}}"]',
    '(v) => [v["a"]]',
  ]
  const given = printed.map((argument, index) => replaced[index] ?? argument)
  return `export const p0 = /* @__PURE__ */ definePrompt(${given.join(', ')})`
}

describe('what the printer makes is accepted', () => {
  const locks = [
    { title: 'no prompts', lock: liveLock() },
    { title: 'a plain prompt', lock: liveLock({ system: 'Be kind to {{name}}.' }) },
    { title: 'a source that is no join', lock: liveLock({ source: 'X {{a}}' }) },
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

  test.each(locks)('$title', ({ lock }) => {
    // Printing throws where it is not.
    for (const shape of ['namespace', 'object'] as const) {
      expect(Object.keys(printModules(lock, shape))).toHaveLength(3)
    }
  })

  test('by itself', () => {
    expect(refused(`import { definePrompt } from "./runtime"\n${definition()}`)).toBeUndefined()
  })
})

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
  { title: 'what is no JavaScript', code: 'export const', found: 'no module' },
  { title: 'a name exported twice', code: `${definition()}\n${definition()}`, found: 'no module' },
]

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

const ARGUMENTS = [
  { title: 'a template literal', at: 0, code: '`s`', found: 'TemplateLiteral' },
  { title: 'a tagged template', at: 0, code: 'String.raw`s`', found: 'TaggedTemplateExpression' },
  { title: 'a regular expression', at: 0, code: '/s/', found: 'Literal' },
  { title: 'a bigint', at: 3, code: '1n', found: 'Literal' },
  { title: 'true', at: 3, code: 'true', found: 'Literal' },
  { title: 'null', at: 3, code: 'null', found: 'Literal' },
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
  { title: 'a spread', at: 7, code: '...x', found: 'SpreadElement' },
  { title: 'a sum outside a body', at: 0, code: '"a" + "b"', found: 'BinaryExpression' },
  { title: 'a global as body', at: 6, code: 'setTimeout', found: 'Identifier' },
  {
    title: 'a function as body',
    at: 6,
    code: 'function (t, f) { return f("") }',
    found: 'FunctionExpression',
  },
  {
    title: 'an async body',
    at: 6,
    code: 'async (t, f) => f("")',
    found: 'ArrowFunctionExpression',
  },
  {
    title: 'statements in a body',
    at: 6,
    code: '(t, f) => { return f("") }',
    found: 'BlockStatement',
  },
  { title: 'other parameters', at: 6, code: '(f, t) => f("")', found: 'Identifier' },
  {
    title: 'one more parameter',
    at: 6,
    code: '(t, f, g) => f("")',
    found: 'ArrowFunctionExpression',
  },
  { title: 'a default value', at: 6, code: '(t, f = eval) => f("")', found: 'AssignmentPattern' },
  { title: 'a pattern', at: 6, code: '({ constructor: t }, f) => f("")', found: 'ObjectPattern' },
  { title: 'a rest', at: 6, code: '(t, ...f) => f("")', found: 'RestElement' },
  { title: 'a call of something else', at: 6, code: '(t, f) => t("")', found: 'CallExpression' },
  { title: 'a call of a slot', at: 6, code: '(t, f) => t[0]("")', found: 'CallExpression' },
  { title: 'a method', at: 6, code: '(t, f) => f.call("")', found: 'CallExpression' },
  { title: 'an optional call', at: 6, code: '(t, f) => f?.("")', found: 'ChainExpression' },
  { title: 'a new instance', at: 6, code: '(t, f) => new f("")', found: 'NewExpression' },
  {
    title: 'the constructor before a text',
    at: 6,
    code: '(t, f) => f(t["constructor"] + "")',
    found: 'Literal',
  },
  { title: 'a second text that is none', at: 6, code: '(t, f) => f("", t)', found: 'Identifier' },
  { title: 'no call', at: 6, code: '(t, f) => "s"', found: 'Literal' },
  { title: 'a spread in a body', at: 6, code: '(t, f) => f(...t)', found: 'SpreadElement' },
  { title: 'a parameter by itself', at: 6, code: '(t, f) => f(t)', found: 'Identifier' },
  {
    title: 'a member by name',
    at: 6,
    code: '(t, f) => f("" + t.length)',
    found: 'MemberExpression',
  },
  {
    title: 'the constructor by a computed name',
    at: 6,
    code: '(t, f) => f("" + t["constructor"])',
    found: 'Literal',
  },
  {
    title: 'a member of a member',
    at: 6,
    code: '(t, f) => f("" + t[0][0])',
    found: 'MemberExpression',
  },
  {
    title: 'a member of something else',
    at: 6,
    code: '(t, f) => f("" + f[0])',
    found: 'MemberExpression',
  },
  { title: 'a slot by a name', at: 6, code: '(t, f) => f("" + t[f])', found: 'Identifier' },
  {
    title: 'an optional member',
    at: 6,
    code: '(t, f) => f("" + t?.[0])',
    found: 'ChainExpression',
  },
  { title: 'another operation', at: 6, code: '(t, f) => f("a" - t[0])', found: 'BinaryExpression' },
  { title: 'a sign before a text', at: 6, code: '(t, f) => f(+t[0])', found: 'UnaryExpression' },
  { title: 'a private name', at: 6, code: '(t, f) => f("a" in t)', found: 'BinaryExpression' },
  { title: 'a number in a text', at: 6, code: '(t, f) => f(1 + t[0])', found: 'Literal' },
  {
    title: 'a variable in a text',
    at: 6,
    code: '(t, f) => f("" + v["a"])',
    found: 'MemberExpression',
  },
  { title: 'a hole among the tokens', at: 7, code: '["a", , "b"]', found: 'ArrayExpression' },
  { title: 'a call among the tokens', at: 7, code: '[x()]', found: 'CallExpression' },
  { title: 'a spread among the tokens', at: 7, code: '[...x]', found: 'SpreadElement' },
  {
    title: 'a pick of other things',
    at: 8,
    code: '(v) => [globalThis["a"]]',
    found: 'MemberExpression',
  },
  { title: 'a pick of everything', at: 8, code: '(v) => [v]', found: 'Identifier' },
  { title: 'a second pick that is none', at: 8, code: '(v) => [v["a"], v]', found: 'Identifier' },
  { title: 'a pick by index', at: 8, code: '(v) => [v[0]]', found: 'Literal' },
  { title: 'a pick of a pick', at: 8, code: '(v) => [v["a"]["b"]]', found: 'MemberExpression' },
  { title: 'a pick that is no array', at: 8, code: '(v) => v["a"]', found: 'MemberExpression' },
  { title: 'a pick that calls', at: 8, code: '(v) => [v["a"]()]', found: 'CallExpression' },
  { title: 'a pick of the slots', at: 8, code: '(t) => [t["a"]]', found: 'Identifier' },
  { title: 'Function as pick', at: 8, code: 'Function', found: 'Identifier' },
]

describe('a definition that is anything but data is refused', () => {
  test.each(ARGUMENTS)('$title: $code', ({ at, code, found }) => {
    expect(refused(definition({ [at]: code }))).toBe(found)
  })

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

const NAMESPACES = [
  { title: 'a plain key', code: '{ a: p0 }', found: 'Property' },
  { title: 'a shorthand', code: '{ p0 }', found: 'Property' },
  { title: 'a getter', code: '{ get ["a"]() { return p0 } }', found: 'FunctionExpression' },
  { title: 'a method', code: '{ ["a"]() {} }', found: 'FunctionExpression' },
  { title: 'a method called __proto__', code: '{ __proto__() {} }', found: 'Property' },
  { title: 'a quoted __proto__', code: '{ "__proto__": null }', found: 'Property' },
  { title: 'a key that is a number', code: '{ [0]: p0 }', found: 'Literal' },
  { title: 'a second property that is none', code: '{ ["a"]: p0, b: p1 }', found: 'Property' },
  { title: 'a prototype that is no null', code: '{ __proto__: 0 }', found: 'Property' },
  { title: 'another prototype', code: '{ __proto__: p0 }', found: 'Property' },
  { title: 'a key that is computed by code', code: '{ [x()]: p0 }', found: 'CallExpression' },
  { title: 'a value that is no prompt', code: '{ ["a"]: fetch }', found: 'Identifier' },
  { title: 'a value that is a text', code: '{ ["a"]: "b" }', found: 'Literal' },
  { title: 'a spread', code: '{ ...p0 }', found: 'SpreadElement' },
  { title: 'an array', code: '[p0]', found: 'ArrayExpression' },
]

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

test('the error says where, and keeps what the parser said', () => {
  expect(() => assertOnlyData('export const p0 = eval', SOURCES)).toThrow(
    expect.objectContaining({ details: { found: 'Identifier', position: 18 } }),
  )
  expect(() => assertOnlyData('}', SOURCES)).toThrow(
    expect.objectContaining({
      code: 'MODULE_REFUSED',
      details: { found: 'no module', position: 0 },
      cause: expect.any(SyntaxError),
    }),
  )
})
