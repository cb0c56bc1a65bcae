import type {
  AnyNode,
  ExportNamedDeclaration,
  ImportDeclaration,
  MemberExpression,
  Pattern,
  Program,
  VariableDeclarator,
} from 'acorn'
import {
  listDeclaredRequests,
  getExpressionRequest,
  type ModuleRequest,
} from './module-requests.ts'
import {
  getChildren,
  isNode,
  getKey,
  getName,
  getProperties,
  getReference,
  getText,
} from './syntax-node.ts'

/** Why a module needs all prompts. */
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
  readonly names: Set<unknown>
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
 * Collects the prompts that a module uses from `id`. Every use must be a member or destructuring with
 * fixed names, of an import or an awaited `import()`. Scopes are ignored: a variable that shadows the
 * import only adds names.
 *
 * @param inserted - expressions that the bundler may insert into the module
 */
export function collectUses(
  { body }: Program,
  inserted: readonly Program[],
  id: string,
): Search | Unclear {
  const search: Search = { id, names: new Set(), used: new Set(), requests: [], isImported: false }
  const rest: AnyNode[] = []
  for (const node of body) {
    if (node.type !== 'ImportDeclaration') rest.push(node)
    else if (!addImport(node, search)) return { reason: 'namespace import', node }
  }
  let known: number
  do {
    known = search.names.size
    const unclear = visitAll(rest, search)
    if (unclear !== undefined) return unclear
    const { reason } = visitAll(inserted, search) ?? {}
    if (reason !== undefined) return { reason }
    // `const { prompts } = await import(…)` adds a name, which functions above it may use.
  } while (search.names.size > known)
  return search.isImported ? search : { reason: 'no direct import' }
}

/** An import contains no references. */
function addImport(node: ImportDeclaration, search: Search): boolean {
  if (node.source.value !== search.id) {
    search.requests.push(...listDeclaredRequests(node))
    return true
  }
  search.isImported = true
  for (const each of node.specifiers) {
    if (each.type !== 'ImportSpecifier') return false
    if (getName(each.imported) === 'prompts') search.names.add(each.local.name)
  }
  return true
}

/** Visits nodes and their descendants, until a use is unclear. */
function visitAll(nodes: readonly AnyNode[], search: Search): Unclear | undefined {
  const open = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const next = visit(node, search)
    if (typeof next === 'string') return { reason: next, node }
    for (const child of next) open.push(child)
  }
  return undefined
}

/** Why a node is unclear, or the nodes to visit next. */
type Visit = UnclearReason | Iterable<AnyNode>

function visit(node: AnyNode, search: Search): Visit {
  if (isPrompts(node, search)) return 'passed on'
  if (search.names.size > 0 && getReference(node) === 'eval') return 'eval'
  if (getText(node) === search.id) return 'module mentioned'
  if (node.type === 'MemberExpression') return visitMember(node, search)
  if (node.type === 'VariableDeclarator') return visitDeclarator(node, search)
  if (node.type === 'ExportNamedDeclaration') return visitExport(node, search)
  if (node.type === 'ExportAllDeclaration') search.requests.push(...listDeclaredRequests(node))
  return visitRequest(node, search) ?? getChildren(node)
}

function visitMember(node: MemberExpression, search: Search): Visit {
  const besides = partsBesidesPrompts(node.object, search)
  if (besides === undefined && !isAwaited(node.object, search)) return getChildren(node)
  const key = getKey(node.property, node.computed)
  if (key === undefined) return 'computed member'
  if (besides !== undefined) search.used.add(key)
  return besides ?? []
}

function visitDeclarator(node: VariableDeclarator, search: Search): Visit {
  const besides = partsBesidesPrompts(node.init, search)
  if (besides !== undefined) {
    const defaults = destructurePrompts(node.id, search)
    return typeof defaults === 'string' ? defaults : [...defaults, ...besides]
  }
  return isAwaited(node.init, search) ? destructureModule(node.id, search) : getChildren(node)
}

function destructurePrompts(pattern: Pattern, { used }: Search): Visit {
  const properties = getProperties(pattern)
  for (const { key } of properties ?? []) used.add(key)
  return properties?.map(({ value }) => value) ?? 'passed on'
}

function destructureModule(pattern: Pattern, search: Search): Visit {
  const properties = getProperties(pattern)
  if (properties === undefined) return 'passed on'
  const next: AnyNode[] = []
  for (const { key, value } of properties) {
    if (key === 'prompts' && value.type === 'Identifier') search.names.add(value.name)
    else {
      const inner = key === 'prompts' ? destructurePrompts(value, search) : [value]
      if (typeof inner === 'string') return inner
      next.push(...inner)
    }
  }
  return next
}

function visitExport(node: ExportNamedDeclaration, search: Search): Visit {
  if (node.source != null) {
    search.requests.push(...listDeclaredRequests(node))
    return [node.source]
  }
  const declared = node.declaration?.type === 'VariableDeclaration' ? node.declaration : undefined
  const isShared = declared?.declarations.some(({ init }) => isAwaited(init, search))
  return isShared ? 'passed on' : getChildren(node)
}

function visitRequest(node: AnyNode, { id, requests }: Search): UnclearReason | undefined {
  const request = getExpressionRequest(node, id)
  if (request === 'computed import') return request
  if (request !== undefined) requests.push(request)
  return undefined
}

/**
 * The parts of `prompts` or `flag ? staging : prompts` that are not `prompts` themselves; `undefined` for
 * an expression whose value is something else.
 */
function partsBesidesPrompts(node: unknown, search: Search): AnyNode[] | undefined {
  if (isPrompts(node, search)) return []
  if (!isNode(node)) return undefined
  if (node.type === 'ParenthesizedExpression') return partsBesidesPrompts(node.expression, search)
  if (node.type !== 'ConditionalExpression') return undefined
  const { test, consequent, alternate } = node
  const parts = [consequent, alternate].map(
    (branch) => [branch, partsBesidesPrompts(branch, search)] as const,
  )
  if (parts.every(([, besides]) => besides === undefined)) return undefined
  return [test, ...parts.flatMap(([branch, besides]) => besides ?? [branch])]
}

/** Whether a node may refer to `prompts`. */
function isPrompts(node: unknown, search: Search): boolean {
  if (!isNode(node)) return false
  if (node.type !== 'MemberExpression') return search.names.has(getReference(node))
  const isOfModule = isAwaited(node.object, search)
  return isOfModule && getKey(node.property, node.computed) === 'prompts'
}

/** Whether a node is `await import('virtual:prompts')`. */
function isAwaited(node: unknown, search: Search): boolean {
  if (!isNode(node) || node.type !== 'AwaitExpression') return false
  const { argument } = node
  if (argument.type !== 'ImportExpression' || argument.options != null) return false
  const isOfModule = getText(argument.source) === search.id
  search.isImported ||= isOfModule
  return isOfModule
}
