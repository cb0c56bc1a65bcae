/**
 * What the compiler does not check although it names prompts: imports that it does not resolve with types,
 * markup, and files with syntax errors. That it reports no error there proves nothing.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Place } from '../core/impact.ts'
import { findText } from '../fs/git.ts'
import { isCode, isComponentFile, isDocument, relativePath, toForwardSlashes } from '../fs/paths.ts'
import { ts } from './compiler.ts'
import { readMarkup } from './components.ts'
import { filesOfSymbol, specifiersOf } from './module-graph.ts'
import { type CodeEdits, nodeAt, nodesBelow, oldPlaceAt, placeAt, sortPlaces } from './place.ts'
import type { PromptCode } from './prompt-code.ts'
import { mentionsIn } from './words.ts'

/** A line that names prompts and that the compiler does not check. */
export interface NotChecked extends Place {
  /** The prompts that it names. Without any, it may use each. */
  readonly slugs: readonly string[]
  /** Whether it is the module of staging that it names, if that is known. */
  readonly isStaging?: boolean | undefined
  /** Why it is not checked, such as: TypeScript does not read markup. */
  readonly reason: string
}

/** An import without types, with the end of the path that it means, or the name of the module. */
export interface UntypedImport {
  readonly at: NotChecked
  readonly path: string
}

/** What a part of the app has of them. */
export interface PartNotChecked {
  readonly lines: readonly NotChecked[]
  readonly imports: readonly UntypedImport[]
  /** The module, and the files whose types may depend on prompts, as paths without extension. */
  readonly exporters: readonly string[]
}

/** Those of an app: an import that does not resolve may mean a file of another part. */
export function joinNotChecked(
  unknown: readonly UntypedImport[],
  results: readonly { readonly notChecked: PartNotChecked }[],
): NotChecked[] {
  const parts = results.map(({ notChecked }) => notChecked)
  const exporters = parts.flatMap((part) => part.exporters)
  const imports = [...unknown, ...parts.flatMap((part) => part.imports)]
    .filter(({ path }) => exporters.some((exporter) => exporter.endsWith(path)))
    .map(({ at }) => at)
  return sortPlaces([...parts.flatMap((part) => part.lines), ...imports])
}

interface Search extends PromptCode {
  /** Places are relative to it. */
  readonly root: string
  /** The edits in the code. Places are those of the old code. */
  readonly edits: CodeEdits
  /** The slugs by the names of prompts in code. */
  readonly slugs: ReadonlyMap<string, string>
}

export function partNotChecked(search: Search): PartNotChecked {
  const { declarationPaths, files, ignoredFiles, moduleId, ownFiles, program } = search
  // The declarations of `virtual:prompts` are no module by themselves.
  const folders = declarationPaths.filter((path) => {
    const file = program.getSourceFile(path)
    return file === undefined || ts.isExternalModule(file)
  })
  const dependents = [...files, ...ignoredFiles].map(({ fileName }) => fileName)
  return {
    lines: [
      ...ownFiles.flatMap((file) => syntaxErrors(file, search)),
      ...files.flatMap((file) => markupLines(file, search)),
    ],
    imports: ownFiles.flatMap((file) =>
      [...specifiersOf(file), ...loadedNames(file, moduleId)]
        // Imports that TypeScript adds, such as that of `react/jsx-runtime`, have no position.
        .filter((node) => node.pos >= 0 && !hasTypes(node, search))
        .flatMap((node) =>
          untypedImport(
            node.text,
            file.fileName,
            oldPlaceAt(file, node.getStart(file), search),
            moduleId,
          ),
        ),
    ),
    exporters: [moduleId, ...[...folders, ...dependents].map(withoutExtension)],
  }
}

/** Larger files are no code. */
const MAX_SIZE = 1_000_000

const IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])([^"'\n]+)\1/g

/**
 * Finds imports in files that the analysis can't compile, such as those of other frameworks. Documents,
 * data and golden files have none.
 *
 * @param paths - all files of an app's folder
 */
export async function unknownImports(
  folder: string,
  paths: readonly string[],
  moduleId: string,
  root: string,
): Promise<UntypedImport[]> {
  const places = await findText(folder, '(from|import|require).*["\']')
  const named = places && new Set(places.map(({ path }) => toForwardSlashes(path)))
  return paths
    .filter((path) => !isCode(path) && !isDocument(path) && named?.has(path) !== false)
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) < MAX_SIZE)
    .flatMap((path) => {
      const text = withoutComments(readFileSync(path, 'utf8'))
      return [...text.matchAll(IMPORT)].flatMap(({ 0: all, 2: specifier = '', index }) => {
        const lines = text.slice(0, index + all.length - specifier.length - 2).split('\n')
        const place = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
        return untypedImport(
          specifier,
          path,
          { file: relativePath(root, path), ...place },
          moduleId,
        )
      })
    })
}

/** Comments that begin a line, in languages that are not known. */
function withoutComments(text: string): string {
  return text.replaceAll(/^[^\S\n]*(?:\/\/.*|#.*|\/\*[^]*?\*\/|<!--[^]*?-->)/gm, (comment) =>
    comment.replaceAll(/[^\r\n]/g, ' '),
  )
}

function untypedImport(
  specifier: string,
  fileName: string,
  place: Place,
  moduleId: string,
): UntypedImport[] {
  const path = meaningOf(specifier, fileName, moduleId)
  if (path === undefined) return []
  const isStaging = path === moduleId ? /\/staging(?:\/|$)/.test(specifier) : undefined
  const reason = `TypeScript has no types for \`${specifier}\` here`
  return [{ at: { ...place, slugs: [], isStaging, reason }, path }]
}

/** The first syntax error of a file that names prompts: behind it, the compiler may see another code. */
function syntaxErrors(file: ts.SourceFile, search: Search): NotChecked[] {
  const { parseDiagnostics: [first] = [] } = file as ts.SourceFile & {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[]
  }
  const isUser = search.files.includes(file) || file.text.includes(search.moduleId)
  if (first === undefined || !isUser) return []
  const place = oldPlaceAt(file, first.start, search)
  return [{ ...place, slugs: [], reason: 'the file has a syntax error' }]
}

/**
 * The strings of a file that calls load as modules, besides imports:
 * `createRequire(url)('virtual:prompts')`.
 */
function loadedNames(file: ts.SourceFile, moduleId: string): ts.StringLiteralLike[] {
  const names = `${moduleId}(?:/[^"'\`]*)?|(?<=\\(\\s*.)[.#~@$][^"'\`]*`
  const matches = file.text.matchAll(new RegExp(`(["'\`])(?:${names})\\1`, 'g'))
  return [...matches].flatMap(({ index }) => {
    const node = nodeAt(file, index)
    return ts.isStringLiteralLike(node) && isLoaded(node, file) ? [node] : []
  })
}

function isLoaded({ parent }: ts.StringLiteralLike, { text }: ts.SourceFile): boolean {
  if (ts.isVariableDeclaration(parent)) return text.includes(`import(${parent.name.getText()})`)
  if (!ts.isCallExpression(parent)) return false
  const { expression: callee } = parent
  const isLoader = /^require$|(?:import|require)Actual$|createRequire\(/.test(callee.getText())
  // Which name has a function that `createRequire` made is not asked.
  return isLoader || (ts.isIdentifier(callee) && text.includes('createRequire('))
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
  const { parent: call } = name
  // To TypeScript, `require` is that of CommonJS in a declaration, and otherwise what it was made as.
  const isCall = ts.isCallExpression(call) && !(isKnown && ts.isVariableDeclaration(call.parent))
  if (!isCall) return isKnown
  const type = checker.getTypeAtLocation(call)
  return !isUntyped(checker.getAwaitedType(type) ?? type)
}

/** Whether a type is `any`, `unknown`, or has only such properties. */
function isUntyped(type: ts.Type): boolean {
  const values = type.getStringIndexType()
  if (values !== undefined) return isUntyped(values)
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0
}

function isModule(specifier: string, moduleId: string): boolean {
  return specifier === moduleId || specifier.startsWith(`${moduleId}/`)
}

/**
 * The module, or the end of the path of the app's own file, that an import means; `undefined` for
 * packages.
 */
function meaningOf(specifier: string, fileName: string, moduleId: string): string | undefined {
  if (isModule(specifier, moduleId)) return moduleId
  if (specifier.startsWith('.'))
    return withoutExtension(toForwardSlashes(join(dirname(fileName), specifier)))
  const [, path] = /^(?:[#$~@][^/]*\/|[#$~@])(.+)$/.exec(specifier) ?? []
  return path && withoutExtension(`/${path}`)
}

function withoutExtension(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
}

/** The lines of a component's markup that name a value of its script with prompts, by words. */
function markupLines(file: ts.SourceFile, search: Search): NotChecked[] {
  const { fileName } = file
  if (!isComponentFile(fileName)) return []
  const { checker, edits, root } = search
  const scope = checker.getSymbolsInScope(file, ts.SymbolFlags.Value | ts.SymbolFlags.Alias)
  // In Vue, also what an object of the script brings: `setup() { return { reply: prompts.reply } }`.
  const members = nodesBelow(file).flatMap((node) =>
    ts.isObjectLiteralElement(node) && node.name
      ? (checker.getSymbolAtLocation(node.name) ?? [])
      : [],
  )
  const symbols = new Map([...members, ...scope].map((symbol) => [symbol.name, symbol]))
  // No edit changes markup.
  const source = edits.get(fileName)?.[0]?.source ?? file
  const markup = readMarkup(fileName)
  const lines = new Map<number, NotChecked>()
  for (const { name, index, member } of mentionsIn(markup)) {
    // A store of Svelte is read as `$store`. The tag of a component is none of its values.
    const symbol = symbols.get(name) ?? symbols.get(name.replace(/^\$/, ''))
    const isTag = /<\/?$/.test(markup.slice(Math.max(0, index - 2), index))
    const slugs = symbol && !isTag ? slugsOfValue(symbol, member, file, search) : undefined
    if (slugs === undefined) continue
    const place = placeAt(source, index, root)
    const first = lines.get(place.line) ?? { ...place, slugs, reason: MARKUP }
    const isAny = slugs.length === 0 || first.slugs.length === 0
    const all = isAny ? [] : [...new Set([...first.slugs, ...slugs])]
    lines.set(place.line, { ...first, slugs: all })
  }
  return [...lines.values()]
}

const MARKUP = 'TypeScript does not read markup'

/** The prompts of a value in markup; none if it may be any, `undefined` if it has nothing to do with prompts. */
function slugsOfValue(
  symbol: ts.Symbol,
  member: string | undefined,
  file: ts.SourceFile,
  { checker, isNamespace, leadsToPrompts, slugs, slugsOf }: Search,
): readonly string[] | undefined {
  const type = checker.getTypeOfSymbolAtLocation(symbol, file)
  if (isNamespace(type) && member !== undefined) {
    const slug = slugs.get(member)
    return slug === undefined ? undefined : [slug]
  }
  const ofType = slugsOf(type)
  // `prompts[key]` is `any` if the key is a `string`.
  const { initializer: value } = (symbol.valueDeclaration ?? {}) as Partial<ts.VariableDeclaration>
  const isElement =
    value &&
    ts.isElementAccessExpression(value) &&
    isNamespace(checker.getTypeAtLocation(value.expression))
  return ofType.length > 0 || isElement || leadsToPrompts(type) ? ofType : undefined
}
