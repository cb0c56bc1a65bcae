import { ts } from 'ts-morph'
import { appendTo, applyInsertions, indentUnit, type Insertion, lineEnd } from './syntax.ts'

/**
 * Adds scripts to the text of a package.json and keeps its formatting. Existing scripts stay.
 *
 * @returns `undefined` if the text isn't a JSON object
 */
export function addScripts(
  text: string,
  scripts: Readonly<Record<string, string>>,
): string | undefined {
  const root = rootObject(text)
  if (root === undefined) return undefined
  const present = objectProperty(root, 'scripts')
  const missing = Object.entries(scripts).filter(
    ([name]) => propertyOf(present, name) === undefined,
  )
  if (missing.length === 0) return text
  const pieces = missing.map(
    ([name, command]) => `${JSON.stringify(name)}: ${JSON.stringify(command)}`,
  )
  if (present === undefined && propertyOf(root, 'scripts') !== undefined) return undefined
  if (present === undefined) return applyInsertions(text, newScripts(text, root, pieces))
  return pieces.reduce((edited, piece) => appendScript(edited, piece), text)
}

/** One at a time, so each follows the formatting of the previous one. */
function appendScript(text: string, piece: string): string {
  const root = rootObject(text)
  const node = root && objectProperty(root, 'scripts')
  if (node === undefined) return text
  return applyInsertions(text, appendTo(text, { elements: node.properties, node }, piece))
}

function newScripts(
  text: string,
  root: ts.ObjectLiteralExpression,
  pieces: readonly string[],
): Insertion[] {
  const [unit, end] = [indentUnit(text), lineEnd(text)]
  const lines = pieces.map((piece) => `${end}${unit}${unit}${piece}`).join(',')
  const scripts = `"scripts": {${lines}${end}${unit}}`
  return appendTo(text, { elements: root.properties, node: root }, scripts)
}

function rootObject(text: string): ts.ObjectLiteralExpression | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const file = ts.createSourceFile('package.json', text, ts.ScriptTarget.JSON, true)
  const [statement] = file.statements
  if (statement === undefined || !ts.isExpressionStatement(statement)) return undefined
  return ts.isObjectLiteralExpression(statement.expression) ? statement.expression : undefined
}

function propertyOf(
  object: ts.ObjectLiteralExpression | undefined,
  name: string,
): ts.Expression | undefined {
  for (const property of object?.properties ?? []) {
    const isNamed = ts.isPropertyAssignment(property) && ts.isStringLiteral(property.name)
    if (isNamed && property.name.text === name) return property.initializer
  }
  return undefined
}

function objectProperty(
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.ObjectLiteralExpression | undefined {
  const value = propertyOf(object, name)
  return value !== undefined && ts.isObjectLiteralExpression(value) ? value : undefined
}
