import type { AppPart } from '../../judge/app.ts'
import { isComponentFile } from '../../fs/paths.ts'
import { ts } from '../../judge/compiler.ts'
import { filesOfSymbol, resolveAlias } from '../../judge/module-graph.ts'
import { isName, type Member, memberOf, nodesBelow } from '../../judge/place.ts'
import type { PromptCode } from '../../judge/prompt-code.ts'
import { slugsByName } from '../../codegen/plan-module.ts'
import type { Lock } from '../../core/prompt.ts'
import { SETTINGS } from '../../core/settings.ts'

export interface PromptUse {
  readonly node: ts.Node
  /** `undefined` if it may be any prompt. */
  readonly slug: string | undefined
  /**
   * `name`: the name in `prompts.name`, `prompts['name']` or a destructuring. `call`: a call with values.
   * `slug`: its name as a value or type. `other`: anything else.
   */
  readonly kind: 'name' | 'call' | 'slug' | 'other'
  /** The arguments of `render`; only the values of an adapter. */
  readonly values?: readonly ts.Expression[]
}

interface Search extends PromptCode {
  /** The slugs by the names of prompts in code. */
  readonly slugs: ReadonlyMap<string, string>
}

/**
 * Finds the uses of prompts in a part of an app: all code with the type of a prompt, of the object with all
 * prompts, or of a module that exports them. Where such code has none of the forms that are listed in this
 * file, its use is `other`. So a prompt without such a use reaches no code that is not found.
 */
export function promptUses(part: AppPart, lock: Lock): PromptUse[] {
  const code = part.compile(lock)
  const search = { ...code, slugs: slugsByName(lock) }
  return code.files
    .filter(code.importsPrompts)
    .flatMap((file) => nodesBelow(file))
    .flatMap((node) => useOf(node, search))
}

function useOf(node: ts.Node, search: Search): readonly PromptUse[] {
  if (!ts.isExpression(node) && !ts.isTypeNode(node) && !ts.isQualifiedName(node)) return []
  const isInComponent = isComponentFile(node.getSourceFile().fileName)
  if (!isInComponent && isName(node)) return []
  const type = search.checker.getTypeAtLocation(node)
  const isAll = search.isNamespace(type)
  const module = isAll ? undefined : moduleOf(node, search)
  const isModule = module !== undefined && search.hasPrompts(module)
  const slugs = isAll || isModule ? [undefined] : search.slugsOf(type)
  const isPlain = slugs.length === 1 && !isInComponent
  const uses = isPlain ? usesByParent({ ...search, node, type, isModule, slug: slugs[0] }) : 'other'
  return uses === 'other' ? slugs.map((slug) => ({ node, slug, kind: 'other' })) : uses
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
  return symbol && resolveAlias(symbol, checker)
}

/** An expression or type that is one prompt, a module with prompts, or all prompts. */
interface Reference extends Search {
  readonly node: ts.Node
  readonly type: ts.Type
  readonly isModule: boolean
  readonly slug: string | undefined
}

/** The uses in a form that is listed here; `other` for any other form. */
type Uses = readonly PromptUse[] | 'other'

const HARMLESS: Uses = []

/** The forms, by what stands directly around a reference. */
function usesByParent(reference: Reference): Uses {
  const { parent } = reference.node
  if (ts.isParenthesizedExpression(parent))
    return hasSameType(parent, reference) ? HARMLESS : 'other'
  if (ts.isConditionalExpression(parent)) return inConditional(parent, reference)
  if (ts.isAwaitExpression(parent)) return reference.isModule ? HARMLESS : 'other'
  if (ts.isVariableDeclaration(parent)) return inVariable(parent, reference)
  if (ts.isTypeOperatorNode(parent)) return inTypeOperator(parent, reference)
  if (ts.isCallExpression(parent)) return inAdapter(parent, reference)
  const member = memberOf(reference.node)
  return member === undefined ? 'other' : inMember(member, reference)
}

function hasSameType(other: ts.Node, { type, checker }: Reference): boolean {
  return checker.getTypeAtLocation(other) === type
}

