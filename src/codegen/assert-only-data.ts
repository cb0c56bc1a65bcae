import { createRequire } from 'node:module'
import type { AnyNode, ExpressionStatement, Program, VariableDeclaration } from 'acorn'
import { settingChecks } from '../core/settings.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { APP_EXPORTS } from './plan-module.ts'

/**
 * Parses a generated module and throws if it contains anything that the printer does not print. This is
 * the last check before text from the service becomes code that runs.
 *
 * Checking the types of nodes is not enough: members, calls and names can access `Function` by
 * `t["constructor"]`. So every node is allowed only in the position where the printer puts it.
 *
 * @param sources - the modules that it may import from
 * @param parse - acorn's by default
 */
export function assertOnlyData(
  code: string,
  sources: ReadonlySet<string>,
  parse: ParseModule = parseModule,
): void {
  for (const statement of parseProgram(code, parse).body) checkStatement(statement, sources)
}

/**
 * Parses a module into an ESTree program. Throws if the text is not valid in the parser's language.
 */
export type ParseModule = (code: string) => object

const require = createRequire(import.meta.url)

/**
 * Parses JavaScript, if the bundler provides no parser. acorn is loaded at the first call, because
 * most bundlers do provide one.
 */
export const parseModule: ParseModule = (code) => {
  const { parse } = require('acorn') as typeof import('acorn')
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
}

function parseProgram(code: string, parse: ParseModule): Program {
  try {
    return parse(code) as Program
  } catch (cause) {
    throw new PromptsError('MODULE_REFUSED', { found: 'no module', position: 0 }, { cause })
  }
}

function reject({ type, start }: AnyNode): never {
  throw new PromptsError('MODULE_REFUSED', { found: type, position: start })
}

/** Accepts a node or throws. */
type Check = (node: AnyNode) => void

function checkStatement(node: AnyNode, sources: ReadonlySet<string>): void {
  if (node.type === 'ImportDeclaration') {
    checkSource(node.source, sources)
    node.specifiers.forEach(checkImported)
  } else if (node.type === 'ExportAllDeclaration') {
    checkSource(node.source, sources)
  } else if (node.type === 'ExportNamedDeclaration') {
    if (node.source != null) checkSource(node.source, sources)
    else checkConstant(node.declaration ?? reject(node), sources)
  } else if (node.type === 'VariableDeclaration') checkRequired(node, sources)
  else if (node.type === 'ExpressionStatement') checkAssigned(node, sources)
  else reject(node)
}

function checkSource(node: AnyNode, sources: ReadonlySet<string>): void {
  if (node.type !== 'Literal' || !sources.has(String(node.value))) reject(node)
}

const PROMPT = /^p\d+$/

/** The imports from the runtime in printed code. */
const RUNTIME = new Set(['compose', 'definePrompt'])

/** `definePrompt` or `p0`, not renamed. */
function checkImported(node: AnyNode): void {
  if (node.type !== 'ImportSpecifier' || !isNamed(node.imported, node.local.name)) reject(node)
  if (!isImported(node.local)) reject(node)
}

function isImported(node: AnyNode): boolean {
  return RUNTIME.has(nameOf(node)) || isPrompt(node)
}

function isExported(node: AnyNode): boolean {
  return APP_EXPORTS.includes(nameOf(node)) || isPrompt(node)
}

function isPrompt(node: AnyNode): boolean {
  return PROMPT.test(nameOf(node))
}

/** `const p0 = definePrompt(…)` or `const prompts = { … }`. */
function checkConstant(node: AnyNode, sources: ReadonlySet<string>): void {
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const') reject(node)
  for (const { id, init } of node.declarations) {
    checkExported(id, init ?? reject(id), sources)
  }
}

function checkExported(id: AnyNode, value: AnyNode, sources: ReadonlySet<string>): void {
  if (isNamed(id, 'prompts')) checkNamespace(value, sources)
  else if (isPrompt(id)) checkDefinition(value)
  else reject(id)
}

/** `const { p0, p1 } = require("./definitions.js")`. */
function checkRequired(node: VariableDeclaration, sources: ReadonlySet<string>): void {
  const [{ id, init } = reject(node), ...more] = node.declarations
  if (node.kind !== 'const' || id.type !== 'ObjectPattern' || more.length > 0) reject(node)
  for (const property of id.properties) {
    if (property.type !== 'Property' || !property.shorthand) reject(property)
    if (!isImported(property.value)) reject(property)
  }
  checkRequire(init ?? reject(node), sources)
}

/** `require("./definitions.js")`. */
function checkRequire(node: AnyNode, sources: ReadonlySet<string>): void {
  const [source, ...more] = argumentsOf(node, 'require')
  checkSource(source ?? reject(node), sources)
  if (more.length > 0) reject(node)
}

/**
 * `exports.p0 = definePrompt(…)`, `exports.prompts = { … }` or
 * `exports["slug"] = require("./definitions.js").p0`.
 */
