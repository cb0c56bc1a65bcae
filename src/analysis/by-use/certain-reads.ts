import type { ImportDeclaration } from 'acorn'
import {
  getKey,
  getName,
  getProperties,
  getReference,
  getText,
  listPlaces,
  type Place,
  splitImports,
} from './syntax-node.ts'
import { parseFirst } from './used-names.ts'
import type { ParseModule } from '../../codegen/assert-only-data.ts'

interface ReadRequest {
  /** As the code has it. */
  readonly specifier: string
  /** `all` if that module exports each prompt, `entry` if it exports `prompts`. */
  readonly kind: 'entry' | 'all'
  /** Tried in order. */
  readonly parsers: readonly ParseModule[]
}

/**
 * Lists the names that a module certainly reads from an import of prompts, so that a missing one is a
 * fault: none that it tests for or mentions in a string, and none if another variable may have the name
 * of the import.
 */
export function listCertainReads(
  code: string,
  { specifier, kind, parsers }: ReadRequest,
): string[] {
  const { imports, rest } = splitImports(parseFirst(code, parsers)?.body ?? [])
  const own = imports.filter(({ source }) => source.value === specifier)
  const locals = new Map<string | undefined, Local>(
    own.flatMap((node) => listLocals(node, kind)).map((local) => [local.name, local]),
  )
  const tested = new Set<string | undefined>()
  for (const place of locals.size === 0 ? [] : listPlaces(rest)) {
    const user = place.parent?.node
    const isKey = user?.type === 'MemberExpression' && user.property === place.node
    if (!isKey) tested.add(getText(place.node))
    const local = locals.get(getReference(place.node))
    if (local !== undefined) visitReference(place, local, tested)
  }
  const certain = [...locals.values()].filter(({ isShadowed }) => !isShadowed)
  const reads = new Set(certain.flatMap((local) => local.reads.toReversed()))
  return [...reads].filter((name) => !tested.has(name))
}

/** A local name of an import: of one prompt, or of all. */
interface Local {
  readonly name: string
  readonly prompt: string | undefined
  readonly reads: string[]
  isShadowed: boolean
}

function listLocals({ specifiers }: ImportDeclaration, kind: 'entry' | 'all'): Local[] {
  return specifiers.flatMap((specifier) => {
    const { type, local } = specifier
    const imported = type === 'ImportSpecifier' ? String(getName(specifier.imported)) : undefined
    const isAll = kind === 'all' ? type === 'ImportNamespaceSpecifier' : imported === 'prompts'
    if (!isAll && (kind === 'entry' || imported === undefined)) return []
    const prompt = isAll ? undefined : imported
    return [{ name: local.name, prompt, reads: [], isShadowed: false }]
  })
}

function visitReference(
  { node, parent }: Place,
  local: Local,
  tested: Set<string | undefined>,
): void {
  const { prompt, reads } = local
  const user = parent?.node
  if (prompt !== undefined) reads.push(prompt)
  if (user?.type === 'MemberExpression' && prompt === undefined) {
    const key = getKey(user.property, user.computed)
    if (user.optional || isTested(parent)) tested.add(key)
    else if (key !== undefined) reads.push(key)
  } else if (user?.type === 'VariableDeclarator' && user.init === node) {
    for (const { key, value } of getProperties(user.id) ?? [])
      if (value.type === 'AssignmentPattern') tested.add(key)
      else if (prompt === undefined) reads.push(key)
  } else if (!isValue(parent)) local.isShadowed = true
}

/** Other nodes may declare a variable. */
const USER =
  /^(?!.*(?:Function|Class)).*(?:Expression|Statement)$|^(?:Export|Spread|Template|JSX(?:Spread|Expression))/

function isValue({ node, parent }: Partial<Place> = {}): boolean {
  if (node?.type === 'Property') return parent?.node.type === 'ObjectExpression'
  return node !== undefined && USER.test(node.type)
}

/** Whether code works if the value of an expression is `undefined`. */
function isTested({ node, parent }: Partial<Place> = {}): boolean {
  if (parent === undefined) return false
  const user = parent.node
  if (user.type === 'MemberExpression') return user.optional && user.object === node
  if (user.type === 'CallExpression') return user.optional && user.callee === node
  if (user.type === 'ConditionalExpression') return user.test === node
  if (user.type === 'AssignmentExpression') return user.left === node
  if (user.type === 'Property') return parent.parent?.node.type === 'ObjectPattern'
  if (/^(?:Logical|TS\w+|Chain)Expression$/.test(user.type))
    return (user.type === 'LogicalExpression' && user.left === node) || isTested(parent)
  return /^(?:Unary|Binary|Update)|(?:Pattern|RestElement)$|^(?:If|For|(?:Do)?While)/.test(
    user.type,
  )
}
