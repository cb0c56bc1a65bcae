/**
 * Edits that insert text and change no other byte: the plugin in a bundler's configuration, and the
 * declarations in a tsconfig.json. Each returns `undefined` for a form of which it can't prove what the edit
 * does. Loads TypeScript.
 */
import {
  type ArrayLiteralExpression,
  Node,
  type ObjectLiteralExpression,
  Project,
  type SourceFile,
  SyntaxKind,
} from 'ts-morph'
import type { Bundler } from './bundlers.ts'
import { importLine, inStyleOf, quotedAs, WRAPPER } from './project-files.ts'

/**
 * Adds the plugin to the configuration of a bundler, unless it is there. The extension of its name selects the
 * language.
 */
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
  const entry = isModuleName ? quotedAs(text, `'${specifier}'`) : `${binding}()`
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
const PLUGINS: RegExp = /^unplugin-prompts\//

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
  if (value === MISSING) return [prepend(object, `${key}: [${entry}]`)]
  const list = unwrapped(value)
  return Node.isArrayLiteralExpression(list) ? [prepend(list, entry)] : undefined
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
 * Loads the plugin at the top, or in CommonJS before the statement that uses it: its constant has no value
 * above its declaration, and a directive stays the first statement.
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
  const line = inStyleOf(text, importLine(binding, specifier, isCommonJs))
  const first = isCommonJs ? Math.min(...edits.map(({ at }) => at)) : 0
  const user = file.getStatements().find((statement) => statement.getEnd() > first)
  const lines = Node.isImportDeclaration(user) ? [line, ''] : [line, '', '']
  // Not between a statement and its doc comment.
  return {
    at: user?.getStart(true) ?? 0,
    text: lines.join(text.includes('\r\n') ? '\r\n' : '\n'),
  }
}

/** Adds a path to `include`, where the text of a tsconfig.json has it. */
export function addIncluded(text: string, path: string): string | undefined {
  const root = parse('tsconfig.json', text)?.getStatements()[0]?.getFirstChild()
  const list = Node.isObjectLiteralExpression(root) ? valueOf(root, 'include') : undefined
  const isList = typeof list === 'object' && Node.isArrayLiteralExpression(list)
  return isList ? insert(text, [prepend(list, JSON.stringify(path))]) : undefined
}

interface Insertion {
  readonly at: number
  readonly text: string
}

function insert(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((result, { at, text: added }) => result.slice(0, at) + added + result.slice(at), text)
}

/** Adds an entry before the others of a list or an object, with the white space that is there. */
function prepend(
  container: ArrayLiteralExpression | ObjectLiteralExpression,
  entry: string,
): Insertion {
  const at = container.getStart() + 1
  const [gap = ''] = /^\s*/.exec(container.getText().slice(1)) ?? []
  const isList = Node.isArrayLiteralExpression(container)
  const others = isList ? container.getElements() : container.getProperties()
  if (others.length > 0) return { at, text: gap === '' ? `${entry}, ` : `${gap}${entry},` }
  return { at, text: isList || gap !== '' ? gap + entry : ` ${entry} ` }
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
