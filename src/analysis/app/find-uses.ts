/**
 * The uses of prompts in an app: those that the compiler sees with their types, and the others: imports
 * that it does not resolve, assertions, keys, values and parameters of type `any`, and markup. That it
 * reports no error for the others proves nothing.
 */
import { dirname, join } from 'node:path'
import type { Certainty, Place } from '../../core/impact.ts'
import { findText } from '../../fs/git.ts'
import { isCode, isDocument, toForwardSlashes } from '../../fs/paths.ts'
import {
  type CodeEdits,
  isName,
  memberOf,
  nodeAt,
  nodesBelow,
  oldPlaceAt,
  pathFrom,
  placeAt,
  sortPlaces,
} from './place.ts'
import { ts } from './compiler.ts'
import { isComponent, markupExpressions } from './components.ts'
import { filesOfSymbol, specifiersOf } from './module-graph.ts'
import type { PromptCode } from './prompt-code.ts'

interface FileUsage {
  readonly file: ts.SourceFile
  readonly uses: readonly PromptUse[]
}

interface PromptUse {
  readonly node: ts.Node
  /** Several if the type is a union; none where all prompts are passed on, so that any may be used. */
  readonly slugs: readonly string[]
  readonly kind: Certainty
  readonly variables?: UnprovenUse['variables']
}

/** A use that the compiler does not see with its types. */
export interface UnprovenUse extends Place {
  /** The prompts that it names. Without any, it may use each. */
  readonly slugs: readonly string[]
  /** The names of the variables if only these are unproven; `undefined` for one whose name no code shows. */
  readonly variables?: readonly (string | undefined)[] | undefined
}

/** What a part of the app knows of uses. */
export interface PartUses {
  /** Those that the compiler sees, in the files that import prompts. */
  readonly usages: readonly FileUsage[]
  readonly uses: readonly UnprovenUse[]
  /** Imports without types, with the end of the path that they mean, or the name of the module. */
  readonly imports: readonly { readonly use: UnprovenUse; readonly path: string }[]
  /** The module, and the files that export prompts, as paths without extension. */
  readonly exporters: readonly string[]
}

/** The uses of an app: an import that does not resolve may mean a file of another part. */
export function joinUses(
  unknown: readonly UnprovenUse[],
  parts: readonly PartUses[],
): UnprovenUse[] {
  const exporters = parts.flatMap((part) => part.exporters)
  const imports = parts
    .flatMap((part) => part.imports)
    .filter(({ path }) => exporters.some((exporter) => exporter.endsWith(path)))
  const uses = parts.flatMap((part) => part.uses)
  return sortPlaces([...unknown, ...uses, ...imports.map(({ use }) => use)])
}

/**
 * Finds imports in files that the analysis can't compile, such as those of other frameworks. Documents and
 * golden files have none.
 */
export async function unknownImports(
  folder: string,
  moduleId: string,
  root: string,
): Promise<UnprovenUse[]> {
  const pattern = `(from|import|require) *\\(? *["']${moduleId}["'/]`
  const places = (await findText(folder, pattern)) ?? []
  return places
    .filter(({ path }) => !isCode(path) && !isDocument(path))
    .map(({ path, ...place }) => ({ ...place, file: pathFrom(root, path), slugs: [] }))
}

interface Search extends PromptCode {
  /** Places are relative to it. */
  readonly root: string
  /** The edits in the code. Places are those of the old code. */
  readonly edits: CodeEdits
  /** The slugs by the names of prompts in code. */
  readonly slugs: ReadonlyMap<string, string>
}

export function partUses(search: Search): PartUses {
  const usages = usesIn(search)
  const { checker, declarations, moduleId, ownFiles } = search
  const files = usages.map(({ file }) => file)
  const exporters = [...declarations, ...files].filter((file) => {
    const module = checker.getSymbolAtLocation(file)
    return module && checker.getExportsOfModule(module).some((member) => isPrompts(member, search))
  })
  return {
    usages,
    uses: [
      ...usages.flatMap((usage) => untypedUses(usage, search)),
      ...files.flatMap((file) => usesInMarkup(file, search)),
    ],
    imports: ownFiles.flatMap((file) =>
      [...specifiersOf(file), ...loadedNames(file, moduleId)].flatMap((node) => {
        // Imports that TypeScript adds, such as that of `react/jsx-runtime`, have no position.
        const isWritten = node.pos >= 0 && !hasTypes(node, search)
        const path = isWritten ? meaningOf(node.text, file, moduleId) : undefined
        if (path === undefined) return []
        return { use: { ...oldPlaceAt(file, node.getStart(file), search), slugs: [] }, path }
      }),
    ),
    exporters: [moduleId, ...exporters.map(({ fileName }) => withoutExtension(fileName))],
  }
}