/** `flag ? staging : prompts` is looked at itself. */
function inConditional(parent: ts.ConditionalExpression, reference: Reference): Uses {
  const { node, isModule, slug, checker, isNamespace, slugsOf } = reference
  if (parent.condition === node || isModule) return 'other'
  const type = checker.getTypeAtLocation(parent)
  const isSame = slug === undefined ? isNamespace(type) : slugsOf(type).join() === slug
  return isSame ? HARMLESS : 'other'
}

/** A constant, or a constant pattern without a rest and defaults. */
function inVariable(variable: ts.VariableDeclaration, reference: Reference): Uses {
  const { name, parent, initializer } = variable
  const isConstant = (parent.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const
  if (initializer !== reference.node || !isConstant) return 'other'
  if (!hasSameType(name, reference) || ts.isArrayBindingPattern(name)) return 'other'
  if (ts.isIdentifier(name)) return reference.isModule ? 'other' : HARMLESS
  return name.elements.flatMap((element) => inPattern(element, reference))
}

function inPattern(node: ts.BindingElement, { isModule, slug, slugs }: Reference): PromptUse[] {
  const key = node.propertyName ?? node.name
  const isNamed = !node.dotDotDotToken && (ts.isIdentifier(key) || ts.isStringLiteral(key))
  const isPlain = isNamed && !node.initializer && ts.isIdentifier(node.name)
  if (isPlain && (isModule || (slug !== undefined && FIELDS.has(key.text)))) return []
  const ofName = slug ?? (isNamed && !isModule ? slugs.get(key.text) : undefined)
  if (isPlain && slug === undefined && ofName !== undefined)
    return [{ node: key, slug: ofName, kind: 'name' }]
  return [{ node, slug: ofName, kind: 'other' }]
}

/** Fields that do not depend on the names of variables. */
const FIELDS: ReadonlySet<string> = new Set([...Object.keys(SETTINGS), 'environment'])

function inTypeOperator(parent: ts.TypeOperatorNode, { node, isModule, slug }: Reference): Uses {
  const isKeyOf = parent.operator === ts.SyntaxKind.KeyOfKeyword
  return isKeyOf && !isModule && slug === undefined ? [{ node, slug, kind: 'slug' }] : 'other'
}

/** The call of an adapter, where errors of the compiler are shown. */
function inAdapter(call: ts.CallExpression, reference: Reference): Uses {
  const { node, slug, declarations } = reference
  const [prompt, values = node] = call.arguments
  if (slug === undefined || prompt !== node || hidesErrors(call)) return 'other'
  const { expression: callee } = call
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee
  const adapter = resolvedSymbol(name, reference)
  const isOurs = filesOfSymbol(adapter).some((file) => declarations.includes(file))
  if (!isOurs || !adapter?.name.startsWith('to')) return 'other'
  if (adapter.name === 'toSpanAttributes') return HARMLESS
  // Options of the adapter may follow the values.
  return [{ node: values, slug, kind: 'call', values: call.arguments.slice(1, 2) }]
}

/** The name of a prompt, a field, or a call of `render` where errors of the compiler are shown. */
function inMember(member: Member, { node, type, isModule, slug, slugs }: Reference): Uses {
  if (isModule) return type.getSymbol()?.name === 'Promise' ? 'other' : HARMLESS
  if (slug === undefined) {
    const ofName = slugs.get(member.text)
    return ofName === undefined ? 'other' : [{ node: member, slug: ofName, kind: 'name' }]
  }
  if (member.text === 'slug') return [{ node, slug, kind: 'slug' }]
  if (FIELDS.has(member.text)) return HARMLESS
  const { parent: access } = node
  const { parent: call } = access
  if (!ts.isPropertyAccessExpression(access) || member.text !== 'render') return 'other'
  if (!ts.isCallExpression(call) || call.expression !== access || hidesErrors(call)) return 'other'
  return [{ node: call.arguments[0] ?? node, slug, kind: 'call', values: call.arguments }]
}

/** Whether a comment of its statement, or of the file, suppresses errors at a node. */
function hidesErrors(node: ts.Node): boolean {
  const statement = ts.findAncestor(node, ts.isStatement) ?? node
  const { text } = node.getSourceFile()
  return /@ts-(?:ignore|expect-error)/.test(statement.getFullText()) || text.includes('@ts-nocheck')
}
