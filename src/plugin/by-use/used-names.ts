/**
 * The uses of prompts in one module. Each must be a member or a destructuring with fixed names:
 * `prompts.a`, `const { a } = flag ? staging : prompts`, also of an awaited `import()`. With any other
 * use the module needs all prompts. Scopes are ignored: the declaration of a variable that shadows the import is
 * such a use.
 */
import type { AnyNode, ImportDeclaration, Pattern, Program } from 'acorn'
import type { ParseModule } from '../../codegen/assert-only-data.ts'
import { type ModuleRequest, requestOf } from './module-requests.ts'
import {
  getKey,
  getName,
  getProperties,
  getReference,
  getText,
  listPlaces,
  type Place,
} from './syntax-node.ts'

/** The names that a module reads from `prompts`, or `all` if that is not certain. */
export type UsedNames = ReadonlySet<string> | 'all'

export interface UseAnalysis {
  /** What the module may read. */
  readonly use: UsedNames
  /** What it certainly reads, also beside a computed name. */
  readonly names: ReadonlySet<string>
  /** If one of these also resolves to the prompts, by an alias or a plugin, the use is not certain. */
  readonly requests: readonly ModuleRequest[]
  /** Why the use is not certain. */
  readonly unclear?: UnclearUse | undefined
}

interface UnclearUse {
  readonly reason: UnclearReason | 'code not available' | 'not parsed' | 'second specifier'
  /** Line and column in the code, or the second specifier. */
  readonly at?: string | undefined
}

type UnclearReason =
  | 'no direct import'
  | 'namespace import'
  | 'module mentioned'
  | 'computed import'
  | 'computed member'
  | 'passed on'
  | 'eval'

/** The analysis of a module that may read any name. */
export function anyUse(
  unclear: UnclearUse,
  { names, requests }: Pick<UseAnalysis, 'names' | 'requests'> = { names: new Set(), requests: [] },
): UseAnalysis {
  return { use: 'all', names, requests, unclear }
}

/** The module of prompts whose uses are searched. */
export interface UsedModule {
  /** Its specifier. */
  readonly id: string
  /** `entry` if it exports `prompts`, `all` if it exports each prompt. */
  readonly kind: 'entry' | 'all'
}

interface UseRequest extends UsedModule {
  /** Tried in order. */
  readonly parsers: readonly ParseModule[]
  /** Expressions that the bundler may insert later: the values of `define`. */
  readonly replacements?: readonly string[]
}

interface Search extends UsedModule {
  /** The local names of `prompts`, or of the module with all of them. */
  readonly locals: Set<string>
  /** The nodes in patterns that declare such a name. */
  readonly declarations: Set<AnyNode>
  /** What the module imports from others. */
  readonly others: Set<string>
  readonly names: Set<string>
  readonly requests: ModuleRequest[]
  /** Whether the module imports the prompts directly. */
  isImported: boolean
}

/** Finds the prompts that a module uses. The result is `all` if no parser accepts its code. */
export function findUsedNames(
  code: string,
  { parsers, replacements = [], ...module }: UseRequest,
): UseAnalysis {
  const program = parseFirst(code, parsers)
  const inserted = replacements.map((expression) => parseFirst(`(${expression})`, parsers))
  if (program === undefined || !inserted.every((expression) => expression !== undefined))
    return anyUse({ reason: 'not parsed' })
  const names = new Set<string>()
  const requests: ModuleRequest[] = []
  const unclear = findUnclear(program, inserted, {
    ...module,
    names,
    requests,
    locals: new Set(),
    declarations: new Set(),
    others: new Set(),
    isImported: false,
  })
  if (unclear === undefined) return { use: names, names, requests }
  const { reason, node } = unclear
  const at = node && positionAt(node.start, code)
  // What is passed on may be another variable with the name of the import.
  return anyUse(
    { reason, at },
    { names: reason === 'computed member' ? names : new Set(), requests },
  )
}

/** Parses code by the first parser that accepts it. */
function parseFirst(code: string, parsers: readonly ParseModule[]): Program | undefined {
  for (const parse of parsers) {
    try {
      return parse(code) as Program
    } catch {
      // The next one may accept it.
    }
  }
  return undefined
}

/** The line and column of an offset in code: `6:12`. */
export function positionAt(offset: number, code: string): string {
  const lines = code.slice(0, offset).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

/**
 * Searches a module and the expressions that the bundler may insert.
 *
 * @returns the first use whose names are unknown; its node is absent if the module's own code does not contain it
 */
function findUnclear(
  { body }: Program,
  inserted: readonly Program[],
  search: Search,
): { readonly reason: UnclearReason; readonly node?: AnyNode } | undefined {
  for (const node of body)
    if (node.type === 'ImportDeclaration' && !addImport(node, search))
      return { reason: 'namespace import', node }
  const own = listPlaces(body.filter(({ type }) => type !== 'ImportDeclaration'))
  const places = [...own, ...listPlaces(inserted)]
  let computed: ReturnType<typeof findUnclear>
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
    visitRequestOf(node, search)
    for (const { local } of node.specifiers) search.others.add(local.name)
    return true
  }
  search.isImported = true
  const { kind, locals, names } = search
  for (const { type, local, ...specifier } of node.specifiers) {
    const imported = 'imported' in specifier ? String(getName(specifier.imported)) : 'default'
    if (kind === 'all' && type !== 'ImportNamespaceSpecifier') names.add(imported)
    else if (kind === 'all' || imported === 'prompts') locals.add(local.name)
    else if (type !== 'ImportSpecifier') return false
  }
  return true
}

type Visit = UnclearReason | undefined

/** Handles a node that requests a module. */
function visitRequest(place: Place, search: Search): Visit {
  const { node, parent } = place
  const { id } = search
  if (getText(node) === id) return isImportOf(parent, id) ? undefined : 'module mentioned'
  if (isImportOf(place, id)) {
    const isAwaited = parent?.node.type === 'AwaitExpression'
    const parameters = getThenParameters(parent)
    search.isImported ||= isAwaited || parameters !== undefined
    if (isAwaited) return visitModule(parent, search)
    const [pattern] = parameters ?? []
    if (parameters !== undefined) return pattern && useModule(pattern, search)
  }
  return visitRequestOf(node, search)
}

/** Handles a request for another module. */
function visitRequestOf(node: AnyNode, { id, kind, requests }: Search): Visit {
  const request = requestOf(node, id, kind)
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
    if (value.type === 'Identifier' && !search.others.has(value.name)) {
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
  // `prompts.hasOwnProperty(name)` asks for any prompt, and `prompts.valueOf()` returns all.
  if (key in Object.prototype) return 'passed on'
  search.names.add(key)
  return undefined
}

/** Handles what `prompts` is destructured to. */
function usePattern(pattern: Pattern, { names }: Search): Visit {
  const keys = getProperties(pattern)
  if (keys === undefined) return 'passed on'
  for (const { key } of keys) names.add(key)
  return undefined
}
