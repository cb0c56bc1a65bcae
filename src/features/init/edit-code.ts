/**
 * Edits of code and JSON that insert text and change no other byte: the plugin in a bundler's configuration,
 * entries of package.json and tsconfig.json, files that Biome ignores. Each returns the same text if it is
 * edited already, and `undefined` for a form of which it can't prove what the edit does. Loads TypeScript.
 */
import {
  type ArrayLiteralExpression,
  Node,
  type ObjectLiteralExpression,
  Project,
  type SourceFile,
  SyntaxKind,
  ts,
} from 'ts-morph'
import type { Bundler } from './bundlers.ts'
import { importLine, WRAPPER } from './import-line.ts'

/** Adds the plugin to the configuration of a bundler. The extension of its name selects the language. */
export function addPlugin(
  name: string,
  text: string,
  { specifier, dependency, list, isModuleName = false }: PluginPlace,
): string | undefined {
  if (loads(name, text, PLUGINS)) return text
  const file = parse(name, text)
  if (file === undefined) return undefined
  const exported = exportedConfig(file)
  const binding = freeName(file, list === undefined ? [WRAPPER] : ['prompts', 'promptsPlugin'])
  if (exported === undefined || binding === undefined) return undefined
  const entry = isModuleName ? quotedAs(file, specifier) : `${binding}()`
  const edited =
    list === undefined ? wrap(exported) : addToList(objectIn(exported, dependency), list, entry)
  if (edited === undefined) return undefined
  const imported = isModuleName ? [] : [addImport(exported, edited, binding, specifier)]
  const result = insert(text, [...imported, ...edited])
  return parse(name, result) && result
}

/** What {@link addPlugin} reads of a bundler. */
type PluginPlace = Pick<Bundler, 'specifier' | 'dependency' | 'list' | 'isModuleName'>

/** The entry points with a plugin. */
export const PLUGINS: RegExp = /^unplugin-prompts\//

/** Whether a configuration imports or requires a module, or has it in a list, as that of Nuxt. */
export function loads(name: string, text: string, modules: RegExp): boolean {
  const literals = parse(name, text)?.getDescendantsOfKind(SyntaxKind.StringLiteral) ?? []
  return literals.some((literal) => {
    const parent = literal.getParent()
    if (!modules.test(literal.getLiteralValue())) return false
    if (Node.isImportDeclaration(parent)) return !parent.isTypeOnly()
    if (Node.isCallExpression(parent))
      return /^(?:require|import)$/.test(parent.getExpression().getText())
    return Node.isArrayLiteralExpression(parent)
  })
}

/** The first name that nothing in a file has. */
function freeName(file: SourceFile, names: readonly string[]): string | undefined {
  const taken = new Set(file.getDescendantsOfKind(SyntaxKind.Identifier).map((id) => id.getText()))
  return names.find((name) => !taken.has(name))
}

/** A string literal with the quotes of the first one in the file. */
function quotedAs(file: SourceFile, value: string): string {
  const first = file.getFirstDescendantByKind(SyntaxKind.StringLiteral)?.getText() ?? ''
  return first.startsWith('"') ? `"${value}"` : `'${value}'`
}

/** `export default`, or the last assignment of `module.exports` if nothing below mentions it. */
function exportedConfig(file: SourceFile): Node | undefined {
  const declared = file.getFunctions().find((declaration) => declaration.isDefaultExport())
  if (declared !== undefined) return declared
  const exported = file.getExportAssignment((assignment) => !assignment.isExportEquals())
  if (exported !== undefined) return exported.getExpression()
  const assigned = file.getStatements().flatMap((statement) => {
    const node = Node.isExpressionStatement(statement) ? statement.getExpression() : undefined
    const isExport = Node.isBinaryExpression(node) && node.getLeft().getText() === 'module.exports'
    return isExport && node.getOperatorToken().getText() === '=' ? [node] : []
  })
  const last = assigned.at(-1)
  const rest = last && file.getFullText().slice(last.getEnd())
  return rest !== undefined && !/\bexports\b/.test(rest) ? last?.getRight() : undefined
}