/** The uses of prompts in the files of a part that import them. */
function usesIn(code: PromptCode): FileUsage[] {
  return code.files.filter(code.importsPrompts).map((file) => collectUsage(file, code))
}

/** Finds the nodes of a file that have the type of a prompt. */
function collectUsage(file: ts.SourceFile, code: PromptCode): FileUsage {
  const { checker, slugsOf } = code
  const uses: PromptUse[] = []
  for (const node of nodesBelow(file)) {
    const isAny = isDynamic(node, code)
    const slugs = isUse(node) && !isAny ? slugsOf(checker.getTypeAtLocation(node)) : []
    const isPrompt = isAny || slugs.length > 0
    if (!isPrompt && !isEscape(node, code)) continue
    const isUntypedPrompt =
      isMadeUntyped(node, checker) || (isAny && isUntyped(checker.getTypeAtLocation(node)))
    const variables = isPrompt && !isUntypedPrompt ? untypedVariables(node, code) : undefined
    const kind = variables || isUntypedPrompt ? 'unproven' : 'compile'
    uses.push({ node: slugs.length > 0 ? placeOf(node) : node, slugs, kind, variables })
  }
  return { file, uses }
}

/** Whether a node is a use: not an import and not the name of a declaration. */
function isUse(node: ts.Node): boolean {
  if (ts.isTypeQueryNode(node) || ts.isIndexedAccessTypeNode(node)) return true
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return true
  if (!ts.isIdentifier(node)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isBindingElement(parent))
    return parent.name === node && ts.isObjectBindingPattern(parent.parent)
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false
  if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false
  return ts.isShorthandPropertyAssignment(parent) || !('name' in parent && parent.name === node)
}

/** Returns the node to report: the name, not the object before it. */
function placeOf(node: ts.Node): ts.Node {
  if (ts.isPropertyAccessExpression(node)) return node.name
  return ts.isElementAccessExpression(node) ? node.argumentExpression : node
}

/** Whether a node is `prompts[key]` with a key that types do not determine. */
function isDynamic(node: ts.Node, { checker, isNamespace, nameCount }: PromptCode): boolean {
  if (!ts.isElementAccessExpression(node)) return false
  if (!isNamespace(checker.getTypeAtLocation(node.expression))) return false
  const key = checker.getTypeAtLocation(node.argumentExpression)
  const parts = key.isUnion() ? key.types : [key]
  // `keyof Prompts` includes all names, so it determines as little as `string`.
  const isAnyName = nameCount > 1 && parts.length >= nameCount
  return isAnyName || !parts.every((part) => part.isStringLiteral() || part.isNumberLiteral())
}

/** Whether the object with all prompts is at a node, and any of them may be used by what becomes of it. */
function isEscape(node: ts.Node, code: PromptCode): boolean {
  const isAll = (other: ts.Node): boolean => code.isNamespace(code.checker.getTypeAtLocation(other))
  // `Prompts[Key]`, and the rest of a pattern.
  if (ts.isIndexedAccessTypeNode(node)) return isAll(node.objectType)
  if (ts.isBindingElement(node)) return node.dotDotDotToken !== undefined && isAll(node.parent)
  const isReference = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
  return isReference && isAll(node) && losesType(node, code)
}

/** Whether the object with all prompts is iterated, spread, made untyped, or used as another type. */
function losesType(node: ts.Node, { checker, isNamespace }: PromptCode): boolean {
  const { parent } = outermost(node)
  if (isMadeUntyped(node, checker)) return true
  if (ts.isForInStatement(parent) || ts.isSpreadAssignment(parent)) return true
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return false
  const isInitializer = ts.isVariableDeclaration(parent) || ts.isParameter(parent)
  if (isInitializer && parent.type === undefined) return false
  const target = ts.isExpression(node) ? checker.getContextualType(node) : undefined
  return target !== undefined && !isNamespace(target)
}

