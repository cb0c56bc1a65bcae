/**
 * Edits of code and JSON that keep what is there: the plugin in a bundler's configuration, scripts in
 * package.json, files that linters ignore. Loads TypeScript.
 */
import {
  type ArrayLiteralExpression,
  type BinaryExpression,
  type Expression,
  IndentationText,
  NewLineKind,
  Node,
  type ObjectLiteralExpression,
  Project,
  QuoteKind,
  type SourceFile,
  SyntaxKind,
} from 'ts-morph'
import { type Bundler, importLine, WRAPPER } from './bundlers.ts'

/** Which plugin to add where. */
export interface PluginPlace extends Pick<Bundler, 'specifier' | 'path' | 'isModuleName'> {
  /** Name of the file. Its extension selects the language. */
  readonly name: string
}

/**
 * Adds the plugin to a configuration whose default export or `module.exports` is an object or a
 * call with one, such as `defineConfig({ plugins: [ … ] })`. The rest of the file stays unchanged.
 *
 * @returns the same text if the plugin is there already; `undefined` if the file has a form that can't
 *   be edited safely
 */
export function addPlugin(
  text: string,
  { name, specifier, path, isModuleName = false }: PluginPlace,
): string | undefined {
  if (/["']unplugin-prompts(?:\/|["'])/.test(text)) return text
  const file = openText(name, text)
  const exported = isWellFormed(file) ? exportedExpression(file) : undefined
  const binding = path.length === 0 ? WRAPPER : pluginBinding(text)
  const entry = isModuleName ? quotedAs(text, specifier) : `${binding}()`
  const object = objectIn(exported)
  const isAdded =
    path.length === 0 ? wrap(exported) : object !== undefined && addTo(object, path, entry)
  if (!isAdded) return undefined
  if (!isModuleName) addImport(file, binding, specifier)
  return isWellFormed(file) ? file.getFullText() : undefined
}

function pluginBinding(text: string): string {
  return /\bprompts\b/.test(text) ? 'promptsPlugin' : 'prompts'
}

/** A string literal in the style of the file: of its imports, or else of its first literal. */
function quotedAs(text: string, value: string): string {
  const quote = /(?:\bfrom|\bimport|\brequire\()\s*(["'])/.exec(text) ?? /(["'])/.exec(text)
  return quote?.[1] === '"' ? `"${value}"` : `'${value}'`
}

/** Passes the exported expression to the wrapper. */
function wrap(exported: Expression | undefined): boolean {
  if (exported === undefined || exported.getSourceFile().getText().includes(WRAPPER)) return false
  exported.replaceWithText(`${WRAPPER}(${exported.getText()})`)
  return true
}

function exportedExpression(file: SourceFile): Expression | undefined {
  const exported = file.getExportAssignment((each) => !each.isExportEquals())
  return exported?.getExpression() ?? commonJsExport(file)?.getRight()
}

/** `module.exports = …` at the top level. */
function commonJsExport(file: SourceFile): BinaryExpression | undefined {
  return file
    .getStatements()
    .flatMap((statement) => statement.getChildrenOfKind(SyntaxKind.BinaryExpression))
    .find(
      (node) =>
        node.getOperatorToken().getText() === '=' && node.getLeft().getText() === 'module.exports',
    )
}

function objectIn(node: Node | undefined): ObjectLiteralExpression | undefined {
  if (Node.isObjectLiteralExpression(node)) return node
  if (
    Node.isParenthesizedExpression(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isAsExpression(node)
  )
    return objectIn(node.getExpression())
  if (Node.isArrowFunction(node)) return objectIn(node.getBody())
  if (Node.isCallExpression(node)) {
    const [argument, ...others] = node.getArguments()
    return others.length > 0 ? undefined : objectIn(argument)
  }
  if (!Node.isIdentifier(node)) return undefined
  // `const config = { … }` at the top level of the module.
  const value = node.getSourceFile().getVariableDeclaration(node.getText())?.getInitializer()
  return Node.isIdentifier(value) ? undefined : objectIn(value)
}

/** Follows the path and adds its missing part; `false` if the form is unknown. */
function addTo(
  object: ObjectLiteralExpression,
  [key = '', ...rest]: readonly string[],
  entry: string,
): boolean {
  const properties = object.getProperties()
  const at = properties.findIndex(
    (each) => !Node.isSpreadAssignment(each) && each.getName().replaceAll(/["']/g, '') === key,
  )
  // A spread may contain or override the key.
  if (properties.slice(Math.max(0, at)).some(Node.isSpreadAssignment)) return false
  const property = properties[at]
  if (property === undefined) {
    const value = rest.reduceRight((inner, each) => `{ ${each}: ${inner} }`, `[${entry}]`)
    addProperty(object, key, value)
    return true
  }
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
  if (rest.length > 0) return Node.isObjectLiteralExpression(value) && addTo(value, rest, entry)
  if (!Node.isArrayLiteralExpression(value)) return false
  value.addElement(entry)
  return true
}

/** Adds the import after the others, in the style of the file. */
function addImport(file: SourceFile, binding: string, specifier: string): void {
  const text = file.getFullText()
  const end = /;\s*$/m.test(text) ? ';' : ''
  if (commonJsExport(file) === undefined) {
    const added = file.addImportDeclaration({ defaultImport: binding, moduleSpecifier: specifier })
    added.replaceWithText(added.getText().replace(/;$/, end))
    return
  }
  const line = importLine(binding, specifier, true).replace(/'.*'/, () => quotedAs(text, specifier))
  const last = file.getStatements().findLastIndex((each) => /=\s*require\(/.test(each.getText()))
  if (last >= 0) file.insertStatements(last + 1, line + end)
  else file.insertText(firstStart(file), (writer) => writer.writeLine(line + end).newLine())
}

/** Not between a statement and its doc comment. */
function firstStart(file: SourceFile): number {
  return file.getStatements()[0]?.getStart(true) ?? 0
}

/**
 * Adds scripts to the text of a package.json and keeps its formatting. Existing scripts stay.
 *
 * @returns `undefined` if the text isn't a JSON object
 */
export function addScripts(
  text: string,
  scripts: Readonly<Record<string, string>>,
): string | undefined {
  const file = openText('package.json', text)
  const root = isJson(text) ? rootObject(file) : undefined
  if (root === undefined) return undefined
  const present = memberOf(root, 'scripts', '{}')
  if (!Node.isObjectLiteralExpression(present)) return undefined
  const missing = Object.entries(scripts).filter(
    ([name]) => !present.getProperty(JSON.stringify(name)),
  )
  if (missing.length === 0) return text
  for (const [name, command] of missing)
    present.addPropertyAssignment({
      name: JSON.stringify(name),
      initializer: JSON.stringify(command),
    })
  return file.getFullText()
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function rootObject(file: SourceFile): ObjectLiteralExpression | undefined {
  return file.getStatements()[0]?.getFirstChildByKind(SyntaxKind.ObjectLiteralExpression)
}

/**
 * Adds files to those that Biome or ESLint ignores.
 *
 * @param name - of the configuration file
 * @returns `undefined` if the text has no place for them
 */
export function addIgnored(
  name: string,
  text: string,
  files: readonly string[],
): string | undefined {
  const missing = files.filter((file) => !text.includes(file.replace('**/', '')))
  if (missing.length === 0) return text
  const isBiome = name.startsWith('biome')
  const file = openText(isBiome ? 'biome.json' : name, text)
  // Biome 1 has `ignore`, and `include` for what is not ignored.
  const isNegated = isBiome && !/\/schemas\/1\.|"ignore"\s*:/.test(text)
  const list = isBiome ? biomeList(file, isNegated) : eslintList(file)
  for (const path of missing) list?.addElement(quotedAs(text, `${isNegated ? '!' : ''}${path}`))
  return list === undefined ? undefined : file.getFullText()
}

function biomeList(file: SourceFile, isNegated: boolean): ArrayLiteralExpression | undefined {
  const root = rootObject(file)
  const files = root && memberOf(root, 'files', '{}')
  if (!Node.isObjectLiteralExpression(files)) return undefined
  const list = isNegated ? memberOf(files, 'includes', '["**"]') : memberOf(files, 'ignore', '[]')
  return Node.isArrayLiteralExpression(list) ? list : undefined
}

/** `globalIgnores([ … ])`, or `{ ignores: [ … ] }` without other properties. */
function eslintList(file: SourceFile): ArrayLiteralExpression | undefined {
  return file.getDescendantsOfKind(SyntaxKind.ArrayLiteralExpression).find((list) => {
    const parent = list.getParent()
    if (Node.isCallExpression(parent)) return parent.getExpression().getText() === 'globalIgnores'
    return (
      Node.isPropertyAssignment(parent) &&
      parent.getName() === 'ignores' &&
      parent.getParentIfKind(SyntaxKind.ObjectLiteralExpression)?.getProperties().length === 1
    )
  })
}

/** The value of a property of JSON, which is added if it is missing. */
function memberOf(
  object: ObjectLiteralExpression,
  name: string,
  initial: string,
): Node | undefined {
  const key = JSON.stringify(name)
  const property =
    object.getProperty(key) ?? object.addPropertyAssignment({ name: key, initializer: initial })
  return Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
}

/** Opens a text as a file whose edits follow its formatting. The name selects the language. */
function openText(name: string, text: string): SourceFile {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { allowJs: true },
    manipulationSettings: {
      indentationText: indentationOf(text),
      newLineKind: text.includes('\r\n')
        ? NewLineKind.CarriageReturnLineFeed
        : NewLineKind.LineFeed,
      quoteKind: quotedAs(text, '').startsWith('"') ? QuoteKind.Double : QuoteKind.Single,
      useTrailingCommas: !name.endsWith('.json') && hasTrailingCommas(text),
    },
  })
  return project.createSourceFile(name, text)
}

function hasTrailingCommas(text: string): boolean {
  return !/[^\s,;[{(]\s*\n\s*[\]}]/.test(text.replaceAll(/\s*\/\/.*/g, ''))
}

function indentationOf(text: string): IndentationText {
  const [, first = ''] = /^([ \t]+)\S/m.exec(text) ?? []
  if (first.startsWith('\t')) return IndentationText.Tab
  return first.length === 4 ? IndentationText.FourSpaces : IndentationText.TwoSpaces
}

/** Whether a file parses without an error. */
function isWellFormed(file: SourceFile): boolean {
  return file.getProject().getProgram().getSyntacticDiagnostics(file).length === 0
}

/** Adds a property to an object, on its line if the object has only one. */
function addProperty(object: ObjectLiteralExpression, name: string, initializer: string): void {
  const text = object.getText()
  if (text.includes('\n') || object.getProperties().length === 0)
    object.addPropertyAssignment({ name, initializer })
  else object.replaceWithText(text.replace(/,?\s*\}$/, `, ${name}: ${initializer} }`))
}
