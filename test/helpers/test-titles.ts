import { ts } from 'ts-morph'

/** A placeholder in a title: by position, or by the name of a property. */
const SLOT = /%[a-z]|\$\w+/g

type Values = ReadonlyMap<string, ReadonlySet<string>>

/** What a test file declares, read from its source without running it. */
export interface TestTitles {
  /** Titles as they are written, from the outermost `describe` to the test. */
  readonly tests: readonly (readonly string[])[]
  /** Texts and numbers by the property that has them; under `''` every one, with keys as well. */
  readonly values: Values
}

/** Tests that are skipped or to be done in any case are left out. */
export function readTitles(code: string): TestTitles {
  const tests: string[][] = []
  const values = new Map<string, Set<string>>()
  const add = (key: string, value: string): void => {
    values.set(key, (values.get(key) ?? new Set()).add(value))
  }
  const source = ts.createSourceFile('file.ts', code, ts.ScriptTarget.Latest)
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (isValue(node)) add('', node.text)
    if (ts.isPropertyAssignment(node) && isValue(node.initializer))
      add(node.name.getText(source), node.initializer.text)
    const call = ts.isCallExpression(node) ? declared(node, source) : undefined
    if (call?.kind === 'test') tests.push([...path, call.title])
    const inner = call === undefined ? path : [...path, call.title]
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  visit(source, [])
  return { tests, values }
}

/** Whether a file has the test: `describe › title`, as written or of one case. */
export function hasTest({ tests, values }: TestTitles, citation: string): boolean {
  const cited = citation.split(' › ')
  return tests.some((path) =>
    path.slice(-cited.length).every((title, index) => isTitle(cited[index] ?? '', title, values)),
  )
}

/** Whether it is the title as written, or with values of the file for `%s`, `$title` and the like. */
function isTitle(cited: string, title: string, values: Values): boolean {
  if (cited === title) return true
  const pattern = title.split(SLOT).map((text) => text.replace(/[^\w\s]/g, '\\$&'))
  const [, ...found] = new RegExp(`^${pattern.join('(.+)')}$`, 's').exec(cited) ?? []
  const keys = title.match(SLOT)?.map((slot) => (slot.startsWith('$') ? slot.slice(1) : '')) ?? []
  const isValueOf = (text: string, key = ''): boolean =>
    values.get(key)?.has(text.replace(/^"(.*)"$/s, '$1')) ?? false
  return found.length > 0 && found.every((text, index) => isValueOf(text, keys[index]))
}

/** The title of `test('…')`, `describe.each(…)('…')`, `test.skipIf(…)('…')` and the like. */
function declared(
  node: ts.CallExpression,
  source: ts.SourceFile,
): { kind: 'describe' | 'test'; title: string } | undefined {
  const [first] = node.arguments
  let callee: ts.Expression = node.expression
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) {
    if (ts.isPropertyAccessExpression(callee) && /^(?:skip|todo)$/.test(callee.name.text)) return
    callee = callee.expression
  }
  if (first === undefined || !ts.isIdentifier(callee)) return
  const kind = callee.text
  if (kind !== 'describe' && kind !== 'test') return
  if (ts.isStringLiteralLike(first)) return { kind, title: first.text }
  if (ts.isTemplateExpression(first)) return { kind, title: first.getText(source).slice(1, -1) }
}

function isValue(node: ts.Node): node is ts.StringLiteralLike | ts.NumericLiteral | ts.Identifier {
  return ts.isStringLiteralLike(node) || ts.isNumericLiteral(node) || ts.isIdentifier(node)
}
