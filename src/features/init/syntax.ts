import { ts } from 'ts-morph'

/** A piece of text to put into a file, at an offset. */
export interface Insertion {
  readonly at: number
  readonly text: string
}

/** The text with all insertions made. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((edited, { at, text: piece }) => edited.slice(0, at) + piece + edited.slice(at), text)
}

/** Parses TypeScript or JavaScript; the parser mends what is wrong, see {@link isWellFormed}. */
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

/** The blanks before the line in which an offset is. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? ''
}

/** One step of indentation in a file: what its first indented line begins with. */
export function indentUnit(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
}

/** The file's line end. */
export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** An array or object literal, in a script or in JSON. */
export interface List {
  readonly elements: ts.NodeArray<ts.Node>
  readonly node: ts.Node
}

/** Puts an element behind the last one of a list, in the form of the others. */
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

/** Behind a comment that ends the line: it speaks of what stands before it. */
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
