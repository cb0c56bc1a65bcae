import { Node, type ObjectLiteralExpression, type SourceFile, SyntaxKind } from 'ts-morph'
import type { ProjectFiles } from './project-files.ts'
import type { PlannedPart } from './step.ts'
import { openText } from './syntax.ts'

const SCRIPTS = { 'prompts:pull': 'prompts pull', 'prompts:check': 'prompts check' }

/** Plans the scripts in package.json. */
export function planManifest({ manifest }: Pick<ProjectFiles, 'manifest'>): PlannedPart {
  const text = manifest === undefined ? undefined : addScripts(manifest, SCRIPTS)
  if (text === undefined) {
    const lines = Object.entries(SCRIPTS).map(([name, command]) => `"${name}": "${command}",`)
    return { manual: { what: 'Add these scripts to package.json:', lines } }
  }
  if (text === manifest) return {}
  const what = `scripts ${Object.keys(SCRIPTS).join(', ')}`
  return { change: { name: 'package.json', kind: 'updated', text, what } }
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
  const section =
    root.getProperty('"scripts"') ??
    root.addPropertyAssignment({ name: '"scripts"', initializer: '{}' })
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