/** The expression that a node may be the value of: `flag ? staging : prompts`, in parentheses or not. */
function outermost(node: ts.Node): ts.Node {
  const { parent } = node
  const isBranch = ts.isConditionalExpression(parent) && parent.condition !== node
  return isBranch || ts.isParenthesizedExpression(parent) ? outermost(parent) : node
}

/** Whether an assertion gives a value the type `any`, also in a comment in JavaScript. */
function isMadeUntyped({ parent }: ts.Node, checker: ts.TypeChecker): boolean {
  const isParenthesized = ts.isParenthesizedExpression(parent)
  if (isParenthesized && ts.getJSDocType(parent) === undefined)
    return isMadeUntyped(parent, checker)
  const isAssertion =
    isParenthesized || ts.isAsExpression(parent) || ts.isTypeAssertionExpression(parent)
  return isAssertion && isUntyped(checker.getTypeAtLocation(parent))
}

/** The variables of a call of which no type shows whether they fit; `undefined` if types show it. */
function untypedVariables(
  prompt: ts.Node,
  { checker, graph }: PromptCode,
): UnprovenUse['variables'] {
  const { parent } = prompt
  const index = ts.isCallExpression(parent) ? parent.arguments.findIndex((at) => at === prompt) : -1
  const call = ts.isCallExpression(parent) && index >= 0 ? parent : undefined
  const values = call ? call.arguments[index + 1] : renderCall(prompt)?.arguments[0]
  if (values && isUntyped(checker.getTypeAtLocation(values))) return UNKNOWN
  const callee = call && checker.getResolvedSignature(call)
  const parameter = callee?.getParameters()[index]
  if (!parameter || !isUntyped(checker.getTypeOfSymbol(parameter))) return undefined
  const isOfApp = filesOfSymbol(parameter).some((file) => graph.files.includes(file))
  return isOfApp ? (propertyNames(values) ?? UNKNOWN) : undefined
}

/** The variables of values without a literal. */
const UNKNOWN: readonly undefined[] = [undefined]

/** Whether a type is `any`, `unknown`, or has only such properties. */
function isUntyped(type: ts.Type): boolean {
  const values = type.getStringIndexType()
  if (values !== undefined) return isUntyped(values)
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0
}

/** Whether a member of a module is one prompt, or the object with all of them. */
function isPrompts(member: ts.Symbol, { checker, isNamespace, isPrompt }: Search): boolean {
  const type = checker.getTypeOfSymbol(member)
  return isNamespace(type) || isPrompt(type)
}

/**
 * The strings of a file that calls load as modules, besides imports:
 * `createRequire(url)('virtual:prompts')`.
 */
function loadedNames(file: ts.SourceFile, moduleId: string): ts.StringLiteralLike[] {
  const names = `${moduleId}(?:/[^"']*)?|(?<=\\brequire\\(.)[.#~@$][^"']*`
  const matches = file.text.matchAll(new RegExp(`(["'])(?:${names})\\1`, 'g'))
  return [...matches].flatMap(({ index }) => {
    const node = nodeAt(file, index)
    return ts.isStringLiteralLike(node) && isLoaded(node, file) ? [node] : []
  })
}

