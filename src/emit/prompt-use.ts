import { mayRequest } from './may-request.ts'
import type { ParseModule } from './parse-module.ts'
import { isNode, keyOf, nameOf, type SyntaxNode, textOf } from './syntax-node.ts'

/** The names that a module reads from `prompts`, or `all` where that can't be told for certain. */
export type PromptUse = ReadonlySet<string> | 'all'

/** What is to be known of a module beside its code. */
export interface UseRequest {
  /** What prompts are imported from. */
  readonly id: string
  /** Tried in order. */
  readonly parsers: readonly ParseModule[]
  /** Expressions that the bundler may still put into the module: the values of its `define`. */
  readonly replacements?: readonly string[]
}

/**
 * Tells what a module uses of the prompts that it imports from `id` (DESIGN section 6, emission by
 * use). Every use must be a member with a fixed name or a destructuring with fixed names; anything
 * else means `all`, and so does a code that no parser takes. Scopes are not looked at: a variable
 * that shadows the import only adds to what is found.
 */
export function promptUse(code: string, request: UseRequest): PromptUse {
  const { id, parsers, replacements = [] } = request
  for (const parse of parsers) {
    const program = attempt(parse, code)
    if (program === undefined) continue
    const replaced = replacements.map((expression) => attempt(parse, `(${expression})`))
    return useIn([program, ...replaced], id)
  }
  return 'all'
}

type Program = SyntaxNode & { readonly body: readonly SyntaxNode[] }

function attempt(parse: ParseModule, code: string): Program | undefined {
  try {
    return parse(code) as Program
  } catch {
    return undefined
  }
}

function useIn(programs: readonly (Program | undefined)[], id: string): PromptUse {
  if (!programs.every((program) => program !== undefined)) return 'all'
  const body = programs.flatMap((program) => program.body)
  const [imports, rest] = [body.filter(isImport), body.filter((node) => !isImport(node))]
  const own = imports.filter(({ source }) => textOf(source) === id)
  const locals = own.map(localNames)
  if (own.length === 0 || locals.includes('unclear')) return 'all'
  const names = new Set(locals.flat())
  const used = new Set<string>()
  return rest.every((node) => collect(node, { id, names, used })) ? used : 'all'
}

/** An import names what another module calls its exports: no reference is in it. */
function isImport({ type }: SyntaxNode): boolean {
  return type === 'ImportDeclaration'
}

/** What an import calls `prompts`; its other imports are of no matter here. */
function localNames({ specifiers }: SyntaxNode): unknown[] | 'unclear' {
  const names: unknown[] = []
  for (const { type, imported, local } of specifiers as SyntaxNode[]) {
    if (type !== 'ImportSpecifier') return 'unclear'
    if (nameOf(imported) === 'prompts') names.push(nameOf(local))
  }
  return names
}

interface Search {
  readonly id: string
  readonly names: ReadonlySet<unknown>
  readonly used: Set<string>
}

/** Collects the names that are read below a node; `false` at the first use that is unclear. */
function collect(root: SyntaxNode, search: Search): boolean {
  const open: SyntaxNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isReference(node, search) || isMention(node, search.id)) return false
    const read = fixedRead(node, search)
    for (const name of read?.names ?? []) search.used.add(name)
    for (const child of read?.rest ?? childrenOf(node)) open.push(child)
  }
  return true
}

/** A use of the binding whose names are all fixed, and what is still to be searched in it. */
interface FixedRead {
  readonly names: readonly string[]
  readonly rest: readonly SyntaxNode[]
}

function fixedRead(node: SyntaxNode, search: Search): FixedRead | undefined {
  if (node.type === 'MemberExpression' && isReference(node.object, search)) {
    const name = keyOf(node.property, node.computed)
    return name === undefined ? undefined : { names: [name], rest: [] }
  }
  if (node.type === 'VariableDeclarator' && isReference(node.init, search)) {
    return destructuring(node.id)
  }
  return undefined
}

function destructuring(pattern: unknown): FixedRead | undefined {
  if (!isNode(pattern) || pattern.type !== 'ObjectPattern') return undefined
  const properties = pattern.properties as SyntaxNode[]
  // A rest has no key, so it has no name either.
  const names = properties.map(({ key, computed }) => keyOf(key, computed))
  if (!names.every((name) => name !== undefined)) return undefined
  return { names, rest: properties.map(({ value }) => value as SyntaxNode) }
}

/** Whether a node may stand for the binding. `eval` sees every binding, so it counts too. */
function isReference(node: unknown, { names }: Search): boolean {
  if (!isNode(node)) return false
  const named = node.type === 'Identifier' || node.type === 'JSXIdentifier'
  return named && (names.has(nameOf(node)) || (names.size > 0 && node.name === 'eval'))
}

/** A mention of the module, in whatever form: an `import()`, a `require`, a re-export. */
function isMention(node: SyntaxNode, id: string): boolean {
  return textOf(node) === id || mayRequest(node, id)
}

/** The fields that hold TypeScript's types, which are gone before anything runs. */
const ERASED_FIELDS = new Set(['typeAnnotation', 'typeParameters', 'typeArguments'])

/** Names of members and keys are no references. */
const NAMES_ONLY: Readonly<Record<string, string>> = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
}

function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  const name = node.computed === true ? undefined : NAMES_ONLY[node.type]
  for (const [field, value] of Object.entries(node)) {
    if (field === name || ERASED_FIELDS.has(field)) continue
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield child
    }
  }
}

/** What several modules use together. */
export function mergeUses(uses: readonly PromptUse[]): PromptUse {
  const names = new Set<string>()
  for (const use of uses) {
    if (use === 'all') return 'all'
    for (const name of use) names.add(name)
  }
  return names
}
