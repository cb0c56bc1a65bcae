/**
 * The uses of prompts in one module. Each must be a member or a destructuring with fixed names:
 * `prompts.a`, `const { a } = flag ? staging : prompts`, also of an awaited `import()`. With any other
 * use the module needs all prompts. Scopes are ignored: the declaration of a variable that shadows the import is
 * such a use.
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

/** The module of prompts whose uses are collected. */
export interface UsedModule {
  /** Its specifier. */
  readonly id: string
  /** `entry` if it exports `prompts`, `all` if it exports each prompt. */
  readonly kind: 'entry' | 'all'
}

interface Search extends UsedModule {
  /** The local names of `prompts`, or of the module with all of them. */
  readonly locals: Set<string>
  /** The nodes in patterns that declare such a name. */
  readonly declarations: Set<AnyNode>
  readonly used: Set<string>
  readonly requests: ModuleRequest[]
  /** Whether the module imports the prompts directly. */
  isImported: boolean
}

/** What a module uses. */
interface Uses extends Pick<Search, 'requests'> {
  /** The names that it certainly reads. */
  readonly names: ReadonlySet<string>
  /** The first use whose names are unknown, if there is one. */
  readonly unclear: Unclear | undefined
}

interface Unclear {
  readonly reason: UnclearReason
  /** Absent if the module's own code does not contain it. */
  readonly node?: AnyNode
}

/**
 * Collects the prompts that a module uses.
 *
 * @param inserted - expressions that the bundler may insert into the module
 */
export function collectUses(
  program: Program,
  inserted: readonly Program[],
  used: UsedModule,
): Uses {
  const search: Search = {
    ...used,
    locals: new Set(),
    declarations: new Set(),
    used: new Set(),
    requests: [],
    isImported: false,
  }
  const unclear = visitAll(program, inserted, search)
  // What is passed on may be another variable with the name of the import.
  const isCertain = unclear === undefined || unclear.reason === 'computed member'
  return { names: isCertain ? search.used : new Set(), unclear, requests: search.requests }
}

function visitAll(
  { body }: Program,
  inserted: readonly Program[],
  search: Search,
): Unclear | undefined {
  const { imports, rest } = splitImports(body)
  for (const node of imports)
    if (!addImport(node, search)) return { reason: 'namespace import', node }
  const own = listPlaces(rest)
  const places = [...own, ...listPlaces(inserted)]
  let computed: Unclear | undefined
  // Imports first: `const { prompts } = await import(…)` adds a name, which functions above it may use.
  for (const visit of [visitRequest, visitReference])
    for (const [index, place] of places.entries()) {
      const reason = visit(place, search)
      if (reason === undefined) continue
      const unclear = index < own.length ? { reason, node: place.node } : { reason }
      if (reason !== 'computed member') return unclear
      computed ??= unclear
    }
  return computed ?? (search.isImported ? undefined : { reason: 'no direct import' })
}

/** @returns whether all imported names are known */
function addImport(node: ImportDeclaration, search: Search): boolean {
  if (node.source.value !== search.id) {
    search.requests.push(...listDeclaredRequests(node))
    return true
  }
  search.isImported = true
  const { kind, locals, used } = search
  for (const { type, local, ...specifier } of node.specifiers) {
    const imported = 'imported' in specifier ? String(getName(specifier.imported)) : 'default'
    if (kind === 'all' && type !== 'ImportNamespaceSpecifier') used.add(imported)
    else if (kind === 'all' || imported === 'prompts') locals.add(local.name)
    else if (type !== 'ImportSpecifier') return false
  }
  return true
}

type Visit = UnclearReason | undefined

/** Handles a node that requests a module. */
function visitRequest(place: Place, search: Search): Visit {
  const { node, parent } = place
  const { id, requests } = search
  if (getText(node) === id) return isImportOf(parent, id) ? undefined : 'module mentioned'
  if (isImportOf(place, id)) {
    const isAwaited = parent?.node.type === 'AwaitExpression'
    const parameters = getThenParameters(parent)
    search.isImported ||= isAwaited || parameters !== undefined
    if (isAwaited) return visitModule(parent, search)
    const [pattern] = parameters ?? []
    if (parameters !== undefined) return pattern && useModule(pattern, search)
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

/**
 * Returns the parameters of the function in `import('virtual:prompts').then(({ prompts }) => …)`.
 *
 * @param member - the parent of the import
 */
function getThenParameters(member: Place | undefined): readonly Pattern[] | undefined {
  const [then, call] = [member?.node, member?.parent?.node]
  if (then?.type !== 'MemberExpression' || call?.type !== 'CallExpression') return undefined
  if (call.callee !== then || getKey(then.property, then.computed) !== 'then') return undefined
  const [taker] = call.arguments
  return taker?.type === 'ArrowFunctionExpression' ? taker.params : undefined
}

/** Handles `await import('virtual:prompts')`. */
function visitModule(place: Place, search: Search): Visit {
  const { node, parent } = place
  if (search.kind === 'all') return visitPrompts(place, search)
  if (parent?.node.type === 'MemberExpression' && parent.node.object === node) {
    const key = getKey(parent.node.property, parent.node.computed)
    if (key === undefined) return 'computed member'
    return key === 'prompts' ? visitPrompts(parent, search) : undefined
  }
  const user = parent?.node
  // An export would pass on what is destructured here.
  const isShared = parent?.parent?.parent?.node.type === 'ExportNamedDeclaration'
  if (user?.type !== 'VariableDeclarator' || isShared) return 'passed on'
  return useModule(user.id, search)
}

/** Handles what the module is destructured to. */
function useModule(pattern: Pattern, search: Search): Visit {
  if (search.kind === 'all') return usePattern(pattern, search)
  const properties = getProperties(pattern)
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