function checkAssigned(node: ExpressionStatement, sources: ReadonlySet<string>): void {
  const { expression } = node
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') reject(node)
  const { left, right } = expression
  if (left.type !== 'MemberExpression' || !isNamed(left.object, 'exports')) reject(node)
  if (left.computed) checkString(left.property)
  if (right.type === 'MemberExpression') {
    if (right.computed || !isExported(right.property)) reject(right)
    checkRequire(right.object, sources)
  } else if (left.computed) reject(left)
  else checkExported(left.property, right, sources)
}

/** `{ __proto__: null, ["slug"]: p0 }` or `{ __proto__: null, ...require("./all.js") }`. */
function checkNamespace(node: AnyNode, sources: ReadonlySet<string>): void {
  if (node.type !== 'ObjectExpression') reject(node)
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      checkRequire(property.argument, sources)
      continue
    }
    const { key, value, computed } = property
    if (computed) {
      checkString(key)
      if (!isPrompt(value)) reject(value)
    } else if (!isNamed(key, '__proto__') || !isNull(value)) reject(property)
  }
}

/** `definePrompt("slug", "folder", "model", 1, "version", "live", (v, s) => …)`. */
function checkDefinition(node: AnyNode): void {
  if (node.type !== 'CallExpression' || !isNamed(node.callee, 'definePrompt')) reject(node)
  if (node.arguments.length > ARGUMENTS.length) reject(node)
  for (const [index, check] of ARGUMENTS.entries()) check(node.arguments[index] ?? reject(node))
}

/**
 * `(v, s) => compose("system " + s("{{a}}", v["a"], v), "user", "join")`, or with all values first:
 * `(v, s, t = [s("{{a}}", v["a"], v)]) => compose("system " + t[0] + t[0], "user", "join")`.
 */
const checkBody: Check = (node) => {
  if (node.type !== 'ArrowFunctionExpression' || node.async) reject(node)
  const [values, slot, stored, ...more] = node.params
  checkName(values ?? reject(node), 'v')
  checkName(slot ?? reject(node), 's')
  if (stored !== undefined) checkStoredValues(stored)
  if (more.length > 0) reject(node)
  const checkValue = stored === undefined ? checkSlot : checkStoredValue
  for (const text of argumentsOf(node.body, 'compose')) checkText(text, checkValue)
}

/** `t = [s("{{a}}", v["a"], v)]`. */
const checkStoredValues: Check = (node) => {
  if (node.type !== 'AssignmentPattern') reject(node)
  checkName(node.left, 't')
  if (node.right.type !== 'ArrayExpression') reject(node.right)
  for (const element of node.right.elements) checkSlot(element ?? reject(node.right))
}

/** `"text " + VALUE + "more text"`. */
function checkText(node: AnyNode, checkValue: Check): void {
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    checkText(node.left, checkValue)
    checkText(node.right, checkValue)
  } else if (node.type === 'Literal') checkString(node)
  else checkValue(node)
}

/** `t[0]`. */
const checkStoredValue: Check = (node) => checkMember(node, 't', 'number')

/** `s("{{a}}", v["a"], v)`. */
const checkSlot: Check = (node) => {
  const [token, value, values, ...more] = argumentsOf(node, 's')
  checkString(token ?? reject(node))
  checkMember(value ?? reject(node), 'v', 'string')
  checkName(values ?? reject(node), 'v')
  if (more.length > 0) reject(node)
}

function argumentsOf(node: AnyNode, callee: string): readonly AnyNode[] {
  if (node.type !== 'CallExpression' || !isNamed(node.callee, callee)) reject(node)
  return node.arguments
}

function checkMember(node: AnyNode, object: string, property: 'number' | 'string'): void {
  if (node.type !== 'MemberExpression' || !node.computed || !isNamed(node.object, object))
    reject(node)
  if (!isLiteral(node.property, property)) reject(node.property)
}

const checkString: Check = (node) => {
  if (!isLiteral(node, 'string')) reject(node)
}

/** A setting: the literal of a value that it can have. */
function checkSetting(isSetting: (value: unknown) => boolean): Check {
  return (node) => {
    const isNegative = node.type === 'UnaryExpression' && node.operator === '-'
    if (isNegative && isLiteral(node.argument, 'number'))
      return checkSetting(isSetting)(node.argument)
    if (node.type !== 'Literal' || !isSetting(node.value)) reject(node)
  }
}

const ARGUMENTS: readonly Check[] = [
  checkString,
  ...settingChecks().map(checkSetting),
  checkString,
  checkBody,
]

function checkName(node: AnyNode, name: string): void {
  if (!isNamed(node, name)) reject(node)
}

function isNull(node: AnyNode): boolean {
  return node.type === 'Literal' && node.raw === 'null'
}

function isLiteral(node: AnyNode, type: 'number' | 'string'): boolean {
  return node.type === 'Literal' && typeof node.value === type
}

function isNamed(node: AnyNode, name: string): boolean {
  return nameOf(node) === name
}

/** The name of an identifier; empty for any other node. */
function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : ''
}
