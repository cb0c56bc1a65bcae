import type { AppPart } from '../../analysis/app/app.ts'
import { isComponent } from '../../analysis/app/components.ts'
import { ts } from '../../analysis/app/compiler.ts'
import { filesOfSymbol } from '../../analysis/app/module-graph.ts'
import type { PromptCode } from '../../analysis/app/prompt-code.ts'
import { createImportFilter, createModuleFilter } from '../../analysis/app/prompt-modules.ts'
import { slugsByName } from '../../codegen/plan-module.ts'
import type { Lock } from '../../core/prompt.ts'

/** A use of a prompt. */
export interface PromptUse {
  readonly node: ts.Node
  /** `undefined` if it may be any prompt. */
  readonly slug: string | undefined
  /**
   * `name`: the name in `prompts.name`, `prompts['name']` or a destructuring. `call`: a call with values.
   * `slug`: its name as a value or type. `other`: anything else.
   */
  readonly kind: 'name' | 'call' | 'slug' | 'other'
  /** The arguments of a call, from the values on. */
  readonly values?: readonly ts.Expression[]
}

interface Search extends PromptCode {
  /** The slugs by the names of prompts in code. */
  readonly slugs: ReadonlyMap<string, string>
  /** Whether a module gives access to prompts. */
  readonly hasPrompts: (module: ts.Symbol) => boolean
}

/**
 * Finds the uses of prompts in a part of an app: all code with the type of a prompt, of the object with all
 * prompts, or of a module that exports them. Where such code has none of the forms that are listed in this
 * file, its use is `other`. So a prompt without such a use reaches no code that is not found.
 */
export function promptUses(part: AppPart, lock: Lock): PromptUse[] {
  const code = part.compile(lock)
  const hasPrompts = createModuleFilter(code)
  const search = { ...code, slugs: slugsByName(lock), hasPrompts }
  return code.files
    .filter(createImportFilter(code, hasPrompts))
    .flatMap((file) => usesBelow(file, search))
}

function usesBelow(node: ts.Node, search: Search): PromptUse[] {
  const uses = useOf(node, search)
  ts.forEachChild(node, (child) => void uses.push(...usesBelow(child, search)))
  return uses
}

function useOf(node: ts.Node, search: Search): PromptUse[] {
  if (!ts.isExpression(node) && !ts.isTypeNode(node) && !ts.isQualifiedName(node)) return []
  const isInComponent = isComponent(node.getSourceFile().fileName)
  if (!isInComponent && isName(node)) return []
  const type = search.checker.getTypeAtLocation(node)
  const isAll = search.types.isNamespace(type)
  const module = isAll ? undefined : moduleOf(node, search)
  const isModule = module !== undefined && search.hasPrompts(module)
  const slugs = isAll || isModule ? [undefined] : search.types.slugsOf(type)
  const isPlain = slugs.length === 1 && !isInComponent
  const uses = isPlain ? listedUses({ node, type, isModule, slug: slugs[0] }, search) : undefined
  return uses ?? slugs.map((slug) => ({ node, slug, kind: 'other' }))
}

/** Whether a node is a part of a name, which is not a use by itself: `x` in `a.x` and in `const x`. */
function isName(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return false
  if (ts.isQualifiedName(parent)) return parent.right === node
  const keys = ['name', 'propertyName', 'exprName', 'typeName'] as const
  return keys.some((key) => (parent as Partial<Record<typeof key, unknown>>)[key] === node)
}

/** The module that an expression or type is. */
function moduleOf(node: ts.Node, search: Search): ts.Symbol | undefined {
  if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node))
    return moduleOf(node.expression, search)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && !node.qualifier)
    return resolvedSymbol(node.argument.literal, search)
  const place = ts.isCallExpression(node) ? node.arguments[0] : node
  if (place === undefined || ts.isStringLiteral(node)) return undefined
  const symbol = resolvedSymbol(place, search)
  return symbol && symbol.flags & ts.SymbolFlags.ValueModule ? symbol : undefined
}

function resolvedSymbol(node: ts.Node, { checker }: Search): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(node)
  const isAlias = symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol
}

/** An expression or type that is one prompt, a module with prompts, or all prompts. */
interface Reference {
  readonly node: ts.Node
  readonly type: ts.Type
  readonly isModule: boolean
  readonly slug: string | undefined
}

/** Fields that do not depend on the names of variables. */
const FIELDS = new Set(['folder', 'model', 'temperature', 'version', 'environment'])

