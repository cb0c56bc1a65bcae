import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

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
  const add = (key: string, node: ESTree.Node): void => {
    const value = textOf(node)
    if (value !== undefined) values.set(key, (values.get(key) ?? new Set()).add(value))
  }
  const addToAll = (node: ESTree.Node): void => add('', node)
  const path: string[] = []
  const visitor = new Visitor({
    Identifier: addToAll,
    Literal: addToAll,
    TemplateLiteral: addToAll,
    Property({ key, value, shorthand }) {
      if (!shorthand) add(code.slice(key.start, key.end), value)
    },
    CallExpression(node) {
      const call = declared(node, code)
      if (call === undefined) return
      path.push(call.title)
      if (call.kind === 'test') tests.push([...path])
    },
    'CallExpression:exit'(node) {
      if (declared(node, code) !== undefined) path.pop()
    },
  })
  visitor.visit(parseSync('file.ts', code).program)
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
  node: ESTree.CallExpression,
  code: string,
): { kind: 'describe' | 'test'; title: string } | undefined {
  const [first] = node.arguments
  let callee: ESTree.Expression = node.callee
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
    if (callee.type === 'CallExpression') {
      callee = callee.callee
      continue
    }
    if (/^(?:skip|todo)$/.test(code.slice(callee.property.start, callee.property.end))) return
    callee = callee.object
  }
  if (first === undefined || callee.type !== 'Identifier') return
  const kind = callee.name
  if (kind !== 'describe' && kind !== 'test') return
  const title = first.type === 'Identifier' ? undefined : textOf(first)
  if (title !== undefined) return { kind, title }
  if (first.type === 'TemplateLiteral')
    return { kind, title: code.slice(first.start + 1, first.end - 1) }
}

/** The text of a literal without expressions, or an identifier's name. */
function textOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'TemplateLiteral')
    return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined
  if (node.type === 'Literal' && /^(?:string|number)$/.test(typeof node.value))
    return String(node.value)
}
