import { ts } from 'ts-morph'

/** Text to insert into a file at an offset. */
export interface Insertion {
  readonly at: number
  readonly text: string
}

/** Applies insertions to a text. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((edited, { at, text: piece }) => edited.slice(0, at) + piece + edited.slice(at), text)
}

/** Parses TypeScript or JavaScript. The parser tolerates errors, see {@link isWellFormed}. */
export function parseScript(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
}

/** Whether a text parses without an error. */
export function isWellFormed(name: string, text: string): boolean {
  const options = { target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext }
  const { diagnostics } = ts.transpileModule(text, {
    fileName: name,
    compilerOptions: options,
    reportDiagnostics: true,
  })
  return diagnostics?.length === 0
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? ''
}

/** The indentation unit of a file: that of its first indented line. */
export function indentUnit(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
}

/** The line break of a file. */
export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** An array or object literal, in a script or in JSON. */
export interface List {
  readonly elements: ts.NodeArray<ts.Node>
  readonly node: ts.Node
}

/** Appends an element to a list, formatted like the others. */
export function appendTo(text: string, { elements, node }: List, piece: string): Insertion[] {
  const last = elements.at(-1)
  if (last === undefined) return [insertIntoEmpty(text, node, piece)]
  const spread = text.slice(last.getEnd(), node.getEnd()).includes('\n')
  if (!spread) {
    const at = elements.hasTrailingComma ? elements.end : last.getEnd()
    return [{ at, text: elements.hasTrailingComma ? ` ${piece},` : `, ${piece}` }]
  }
  const indent = indentAt(text, (elements[0] ?? last).getStart())
  const line = lineEnd(text) + indent + piece
  if (elements.hasTrailingComma) return [{ at: afterComment(text, elements.end), text: `${line},` }]
  const comma = { at: last.getEnd(), text: ',' }
  return [{ at: afterComment(text, last.getEnd()), text: line }, comma]
}

/** The offset after a comment at the end of the line, which belongs to the previous element. */
function afterComment(text: string, offset: number): number {
  return offset + (/^[ \t]*\/\/[^\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0)
}

function insertIntoEmpty(text: string, node: ts.Node, piece: string): Insertion {
  const at = node.getStart() + 1
  if (ts.isArrayLiteralExpression(node)) return { at, text: piece }
  const outer = lineEnd(text) + indentAt(text, node.getStart())
  const comma = node.getSourceFile().fileName.endsWith('.json') ? '' : ','
  const tail = node.getText().includes('\n') ? comma : comma + outer
  return { at, text: `${outer}${indentUnit(text)}${piece}${tail}` }
}
