import { join } from 'node:path'
import { cutLine, type Place } from '../core/impact.ts'
import { compareCodePoints, groupBy } from '../core/text/order.ts'
import { relativePath } from '../fs/paths.ts'
import { ts } from './compiler.ts'

export function placeAt(file: ts.SourceFile, offset: number, root: string): Place {
  const { line, character } = file.getLineAndCharacterOfPosition(offset)
  return { file: relativePath(root, file.fileName), line: line + 1, column: character + 1 }
}

/**
 * Sorts by file and position, and removes duplicates: several tsconfigs may include a file.
 *
 * @param distinguish - what else makes two of one position different
 */
export function sortPlaces<At extends Place>(
  places: readonly At[],
  distinguish: (place: At) => string = () => '',
): At[] {
  const unique = new Map(
    places.map((at) => [JSON.stringify([at.file, at.line, at.column, distinguish(at)]), at]),
  )
  return [...unique.values()].toSorted(
    (a, b) => compareCodePoints(a.file, b.file) || a.line - b.line || a.column - b.column,
  )
}

/**
 * Adds the line of code to places in the app, as it is on disk. A place in a file that can't be read stays
 * without.
 *
 * @param root - what the files are relative to, absolute
 */
export function withCode<At extends Place>(places: readonly At[], root: string): At[] {
  const files = new Map<string, string[]>()
  return places.map((place) => {
    // Without a byte order mark, as the compiler counts columns.
    const lines =
      files.get(place.file) ?? ts.sys.readFile(join(root, place.file))?.split(LINE_BREAK) ?? []
    files.set(place.file, lines)
    const line = lines[place.line - 1]
    return line === undefined ? place : { ...place, code: codeAt(line, place.column - 1) }
  })
}

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/

/** Longer lines are cut around the expression. */
const MAX_LENGTH = 160

/** What is marked: a name with its members, an object, a string, or a character. */
const EXPRESSION =
  /^(?:[\p{ID_Continue}$]+(?:\??\.[\p{ID_Continue}$]+)*|\{[^{}]*\}|(["'`]).*?\1|.)/u

function codeAt(line: string, column: number): Place['code'] {
  const indent = Math.min(line.length - line.trimStart().length, column)
  const [text, start] = [line.slice(indent).trimEnd(), column - indent]
  // A cut line of 10 MB has no need of a longer expression.
  const length = EXPRESSION.exec(text.slice(start, start + MAX_LENGTH))?.[0].length ?? 1
  return cutLine({ text, start, length }, MAX_LENGTH)
}

/** Replaces a range of a file; an insertion if the range is empty. */
export interface CodeEdit {
  readonly source: ts.SourceFile
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The edits of an app by path, sorted. They do not overlap. */
export type CodeEdits = ReadonlyMap<string, readonly CodeEdit[]>

/** Sorts edits by file and position, without duplicates: several tsconfigs may include a file. */
export function editsByFile(edits: readonly CodeEdit[]): CodeEdits {
  const unique = new Map(edits.map((edit) => [`${edit.source.fileName}:${edit.start}`, edit]))
  const sorted = [...unique.values()].toSorted((a, b) => a.start - b.start)
  return groupBy(sorted, ({ source }) => source.fileName)
}

/** Applies sorted edits to the text of their file, or to its beginning. */
export function applyEdits(text: string, edits: readonly CodeEdit[]): string {
  return edits.reduceRight(
    (result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end),
    text,
  )
}

/** The position in the old text of a position in the new one; the start of an edit inside of it. */
export function toOldPosition(edits: readonly CodeEdit[] = [], position: number): number {
  let shift = 0
  for (const { start, end, text } of edits) {
    if (position < start + shift) break
    if (position < start + shift + text.length) return start
    shift += text.length - (end - start)
  }
  return position - shift
}

/** The place in the app as it is on disk of an offset in an edited file. */
export function oldPlaceAt(
  file: ts.SourceFile,
  offset: number,
  { root, edits }: { readonly root: string; readonly edits: CodeEdits },
): Place {
  const ofFile = edits.get(file.fileName)
  return placeAt(ofFile?.[0]?.source ?? file, toOldPosition(ofFile, offset), root)
}

/** A node and all below it, in the order of the code. */
export function nodesBelow(node: ts.Node, nodes: ts.Node[] = []): ts.Node[] {
  nodes.push(node)
  ts.forEachChild(node, (child) => void nodesBelow(child, nodes))
  return nodes
}

/** Returns the innermost node at a position. */
export function nodeAt(file: ts.SourceFile, position: number): ts.Node {
  let innermost: ts.Node = file
  for (let next: ts.Node | undefined = file; next !== undefined;) {
    innermost = next
    next = ts.forEachChild(innermost, (child) =>
      child.getStart(file) <= position && position < child.getEnd() ? child : undefined,
    )
  }
  return innermost
}

/** Whether a node is a part of a name, which is not a use by itself: `x` in `a.x` and in `const x`. */
export function isName(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return false
  if (ts.isQualifiedName(parent)) return parent.right === node
  const keys = ['name', 'propertyName', 'exprName', 'typeName'] as const
  return keys.some((key) => (parent as Partial<Record<typeof key, unknown>>)[key] === node)
}

export type Member = ts.Node & { readonly text: string }

/** The name in `node.name` and `node['name']`. */
export function memberOf({ parent }: ts.Node): Member | undefined {
  if (ts.isQualifiedName(parent)) return parent.right
  if (ts.isPropertyAccessExpression(parent)) return parent.name
  const key = ts.isElementAccessExpression(parent) ? parent.argumentExpression : undefined
  return key && ts.isStringLiteralLike(key) ? key : undefined
}
