/**
 * Edits of code and JSON that keep what is there: the plugin in a bundler's configuration, entries of
 * package.json, files that Biome ignores. Loads TypeScript.
 */
import {
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

/**
 * Adds the plugin to a configuration whose default export or `module.exports` is an object or a
 * call with one, such as `defineConfig({ plugins: [ … ] })`. The rest of the file stays unchanged.
 *
 * @param name - of the file; its extension selects the language
 * @returns the same text if the plugin is there already; `undefined` if the file has a form that can't
 *   be edited safely
 */
export function addPlugin(
  name: string,
  text: string,
  { specifier, list, isModuleName = false }: Pick<Bundler, 'specifier' | 'list' | 'isModuleName'>,
): string | undefined {
  if (/["']unplugin-prompts(?:\/|["'])/.test(text)) return text
  const file = openText(name, text)
  const exported = isWellFormed(file) ? exportedExpression(file) : undefined
  const plugin = /\bprompts\b/.test(text) ? 'promptsPlugin' : 'prompts'
  const binding = list === undefined ? WRAPPER : plugin
  const entry = isModuleName ? quotedAs(text, specifier) : `${binding}()`
  const isAdded = list === undefined ? wrap(exported) : addTo(objectIn(exported), list, entry)
  if (!isAdded) return undefined
  if (!isModuleName) addImport(file, binding, specifier)
  return isWellFormed(file) ? file.getFullText() : undefined
}

/** A string literal in the style of the file: of its imports, or else of its first literal. */
function quotedAs(text: string, value: string): string {
  const quote = /(?:\bfrom|\bimport|\brequire\()\s*(["'])/.exec(text) ?? /(["'])/.exec(text)
  return quote?.[1] === '"' ? `"${value}"` : `'${value}'`
}

function wrap(exported: Expression | undefined): boolean {
  if (exported === undefined || exported.getSourceFile().getText().includes(WRAPPER)) return false
  exported.replaceWithText(`${WRAPPER}(${exported.getText()})`)
  return true
}

function exportedExpression(file: SourceFile): Expression | undefined {
  const exported = file.getExportAssignment((assignment) => !assignment.isExportEquals())
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
  // `( … )`, `… as Type`, `… satisfies Type`
  if (Node.isExpressioned(node)) return objectIn(node.getExpression())
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

/** Adds an element to the array of a property; `false` if the form is unknown. */
function addTo(object: ObjectLiteralExpression | undefined, key: string, entry: string): boolean {
  const list = object && valueOf(object, key, '[]')
  if (!Node.isArrayLiteralExpression(list)) return false
  list.addElement(entry)
  return true
}

/** The value of a property, which is added if it is missing; `undefined` if the form is unknown. */
function valueOf(object: ObjectLiteralExpression, key: string, initial: string): Node | undefined {
  const properties = object.getProperties()
  const at = properties.findIndex(
    (property) =>
      !Node.isSpreadAssignment(property) && unquoted(property.getName()) === unquoted(key),
  )
  // A spread may contain or override the key.
  if (properties.slice(Math.max(0, at)).some(Node.isSpreadAssignment)) return undefined
  const property = properties[at] ?? addProperty(object, key, initial)
  return Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
}

function unquoted(name: string): string {
  return name.replaceAll(/["']/g, '')
}

/** Adds a property to an object; a list on its line, if the object has only one. */
function addProperty(
  object: ObjectLiteralExpression,
  name: string,
  initializer: string,
): Node | undefined {
  const text = object.getText()
  const isEmpty = object.getProperties().length === 0
  if (text.includes('\n') || isEmpty || initializer === '{}')
    return object.addPropertyAssignment({ name, initializer })
  const edited = object.replaceWithText(text.replace(/,?\s*\}$/, `, ${name}: ${initializer} }`))
  return Node.isObjectLiteralExpression(edited) ? edited.getProperties().at(-1) : undefined
}

/** Adds the import after the others, in the style of the file. */
function addImport(file: SourceFile, binding: string, specifier: string): void {
  const text = file.getFullText()
  const isCommonJs = commonJsExport(file) !== undefined
  const line = importLine(binding, specifier, isCommonJs)
    .replace(/'.*'/, () => quotedAs(text, specifier))
    .concat(/;\s*$/m.test(text) ? ';' : '')
  const load = isCommonJs ? /=\s*require\(/ : /^import\b/
  const last = file.getStatements().findLast((statement) => load.test(statement.getText()))
  // Not between a statement and its doc comment.
  const start = file.getStatements()[0]?.getStart(true) ?? 0
  if (last === undefined) file.insertText(start, (writer) => writer.writeLine(line).newLine())
  else file.insertText(last.getTrailingTriviaEnd(), (writer) => writer.newLine().write(line))
}

/**
 * Adds entries to an object in the text of a package.json, such as `scripts`, and keeps its formatting.
 * Existing entries stay.
 *
 * @returns `undefined` if the text isn't a JSON object
 */
export function addEntries(
  text: string,
  key: 'scripts' | 'imports',
  entries: Readonly<Record<string, string>>,
): string | undefined {
  const file = openText('package.json', text)
  const root = rootObject(file)
  const present = root && valueOf(root, JSON.stringify(key), '{}')
  if (!Node.isObjectLiteralExpression(present)) return undefined
  const missing = Object.entries(entries).filter(
    ([name]) => !present.getProperty(JSON.stringify(name)),
  )
  for (const [name, value] of missing)
    present.addPropertyAssignment({
      name: JSON.stringify(name),
      initializer: JSON.stringify(value),
    })
  return missing.length === 0 ? text : file.getFullText()
}

/** Adds a folder to the `files` of a package.json, where it has such a list. */
export function addPacked(text: string, folder: string): string {
  const file = openText('package.json', text)
  const property = rootObject(file)?.getProperty('"files"')
  const list = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
  if (!Node.isArrayLiteralExpression(list) || list.getText().includes(`"${folder}`)) return text
  list.addElement(JSON.stringify(folder))
  return file.getFullText()
}

function rootObject(file: SourceFile): ObjectLiteralExpression | undefined {
  return file.getStatements()[0]?.getFirstChildByKind(SyntaxKind.ObjectLiteralExpression)
}

/**
 * Adds files to those that Biome ignores.
 *
 * @param text - of its configuration
 * @returns `undefined` if the text has no place for them
 */
export function addIgnored(text: string, files: readonly string[]): string | undefined {
  const missing = files.filter((file) => !text.includes(file.replace('**/', '')))
  if (missing.length === 0) return text
  const file = openText('biome.json', text)
  // Biome 1 has `ignore`, and `include` for what is not ignored.
  const isNegated = !/\/schemas\/1\.|"ignore"\s*:/.test(text)
  const list = biomeList(file, isNegated)
  if (!Node.isArrayLiteralExpression(list)) return undefined
  for (const path of missing) list.addElement(JSON.stringify(`${isNegated ? '!' : ''}${path}`))
  return file.getFullText()
}

function biomeList(file: SourceFile, isNegated: boolean): Node | undefined {
  const root = rootObject(file)
  const files = root && valueOf(root, '"files"', '{}')
  if (!Node.isObjectLiteralExpression(files)) return undefined
  return isNegated ? valueOf(files, '"includes"', '["**"]') : valueOf(files, '"ignore"', '[]')
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

function isWellFormed(file: SourceFile): boolean {
  return file.getProject().getProgram().getSyntacticDiagnostics(file).length === 0
}