function wrap(exported: Node): Insertion[] | undefined {
  if (!Node.isExpression(exported)) return undefined
  return [
    { at: exported.getStart(), text: `${WRAPPER}(` },
    { at: exported.getEnd(), text: ')' },
  ]
}

/**
 * The object that a configuration is, as far as that can be proved.
 *
 * @param dependency - the bundler, whose functions return what they get
 */
function objectIn(node: Node | undefined, dependency: string): ObjectLiteralExpression | undefined {
  const value = unwrapped(node)
  if (Node.isObjectLiteralExpression(value)) return value
  if (Node.isIdentifier(value)) return objectIn(constantValue(value), dependency)
  if (Node.isCallExpression(value)) {
    const [argument, ...others] = value.getArguments()
    const isProven = others.length === 0 && returnsArgument(value.getExpression(), dependency)
    return isProven ? objectIn(argument, dependency) : undefined
  }
  if (Node.isArrowFunction(value)) return objectIn(returned(value.getBody()), dependency)
  const isNamed = Node.isFunctionExpression(value) || Node.isFunctionDeclaration(value)
  if (!isNamed || value.isGenerator()) return undefined
  return objectIn(returned(value.getBody()), dependency)
}

/** Without `( … )`, `… as Type` and `… satisfies Type`. */
function unwrapped(node: Node | undefined): Node | undefined {
  const isWrapped =
    Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node)
  return isWrapped ? unwrapped(node.getExpression()) : node
}

/** What a function returns at its end, if that is its only `return`. */
function returned(body: Node | undefined): Node | undefined {
  if (!Node.isBlock(body)) return body
  const [only, ...others] = body
    .getDescendantsOfKind(SyntaxKind.ReturnStatement)
    .filter((statement) => statement.getFirstAncestor(isFunction) === body.getParent())
  return only?.getParent() === body && others.length === 0 ? only.getExpression() : undefined
}

function isFunction(node: Node): boolean {
  return Node.isFunctionLikeDeclaration(node) || Node.isFunctionExpression(node)
}

/** The value of a `const` that the code mentions only once. */
function constantValue(name: Node): Node | undefined {
  const mentions = mentionsOf(name)
  const declaration = mentions
    .map((mention) => mention.getParent())
    .find(Node.isVariableDeclaration)
  const isConstant = declaration?.getVariableStatement()?.getDeclarationKind() === 'const'
  return mentions.length === 2 && isConstant ? declaration?.getInitializer() : undefined
}

/** The places where a file has a name that is not that of a property. */
function mentionsOf(name: Node): Node[] {
  return name
    .getSourceFile()
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((other) => {
      const parent = other.getParent()
      const isProperty =
        Node.isPropertyAccessExpression(parent) || Node.isPropertyAssignment(parent)
      return other.getText() === name.getText() && !(isProperty && parent.getNameNode() === other)
    })
}