/** The uses in the listed forms; `undefined` for any other form. */
function listedUses(reference: Reference, search: Search): PromptUse[] | undefined {
  const { node, type, isModule, slug } = reference
  const { parent } = node
  const hasType = (other: ts.Node): boolean => search.checker.getTypeAtLocation(other) === type
  if (ts.isParenthesizedExpression(parent)) return hasType(parent) ? [] : undefined
  // `flag ? staging : prompts` is looked at itself.
  if (ts.isConditionalExpression(parent) && parent.condition !== node)
    return isSameReference(reference, parent, search) ? [] : undefined
  if (isModule && ts.isAwaitExpression(parent)) return []
  if (ts.isVariableDeclaration(parent) && parent.initializer === node)
    return isConstant(parent) && hasType(parent.name)
      ? boundUses(parent.name, reference, search)
      : undefined
  const member = memberOf(node)
  if (isModule) return member && type.getSymbol()?.name !== 'Promise' ? [] : undefined
  if (slug === undefined) {
    const ofName = member && search.slugs.get(member.text)
    if (member && ofName !== undefined) return [{ node: member, slug: ofName, kind: 'name' }]
    const isKeyOf = ts.isTypeOperatorNode(parent) && parent.operator === ts.SyntaxKind.KeyOfKeyword
    return isKeyOf ? [{ node, slug, kind: 'slug' }] : undefined
  }
  if (member?.text === 'slug') return [{ node, slug, kind: 'slug' }]
  return member && FIELDS.has(member.text) ? [] : callUses(node, slug, search)
}

function isSameReference({ slug, isModule }: Reference, other: ts.Node, search: Search): boolean {
  if (isModule) return false
  const type = search.checker.getTypeAtLocation(other)
  if (slug === undefined) return search.types.isNamespace(type)
  return search.types.slugsOf(type).join() === slug
}

function isConstant({ parent }: ts.VariableDeclaration): boolean {
  return (parent.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const
}

/** The name in `node.name` and `node['name']`. */
function memberOf(node: ts.Node): (ts.Node & { readonly text: string }) | undefined {
  const { parent } = node
  if (ts.isQualifiedName(parent)) return parent.right
  if (ts.isPropertyAccessExpression(parent)) return parent.name
  if (!ts.isElementAccessExpression(parent) || parent.expression !== node) return undefined
  return ts.isStringLiteralLike(parent.argumentExpression) ? parent.argumentExpression : undefined
}

/** The uses in what a constant is called: a name, or a pattern without a rest and defaults. */
function boundUses(
  name: ts.BindingName,
  { isModule, slug }: Reference,
  { slugs }: Search,
): PromptUse[] | undefined {
  if (ts.isIdentifier(name)) return isModule ? undefined : []
  if (ts.isArrayBindingPattern(name)) return undefined
  return name.elements.flatMap((node): PromptUse[] => {
    const key = node.propertyName ?? node.name
    const isNamed = !node.dotDotDotToken && (ts.isIdentifier(key) || ts.isStringLiteral(key))
    const isPlain = isNamed && !node.initializer && ts.isIdentifier(node.name)
    if (isPlain && (isModule || (slug !== undefined && FIELDS.has(key.text)))) return []
    const ofName = slug ?? (isNamed && !isModule ? slugs.get(key.text) : undefined)
    return isPlain && slug === undefined && ofName !== undefined
      ? [{ node: key, slug: ofName, kind: 'name' }]
      : [{ node, slug: ofName, kind: 'other' }]
  })
}

/** A call of a prompt, by `render` or by an adapter, where errors of the compiler are shown. */
function callUses(node: ts.Node, slug: string, search: Search): PromptUse[] | undefined {
  const { parent } = node
  const isRender = ts.isPropertyAccessExpression(parent) && parent.name.text === 'render'
  const call = isRender ? parent.parent : parent
  if (!ts.isCallExpression(call) || hidesErrors(call)) return undefined
  if (isRender)
    return call.expression === parent
      ? [{ node: call.arguments[0] ?? node, slug, kind: 'call', values: call.arguments }]
      : undefined
  const [prompt, ...values] = call.arguments
  const { expression: callee } = call
  const adapter = resolvedSymbol(
    ts.isPropertyAccessExpression(callee) ? callee.name : callee,
    search,
  )
  const isOurs = filesOfSymbol(adapter).some((file) => search.declarations.includes(file))
  if (prompt !== node || !isOurs || !adapter?.name.startsWith('to')) return undefined
  if (adapter.name === 'toSpanAttributes') return []
  return [{ node: values[0] ?? node, slug, kind: 'call', values }]
}

/** Whether a comment of its statement, or of the file, suppresses errors at a node. */
function hidesErrors(node: ts.Node): boolean {
  const statement = ts.findAncestor(node, ts.isStatement) ?? node
  const { text } = node.getSourceFile()
  return /@ts-(?:ignore|expect-error)/.test(statement.getFullText()) || text.includes('@ts-nocheck')
}
