import { type AnyNode, parse } from 'acorn'
import { PromptsError } from '../errors.ts'

/**
 * Parses a generated module and refuses it if it holds any node that prompts do not need: the
 * last wall between remote text and code that runs (DESIGN section 6).
 *
 * @param sources - the only modules it may import from
 * @throws PromptsError MODULE_REFUSED
 */
export function assertOnlyData(code: string, sources: readonly string[]): void {
  const refuse = (found: string, position: number, cause?: unknown): never => {
    throw new PromptsError('MODULE_REFUSED', { found, position }, { cause })
  }
  const open: AnyNode[] = [parseModule(code, refuse)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const allowed = RULES[node.type]
    if (allowed === undefined || !allowed(node as never, sources)) refuse(node.type, node.start)
    open.push(...childrenOf(node))
  }
}

function parseModule(
  code: string,
  refuse: (found: string, position: number, cause: unknown) => never,
): AnyNode {
  try {
    return parse(code, { ecmaVersion: 2022, sourceType: 'module' })
  } catch (cause) {
    return refuse('no module', 0, cause)
  }
}

type Rules = {
  readonly [Type in AnyNode['type']]?: (
    node: Extract<AnyNode, { type: Type }>,
    sources: readonly string[],
  ) => boolean
}

const always = (): boolean => true

/** Callable names: the runtime's maker of prompts, and the parameter `f` of a prompt's body. */
const CALLABLE = new Set(['definePrompt', 'f'])

/** Parameters whose members are read: slots and variables. */
const READABLE = new Set(['t', 'v'])

/** Every kind of node that the printer makes, each only in the form in which it makes it. */
const RULES: Rules = {
  Program: always,
  ImportDeclaration: (node, sources) => sources.includes(String(node.source.value)),
  ImportSpecifier: always,
  ExportAllDeclaration: (node, sources) => sources.includes(String(node.source.value)),
  ExportNamedDeclaration: (node, sources) =>
    node.source == null
      ? node.declaration?.type === 'VariableDeclaration'
      : sources.includes(String(node.source.value)),
  ExportSpecifier: always,
  VariableDeclaration: (node) => node.kind === 'const',
  VariableDeclarator: (node) => node.id.type === 'Identifier',
  CallExpression: (node) => node.callee.type === 'Identifier' && CALLABLE.has(node.callee.name),
  ArrowFunctionExpression: (node) => node.expression && !node.async,
  ArrayExpression: always,
  BinaryExpression: (node) => node.operator === '+',
  UnaryExpression: (node) => node.operator === '-' && node.argument.type === 'Literal',
  MemberExpression: (node) =>
    node.computed &&
    node.object.type === 'Identifier' &&
    READABLE.has(node.object.name) &&
    node.property.type === 'Literal',
  ObjectExpression: always,
  Property: (node) => (node.computed ? node.key.type === 'Literal' : isNullPrototype(node)),
  Identifier: always,
  Literal: (node) => node.raw === 'null' || ['string', 'number'].includes(typeof node.value),
}

function isNullPrototype({ key, value, kind }: Extract<AnyNode, { type: 'Property' }>): boolean {
  return (
    kind === 'init' &&
    key.type === 'Identifier' &&
    key.name === '__proto__' &&
    value.type === 'Literal' &&
    value.value === null
  )
}

function* childrenOf(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') yield child
    }
  }
}
