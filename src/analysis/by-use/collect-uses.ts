/**
 * The uses of `prompts` in one module. Each must be a member or a destructuring with fixed names:
 * `prompts.a`, `const { a } = flag ? staging : prompts`, also of an awaited `import()`. With any other
 * use the module needs all prompts. Scopes are ignored: a variable that shadows the import only adds
 * names.
 */
import type { AnyNode, ImportDeclaration, Pattern, Program } from 'acorn'
import {
  getExpressionRequest,
  listDeclaredRequests,
  type ModuleRequest,
} from './module-requests.ts'
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

export type UnclearReason =
  | 'no direct import'
  | 'namespace import'
  | 'module mentioned'
  | 'computed import'
  | 'computed member'
  | 'passed on'
  | 'eval'

interface Search {
  readonly id: string
  /** The local names of `prompts`. */
  readonly locals: Set<string>
  /** The nodes in patterns that declare such a name. */
  readonly declarations: Set<AnyNode>
  readonly used: Set<string>
  readonly requests: ModuleRequest[]
  /** Whether the module imports the prompts directly. */
  isImported: boolean
}

/** The first use whose names are unknown. */
interface Unclear {
  readonly reason: UnclearReason
  /** Absent if the module's own code does not contain it. */
  readonly node?: AnyNode
}

/**
 * Collects the prompts that a module uses from `id`.
 *
 * @param inserted - expressions that the bundler may insert into the module
 */
export function collectUses(
  { body }: Program,
  inserted: readonly Program[],
  id: string,
): Search | Unclear {
  const search: Search = {
    id,
    locals: new Set(),
    declarations: new Set(),
    used: new Set(),
    requests: [],
    isImported: false,
  }
  const { imports, rest } = splitImports(body)
  for (const node of imports)
    if (!addImport(node, search)) return { reason: 'namespace import', node }
  const own = listPlaces(rest)
  const places = [...own, ...listPlaces(inserted)]
  // Imports first: `const { prompts } = await import(…)` adds a name, which functions above it may use.
  for (const visit of [visitRequest, visitReference])
    for (const [index, place] of places.entries()) {
      const reason = visit(place, search)
      if (reason !== undefined)
        return index < own.length ? { reason, node: place.node } : { reason }
    }
  return search.isImported ? search : { reason: 'no direct import' }
}

/** @returns whether all imported names are known */
function addImport(node: ImportDeclaration, search: Search): boolean {
  if (node.source.value !== search.id) {
    search.requests.push(...listDeclaredRequests(node))
    return true
  }
  search.isImported = true
  for (const specifier of node.specifiers) {
    if (specifier.type !== 'ImportSpecifier') return false
    if (getName(specifier.imported) === 'prompts') search.locals.add(specifier.local.name)
  }
  return true
}

type Visit = UnclearReason | undefined

/** Handles a node that requests a module. */
function visitRequest(place: Place, search: Search): Visit {
  const { node, parent } = place
  const { id, requests } = search
  if (getText(node) === id) return isImportOf(parent, id) ? undefined : 'module mentioned'
  if (isImportOf(place, id) && parent?.node.type === 'AwaitExpression') {
    search.isImported = true
    return visitModule(parent, search)
  }
  if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration') {
    requests.push(...listDeclaredRequests(node))
    return undefined
  }
  const request = getExpressionRequest(node, id)
  if (request === 'computed import') return request
  if (request !== undefined) requests.push(request)
  return undefined
}

/** Whether a node is `import('virtual:prompts')`. */
function isImportOf(place: Place | undefined, id: string): boolean {
  const node = place?.node
  return node?.type === 'ImportExpression' && node.options == null && getText(node.source) === id
}

/** Handles `await import('virtual:prompts')`. */
function visitModule({ node, parent }: Place, search: Search): Visit {
  if (parent?.node.type === 'MemberExpression' && parent.node.object === node) {
    const key = getKey(parent.node.property, parent.node.computed)
    if (key === undefined) return 'computed member'
    return key === 'prompts' ? visitPrompts(parent, search) : undefined
  }
  const user = parent?.node
  // An export would pass on what is destructured here.
  const isShared = parent?.parent?.parent?.node.type === 'ExportNamedDeclaration'
  if (user?.type !== 'VariableDeclarator' || isShared) return 'passed on'
  const properties = getProperties(user.id)
  if (properties === undefined) return 'passed on'
  for (const { value } of properties.filter(({ key }) => key === 'prompts')) {
    if (value.type === 'Identifier') {
      search.locals.add(value.name)
      search.declarations.add(value)
    } else if (usePattern(value, search) !== undefined) return 'passed on'
  }
  return undefined
}

/** Handles a node that may refer to `prompts` by a local name. */
function visitReference(place: Place, search: Search): Visit {
  const name = getReference(place.node)
  if (name === undefined || search.declarations.has(place.node)) return undefined
  if (search.locals.has(name)) return visitPrompts(place, search)
  return name === 'eval' && search.locals.size > 0 ? 'eval' : undefined
}

/** Handles an expression whose value is `prompts`. */
function visitPrompts(place: Place, search: Search): Visit {
  let { node, parent } = place
  // The value of `flag ? staging : prompts` is one of its branches.
  while (parent?.node.type === 'ConditionalExpression' && parent.node.test !== node)
    ({ node, parent } = parent)
  const user = parent?.node
  if (user?.type === 'VariableDeclarator') return usePattern(user.id, search)
  if (user?.type !== 'MemberExpression' || user.object !== node) return 'passed on'
  const key = getKey(user.property, user.computed)
  if (key === undefined) return 'computed member'
  search.used.add(key)
  return undefined
}

/** Handles what `prompts` is destructured to. */
function usePattern(pattern: Pattern, { used }: Search): Visit {
  const keys = getProperties(pattern)
  if (keys === undefined) return 'passed on'
  for (const { key } of keys) used.add(key)
  return undefined
}
