import {
  type BinaryExpression,
  type Expression,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
} from 'ts-morph'
import { type Bundler, importLine, WRAPPER } from './bundlers.ts'
import { addProperty, isWellFormed, openText } from './syntax.ts'

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

/** A string literal in the style of the file. */
function quotedAs(text: string, value: string): string {
  return text.includes('"') && !text.includes("'") ? `"${value}"` : `'${value}'`
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
