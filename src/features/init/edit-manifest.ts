import { Node, type ObjectLiteralExpression, type SourceFile, SyntaxKind } from 'ts-morph'
import { openText } from './syntax.ts'

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
  const section = root.getProperty('"scripts"') ?? addSection(root)
  const present = Node.isPropertyAssignment(section) ? section.getInitializer() : undefined
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

function addSection(root: ObjectLiteralExpression): Node {
  return root.addPropertyAssignment({ name: '"scripts"', initializer: '{}' })
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
