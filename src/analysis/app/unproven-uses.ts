/**
 * Uses of prompts that the compiler does not see with their types: imports that it does not resolve,
 * assertions, and markup. That it reports no error for them proves nothing.
 */
import { dirname, join } from 'node:path'
import type { Place } from '../../core/impact.ts'
import { findText } from '../../fs/git.ts'
import { isCode, isDocument, toForwardSlashes } from '../../fs/paths.ts'
import { type CodeEdits, oldPlaceAt } from './code-edits.ts'
import { ts } from './compiler.ts'
import { isComponent, markupExpressions } from './components.ts'
import { type FileUsage, isUntyped } from './find-uses.ts'
import { filesOfSymbol, specifiersOf } from './module-graph.ts'
import { isName, memberOf, nodeAt, nodesBelow, pathFrom, placeAt, sortPlaces } from './place.ts'
import type { PromptCode } from './prompt-code.ts'

/** A use that the compiler does not see with its types. */
export interface UnprovenUse extends Place {
  /** The prompts that it names. Without any, it may use each. */
  readonly slugs: readonly string[]
  /** The properties of the literal in `x.render({ … })` in markup; `undefined` for those without a name. */
  readonly variables?: readonly (string | undefined)[] | undefined
}

/** What a part of the app knows of such uses. */
export interface PartUses {
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

export function partUses(search: Search, usages: readonly FileUsage[]): PartUses {
  const { checker, declarations, moduleId, ownFiles } = search
  const files = usages.map(({ file }) => file)
  const exporters = [...declarations, ...files].filter((file) => {
    const module = checker.getSymbolAtLocation(file)
    return module && checker.getExportsOfModule(module).some((member) => isPrompts(member, search))
  })
  return {
    uses: [
      ...usages.flatMap((usage) => assertions(usage, search)),
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

function assertions({ file, uses }: FileUsage, search: Search): UnprovenUse[] {
  return uses
    .filter(({ kind }) => kind === 'unproven')
    .map(({ node, slugs }) => ({ ...oldPlaceAt(file, node.getStart(file), search), slugs }))
}

function usesInMarkup(file: ts.SourceFile, search: Search): UnprovenUse[] {
  const { fileName } = file
  if (!isComponent(fileName)) return []
  const { checker, edits, root } = search
  // No edit changes markup.
  const source = edits.get(fileName)?.[0]?.source ?? file
  const scope = checker.getSymbolsInScope(file, ts.SymbolFlags.Value | ts.SymbolFlags.Alias)
  const symbols = new Map(scope.map((symbol) => [symbol.name, symbol]))
  return markupExpressions(fileName).flatMap(({ code, start }) =>
    nodesBelow(code).flatMap((node) => {
      const symbol = ts.isIdentifier(node) && !isName(node) ? symbols.get(node.text) : undefined
      const use = symbol && useOf(node, checker.getTypeOfSymbolAtLocation(symbol, file), search)
      return use ? [{ ...placeAt(source, start + node.getStart(), root), ...use }] : []
    }),
  )
}

/** The use of a value: a prompt, the object with all of them, or a module with it. */
function useOf(
  node: ts.Node,
  type: ts.Type,
  search: Search,
): Omit<UnprovenUse, keyof Place> | undefined {
  const slugs = search.slugsOf(type)
  if (slugs.length > 0) return { slugs, variables: renderedVariables(node) }
  const prompts = type.getProperty('prompts')
  if (!search.isNamespace(type))
    return prompts && isPrompts(prompts, search) ? { slugs: [] } : undefined
  const slug = search.slugs.get(memberOf(node)?.text ?? '')
  return slug === undefined
    ? { slugs: [] }
    : { slugs: [slug], variables: renderedVariables(node.parent) }
}

/** The properties of the literal in `prompt.render({ … })`; `undefined` for any other use. */
function renderedVariables(prompt: ts.Node): UnprovenUse['variables'] {
  const { parent: call } = prompt.parent
  if (memberOf(prompt)?.text !== 'render' || !ts.isCallExpression(call)) return undefined
  const [values] = call.arguments
  if (call.expression !== prompt.parent) return undefined
  if (values === undefined) return []
  return ts.isObjectLiteralExpression(values)
    ? values.properties.map(({ name }) => name?.getText().replace(/^(["'])(.*)\1$/, '$2'))
    : undefined
}