/** Whether a function is `defineConfig` or another one of the bundler: a global, imported or required. */
function returnsArgument(callee: Node, dependency: string): boolean {
  const isKnown = /^define(?:Nuxt)?Config$/.test(callee.getText())
  const [first] = mentionsOf(callee)
  if (!Node.isIdentifier(callee) || first === callee) return isKnown && first === callee
  const [, module = './'] = LOAD.exec(statementOf(first)) ?? []
  const isOfBundler = module === dependency || module.startsWith(`${dependency}/`)
  return isOfBundler || (isKnown && !/^(?:[./~#]|@\/)/.test(module))
}

/** A statement that does nothing but load names from a module. */
const LOAD = /^(?:import\b[^'"]*\bfrom|const\s*\{[^}]*\}\s*=\s*require\()\s*["']([^"']+)["']\)?;?$/

function statementOf(node: Node | undefined): string {
  return node?.getFirstAncestor((one) => Node.isSourceFile(one.getParent()))?.getText() ?? ''
}

/** Adds an element to the list of a property, which is added if it is missing. */
function addToList(
  object: ObjectLiteralExpression | undefined,
  key: string,
  entry: string,
): Insertion[] | undefined {
  const value = object && valueOf(object, key)
  if (object === undefined || value === undefined) return undefined
  if (value === MISSING) return append(object, [`${key}: [${entry}]`])
  const list = unwrapped(value)
  return Node.isArrayLiteralExpression(list) ? append(list, [entry]) : undefined
}

const MISSING = 'missing'

/** The value of a property; `undefined` if a spread, a computed name or an accessor may have it. */
function valueOf(object: ObjectLiteralExpression, key: string): Node | typeof MISSING | undefined {
  const properties = object.getProperties()
  const isKey = (property: Node): boolean =>
    Node.hasName(property) && unquoted(property.getName()) === key
  const at = properties.findIndex(isKey)
  const isUnknown = properties.some(
    (property, index) =>
      (index > at && (isKey(property) || Node.isSpreadAssignment(property))) ||
      (Node.hasName(property) && property.getName().startsWith('[')),
  )
  if (isUnknown) return undefined
  const property = properties[at]
  if (property === undefined) return MISSING
  return Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
}

function unquoted(name: string): string {
  return name.replaceAll(/["']/g, '')
}

/**
 * Loads the plugin: after the imports, or before the statement that uses it, since a constant of CommonJS
 * has no value above its declaration.
 */
function addImport(
  exported: Node,
  edits: readonly Insertion[],
  binding: string,
  specifier: string,
): Insertion {
  const file = exported.getSourceFile()
  const text = file.getFullText()
  const isCommonJs = Node.isBinaryExpression(exported.getParent())
  const line = importLine(binding, specifier, isCommonJs)
    .replace(/'.*'/, () => quotedAs(file, specifier))
    .concat(/;\s*$/m.test(text) ? ';' : '')
  const newLine = newLineOf(text)
  const last = file.getImportDeclarations().at(-1)
  if (!isCommonJs && last !== undefined)
    return { at: endOfLine(file, last.getEnd()), text: newLine + line }
  const first = isCommonJs ? Math.min(...edits.map(({ at }) => at)) : 0
  const user = file.getStatements().find((statement) => statement.getEnd() > first)
  // Not between a statement and its doc comment.
  return { at: user?.getStart(true) ?? 0, text: line + newLine + newLine }
}

/**
 * Adds entries to an object in the text of a package.json, such as `scripts`. Existing entries stay.
 */
export function addEntries(
  text: string,
  key: 'scripts' | 'imports',
  entries: Readonly<Record<string, string>>,
): string | undefined {
  const root = rootObject('package.json', text)
  const present = root && valueOf(root, key)
  if (root === undefined || present === undefined) return undefined
  const lines = (names: readonly string[]): string[] =>
    names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(entries[name])}`)
  if (present === MISSING)
    return insert(text, append(root, [printObject(root, key, lines(Object.keys(entries)))]))
  if (!Node.isObjectLiteralExpression(present)) return undefined
  const missing = Object.keys(entries).filter((name) => valueOf(present, name) === MISSING)
  return insert(text, append(present, lines(missing)))
}

/** Adds a path to a list of a package.json or tsconfig.json, where it has such a list. */
export function addListed(
  text: string,
  key: 'files' | 'include',
  path: string,
): string | undefined {
  const root = rootObject('package.json', text)
  const list = root && valueOf(root, key)
  if (!isArray(list)) return undefined
  const isThere = list.getText().includes(`"${path}`)
  return isThere ? text : insert(text, append(list, [JSON.stringify(path)]))
}

/** Adds files to those that Biome ignores, in the text of its configuration. */
export function addIgnored(text: string, files: readonly string[]): string | undefined {
  const missing = files.filter((file) => !text.includes(file.replace('**/', '')))
  if (missing.length === 0) return text
  // Biome 1 has `ignore`, and `include` for what is not ignored.
  const isNegated = !/\/schemas\/1\.|"ignore"\s*:/.test(text)
  const key = isNegated ? 'includes' : 'ignore'
  const patterns = missing.map((file) => JSON.stringify(isNegated ? `!${file}` : file))
  const created = `"${key}": [${[...(isNegated ? ['"**"'] : []), ...patterns].join(', ')}]`
  const root = rootObject('biome.json', text)
  const parent = root && valueOf(root, 'files')
  if (root === undefined || parent === undefined) return undefined
  if (parent === MISSING) return insert(text, append(root, [printObject(root, 'files', [created])]))
  if (!Node.isObjectLiteralExpression(parent)) return undefined
  const list = valueOf(parent, key)
  if (list === MISSING) return insert(text, append(parent, [created]))
  return isArray(list) ? insert(text, append(list, patterns)) : undefined
}

/** A property with an object, on one line if its parent is. */
function printObject(
  parent: ObjectLiteralExpression,
  key: string,
  entries: readonly string[],
): string {
  const text = parent.getText()
  const isLine = parent.getProperties().length > 0 && !text.includes('\n')
  const inner = entries.map((entry) => `\n${indentationOf(text)}${entry}`).join(',')
  return `"${key}": {${isLine ? ` ${entries.join(', ')} ` : `${inner}\n`}}`
}

function isArray(value: Node | string | undefined): value is ArrayLiteralExpression {
  return typeof value === 'object' && Node.isArrayLiteralExpression(value)
}

function rootObject(name: string, text: string): ObjectLiteralExpression | undefined {
  const statement = parse(name, text)?.getStatements()[0]
  return statement?.getFirstChildByKind(SyntaxKind.ObjectLiteralExpression)
}

interface Insertion {
  readonly at: number
  readonly text: string
}

function insert(text: string, insertions: readonly Insertion[]): string {
  const sorted = insertions.toSorted((one, other) => one.at - other.at)
  const parts = sorted.map(({ at, text: added }, index) => {
    return text.slice(sorted[index - 1]?.at ?? 0, at) + added
  })
  return parts.join('') + text.slice(sorted.at(-1)?.at ?? 0)
}

/** Appends entries to a list or an object in its style: on one line, or on lines of their own. */
function append(
  container: ArrayLiteralExpression | ObjectLiteralExpression,
  entries: readonly string[],
): Insertion[] {
  if (entries.length === 0) return []
  const file = container.getSourceFile()
  const text = file.getFullText()
  const isList = Node.isArrayLiteralExpression(container)
  const last = (isList ? container.getElements() : container.getProperties()).at(-1)
  const open = container.getStart() + 1
  const inLines = (indent: string): string =>
    entries.map((entry) => `\n${entry}`.replaceAll('\n', newLineOf(text) + indent)).join(',')
  if (last === undefined) {
    const isOpen = text.slice(open, container.getEnd()).includes('\n')
    if (isList && !isOpen) return [{ at: open, text: entries.join(', ') }]
    const base = lineIndentation(text, open)
    const comma = isJson(file) ? '' : ','
    const end = isOpen ? '' : newLineOf(text) + base
    return [{ at: open, text: inLines(base + indentationOf(text)) + comma + end }]
  }
  const comma = last.getNextSiblingIfKind(SyntaxKind.CommaToken)
  const end = (comma ?? last).getEnd()
  if (!text.slice(open, last.getStart()).includes('\n')) {
    const separate = (entry: string): string => (comma ? ` ${entry},` : `, ${entry}`)
    return [{ at: end, text: entries.map(separate).join('') }]
  }
  const lines = inLines(lineIndentation(text, last.getStart()))
  const at = endOfLine(file, end)
  return comma
    ? [{ at, text: `${lines},` }]
    : [
        { at: end, text: ',' },
        { at, text: lines },
      ]
}

/** The end of the comments that follow on the same line. */
function endOfLine(file: SourceFile, from: number): number {
  return ts.getTrailingCommentRanges(file.getFullText(), from)?.at(-1)?.end ?? from
}

function lineIndentation(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''
}

/** One level, as a file has it. */
function indentationOf(text: string): string {
  const [, first = '  '] = /^([ \t]+)\S/m.exec(text) ?? []
  return first.startsWith('\t') ? '\t' : first.slice(0, first.length === 4 ? 4 : 2)
}

function newLineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function isJson(file: SourceFile): boolean {
  return /\.jsonc?$/.test(file.getBaseName())
}

/** Reads a text whose name selects the language; `undefined` if it is not well-formed. */
function parse(name: string, text: string): SourceFile | undefined {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { allowJs: true, resolveJsonModule: true },
  })
  const file = project.createSourceFile(name, text)
  return project.getProgram().getSyntacticDiagnostics(file).length === 0 ? file : undefined
}
