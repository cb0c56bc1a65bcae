import type { Place } from '../../core/impact.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { relativePath } from '../../fs/paths.ts'
import { ts } from './compiler.ts'
import { toSourceName } from './components.ts'

export function placeAt(file: ts.SourceFile, offset: number, root: string): Place {
  const { line, character } = file.getLineAndCharacterOfPosition(offset)
  return { file: pathFrom(root, file.fileName), line: line + 1, column: character + 1 }
}

/** The path of a file from the app's folder, by the name that the compiler uses for it. */
export function pathFrom(root: string, path: string): string {
  return relativePath(root, toSourceName(path))
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
