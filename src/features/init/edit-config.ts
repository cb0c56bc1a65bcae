import { ts } from 'ts-morph'
import { importLine, WRAPPER } from './import-line.ts'
import {
  appendTo,
  applyInsertions,
  type Insertion,
  isWellFormed,
  lineEnd,
  parseScript,
} from './syntax.ts'

/** The result of editing a configuration file. */
export type ConfigEdit =
  | { readonly kind: 'edited'; readonly text: string }
  /** The plugin is already there. */
  | { readonly kind: 'present' }
  /** The file has a form that can't be edited safely. */
  | { readonly kind: 'unknown' }

/** Which plugin to add where. */
export interface PluginPlace {
  /** Name of the file. Its extension selects the language. */
  readonly name: string
  /** The import specifier of the plugin, such as `unplugin-prompts/vite`. */
  readonly specifier: string
  /** The keys that lead to the array of plugins. Empty to wrap the exported configuration. */
  readonly path: readonly string[]
  /** Whether the array has names of modules, which are not imported. */
  readonly isModuleName?: boolean
}

/**
 * Adds the plugin to a configuration whose default export or `module.exports` is an object or a
 * call with one, such as `defineConfig({ plugins: [ … ] })`. The rest of the file stays unchanged.
 */
export function addPlugin(
  text: string,
  { name, specifier, path, isModuleName = false }: PluginPlace,
): ConfigEdit {
  if (/["']unplugin-prompts(?:\/|["'])/.test(text)) return { kind: 'present' }
  const file = parseScript(name, text)
  if (!isWellFormed(name, text)) return { kind: 'unknown' }
  const binding = path.length === 0 ? WRAPPER : pluginBinding(text)
  const entry = isModuleName ? quotedAs(file, specifier) : `${binding}()`
  const use = path.length === 0 ? wrapExport(file) : addToArray(file, path, entry)
  if (use === undefined) return { kind: 'unknown' }
  const added = isModuleName ? [] : [importInsertion(file, binding, specifier)]
  const edited = applyInsertions(text, [...added, ...use])
  return isWellFormed(name, edited) ? { kind: 'edited', text: edited } : { kind: 'unknown' }
}

function pluginBinding(text: string): string {
  return /\bprompts\b/.test(text) ? 'promptsPlugin' : 'prompts'
}

/** Passes the exported expression to the wrapper, whatever it is. */
function wrapExport(file: ts.SourceFile): Insertion[] | undefined {
  const exported = exportedExpression(file)
  if (exported === undefined || file.text.includes(WRAPPER)) return undefined
  return [
    { at: exported.getStart(), text: `${WRAPPER}(` },
    { at: exported.getEnd(), text: ')' },
  ]
}

function addToArray(
  file: ts.SourceFile,
  path: readonly string[],
  plugin: string,
): Insertion[] | undefined {
  const exported = exportedExpression(file)
  const config = exported && objectIn(exported, file)
  return config && pluginInsertion(file.text, config, path, plugin)
}

function exportedExpression(file: ts.SourceFile): ts.Expression | undefined {
  for (const statement of file.statements) {
    const exported = exportedBy(statement)
    if (exported !== undefined) return exported
  }
  return undefined
}

function exportedBy(statement: ts.Statement): ts.Expression | undefined {
  if (ts.isExportAssignment(statement)) {
    return statement.isExportEquals === true ? undefined : statement.expression
  }
  const expression = ts.isExpressionStatement(statement) ? statement.expression : undefined
  return expression !== undefined && isCommonJsExport(expression) ? expression.right : undefined
}

function isCommonJsExport(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    node.left.getText() === 'module.exports'
  )
}

function isCommonJs({ statements }: ts.SourceFile): boolean {
  return statements.some(
    (each) => ts.isExpressionStatement(each) && isCommonJsExport(each.expression),
  )
}

function objectIn(
  node: ts.Expression,
  file: ts.SourceFile,
): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(node)) return node
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAsExpression(node)
  ) {
    return objectIn(node.expression, file)
  }
  if (ts.isCallExpression(node)) {
    const [argument, ...others] = node.arguments
    return argument === undefined || others.length > 0 ? undefined : objectIn(argument, file)
  }
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return objectIn(node.body, file)
  return ts.isIdentifier(node) ? constantObject(node.text, file) : undefined
}

/** `const config = { … }` at the top level of the module. */
function constantObject(name: string, file: ts.SourceFile): ts.ObjectLiteralExpression | undefined {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name: binding, initializer } of statement.declarationList.declarations) {
      const found = ts.isIdentifier(binding) && binding.text === name
      if (found && initializer !== undefined && !ts.isIdentifier(initializer)) {
        return objectIn(initializer, file)
      }
    }
  }
  return undefined
}

/** Follows the path and adds its missing part; `undefined` if the form is unknown. */
function pluginInsertion(
  text: string,
  object: ts.ObjectLiteralExpression,
  [key = '', ...rest]: readonly string[],
  plugin: string,
): Insertion[] | undefined {
  const { properties } = object
  const property = properties.find(({ name }) => name !== undefined && keyOf(name) === key)
  if (hidesKey(properties, property)) return undefined
  if (property === undefined) {
    const value = rest.reduceRight((inner, each) => `{ ${each}: ${inner} }`, `[${plugin}]`)
    return appendTo(text, { elements: properties, node: object }, `${key}: ${value}`)
  }
  const value = ts.isPropertyAssignment(property) ? property.initializer : object
  if (rest.length > 0 && value !== object && ts.isObjectLiteralExpression(value)) {
    return pluginInsertion(text, value, rest, plugin)
  }
  if (rest.length > 0 || !ts.isArrayLiteralExpression(value)) return undefined
  return appendTo(text, { elements: value.elements, node: value }, plugin)
}

/** Whether a spread may contain or override the key. */
function hidesKey(
  properties: readonly ts.ObjectLiteralElementLike[],
  property: ts.ObjectLiteralElementLike | undefined,
): boolean {
  const at = property === undefined ? 0 : properties.indexOf(property)
  return properties.slice(at).some(ts.isSpreadAssignment)
}

function keyOf(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined
}

/** A string literal in the style of the file. */
function quotedAs({ text }: ts.SourceFile, value: string): string {
  return text.includes('"') && !text.includes("'") ? `"${value}"` : `'${value}'`
}

/** Inserts the import after the last one, in the same style. */
function importInsertion(file: ts.SourceFile, binding: string, specifier: string): Insertion {
  const { text } = file
  const commonJs = isCommonJs(file)
  const last = file.statements.findLast(commonJs ? isRequire : ts.isImportDeclaration)
  const sample = last?.getText() ?? ''
  const line = importLine(binding, specifier, commonJs)
  const quoted = sample.includes('"') ? line.replaceAll("'", '"') : line
  const ended = sample.endsWith(';') ? `${quoted};` : quoted
  const end = lineEnd(text)
  if (last !== undefined) return { at: last.getEnd(), text: end + ended }
  // Not between a statement and its doc comment.
  const first = file.statements[0]?.getStart(file, true) ?? 0
  return { at: first, text: `${ended}${end}${end}` }
}

function isRequire(statement: ts.Statement): boolean {
  return ts.isVariableStatement(statement) && /=\s*require\(/.test(statement.getText())
}