function isLoaded({ parent }: ts.StringLiteralLike, { text }: ts.SourceFile): boolean {
  if (ts.isVariableDeclaration(parent)) return text.includes(`import(${parent.name.getText()})`)
  if (!ts.isCallExpression(parent)) return false
  const callee = parent.expression.getText()
  const isLoader = /^require$|(?:import|require)Actual$|createRequire\(/.test(callee)
  return isLoader || text.includes(`${callee} = createRequire(`)
}

/** Whether the import of a module gives it its types. */
function hasTypes(
  name: ts.StringLiteralLike,
  { checker, declarations, moduleId }: Search,
): boolean {
  const symbol = checker.getSymbolAtLocation(name)
  const isKnown = isModule(name.text, moduleId)
    ? filesOfSymbol(symbol).some((file) => declarations.includes(file))
    : symbol !== undefined
  if (isKnown || !ts.isCallExpression(name.parent)) return isKnown
  const type = checker.getTypeAtLocation(name.parent)
  return !isUntyped(checker.getAwaitedType(type) ?? type)
}

function isModule(specifier: string, moduleId: string): boolean {
  return specifier === moduleId || specifier.startsWith(`${moduleId}/`)
}

/**
 * The module, or the end of the path of the app's own file, that an import means; `undefined` for
 * packages.
 */
function meaningOf(
  specifier: string,
  { fileName }: ts.SourceFile,
  moduleId: string,
): string | undefined {
  if (isModule(specifier, moduleId)) return moduleId
  if (specifier.startsWith('.'))
    return withoutExtension(toForwardSlashes(join(dirname(fileName), specifier)))
  const [, path] = /^(?:[#$~@][^/]*\/|[#$~@])(.+)$/.exec(specifier) ?? []
  return path && withoutExtension(`/${path}`)
}

function withoutExtension(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
}

function untypedUses({ file, uses }: FileUsage, search: Search): UnprovenUse[] {
  return uses
    .filter(({ kind }) => kind === 'unproven')
    .map(({ node, slugs, variables }) => ({
      ...oldPlaceAt(file, node.getStart(file), search),
      // `prompts[key]` has the type of the prompts that are left. For others, the compiler reports the key.
      slugs: slugs.length > 0 ? slugs : search.slugsOf(search.checker.getTypeAtLocation(node)),
      variables,
    }))
}

function usesInMarkup(file: ts.SourceFile, search: Search): UnprovenUse[] {
  const { fileName } = file
  if (!isComponent(fileName)) return []
  const { checker, edits, root } = search
  // No edit changes markup.
  const source = edits.get(fileName)?.[0]?.source ?? file
  const scope = checker.getSymbolsInScope(file, ts.SymbolFlags.Value | ts.SymbolFlags.Alias)
  // In Vue, also what an object of the script brings: `setup() { return { reply: prompts.reply } }`.
  const members = nodesBelow(file).flatMap((node) =>
    ts.isObjectLiteralElement(node) && node.name
      ? (checker.getSymbolAtLocation(node.name) ?? [])
      : [],
  )
  const symbols = new Map([...members, ...scope].map((symbol) => [symbol.name, symbol]))
  return markupExpressions(fileName).flatMap(({ code, start }) =>
    nodesBelow(code).flatMap((node) => {
      const symbol = ts.isIdentifier(node) && !isName(node) ? symbols.get(node.text) : undefined
      const use = symbol && useOf(node, checker.getTypeOfSymbolAtLocation(symbol, file), search)
      return use ? [{ ...placeAt(source, start + node.getStart(), root), ...use }] : []
    }),
  )
}

/** The use of a value: a prompt, the object with all of them, or what leads to prompts. */
function useOf(
  node: ts.Node,
  type: ts.Type,
  search: Search,
): Omit<UnprovenUse, keyof Place> | undefined {
  const slugs = search.slugsOf(type)
  if (slugs.length > 0) return { slugs, variables: renderedVariables(node) }
  const member = memberOf(node)?.text ?? ''
  if (search.isNamespace(type)) {
    const slug = search.slugs.get(member)
    return slug === undefined
      ? { slugs: [] }
      : { slugs: [slug], variables: renderedVariables(node.parent) }
  }
  const property = type.getProperty(member)
  if (property) return useOf(node.parent, search.checker.getTypeOfSymbol(property), search)
  const behind = search.slugsBehind(type)
  return behind && { slugs: behind }
}

/** The properties of the literal in `prompt.render({ … })`; `undefined` for any other use. */
function renderedVariables(prompt: ts.Node): UnprovenUse['variables'] {
  const call = renderCall(prompt)
  if (call === undefined) return undefined
  const [values] = call.arguments
  return values === undefined ? [] : propertyNames(values)
}

function propertyNames(values: ts.Expression | undefined): (string | undefined)[] | undefined {
  return values && ts.isObjectLiteralExpression(values)
    ? values.properties.map(({ name }) => name?.getText().replace(/^(["'])(.*)\1$/, '$2'))
    : undefined
}

function renderCall(prompt: ts.Node): ts.CallExpression | undefined {
  const { parent: call } = prompt.parent
  const isRender = memberOf(prompt)?.text === 'render' && ts.isCallExpression(call)
  return isRender && call.expression === prompt.parent ? call : undefined
}
