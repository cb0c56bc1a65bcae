import { ts } from '../../analysis/app/compiler.ts'
import type { NameChanges } from './renames.ts'
import { applyEdits, sortEdits, type TextEdit, type TextRange } from './text-edits.ts'

/** Code that can't be edited safely. */
export interface Obstacle {
  readonly node: ts.Node
  /** One line. */
  readonly reason: string
  /** The prompt that it concerns. Default: that of the code. */
  readonly slug?: string
}

/** An edit, and the code that it is for. */
export interface NodeEdit extends TextEdit {
  readonly node: ts.Node
}

/** One file while it is rewritten: the same syntax tree, with the types before and after. */
export interface RewriteContext {
  readonly file: ts.SourceFile
  /** The nodes of the file, parents first. */
  readonly nodes: readonly ts.Node[]
  /** The checker with the declarations before the update. */
  readonly old: ts.TypeChecker
  /** The checker with the declarations after the update. */
  readonly now: ts.TypeChecker
  readonly names: NameChanges
  /** Members of object literals whose name changes, with the new name, of all files. */
  readonly members: Map<ts.Node, string>
  readonly edits: NodeEdit[]
  readonly obstacles: Obstacle[]
}

/** Adds an edit that replaces a node, or the range between two positions. */
export function replace(
  { edits, file }: RewriteContext,
  node: ts.Node,
  text: string,
  { start = node.getStart(file), end = node.getEnd() }: Partial<TextRange> = {},
): void {
  edits.push({ node, start, end, text })
}

/** Returns the text of a node with the edits in it so far, such as new names of prompts. */
export function currentText({ file, edits }: RewriteContext, node: ts.Node): string {
  const [from, to] = [node.getStart(file), node.getEnd()]
  const inside = edits
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end, text }) => ({ start: start - from, end: end - from, text }))
  return applyEdits(node.getText(file), sortEdits(inside))
}

/** Notes that code can't be edited safely. */
export function refuse({ obstacles }: RewriteContext, node: ts.Node, reason: string): void {
  obstacles.push({ node, reason })
}

/** Notes that the new name of some code is not decidable. */
export function refuseUnclear(context: RewriteContext, node: ts.Node, name: string): void {
  refuse(context, node, `the new name of \`${name}\` depends on the prompt`)
}

/**
 * What happens to a name that a type has. `copied`: the type has the old and the new name, since one of two
 * prompts keeps the old one.
 */
export type NameFate =
  | { readonly kind: 'renamed' | 'copied'; readonly to: string }
  | { readonly kind: 'removed' }

/**
 * Decides the fate of a name: `undefined` if it stays, was not there, or has no single new name, which is an
 * obstacle at the node if one is given.
 */
export type DecideName = (name: string, node?: ts.Node) => NameFate | undefined

/** Returns the type of some code according to one of the checkers. */
export type ReadType = (checker: ts.TypeChecker) => ts.Type | undefined

/**
 * Compares a type before and after the update.
 *
 * @param hasName - whether a type has a name. Default: as a property
 */
export function compareTypes(
  context: RewriteContext,
  readType: ReadType,
  hasName: (type: ts.Type | undefined, name: string) => boolean = hasProperty,
): DecideName {
  const { old, now, names } = context
  const [before, after] = [readType(old), readType(now)]
  const had = (name: string): boolean => hasName(before, name)
  const has = (name: string): boolean => hasName(after, name)
  return (name, node) => {
    const targets = names.get(name)
    if (targets === undefined || !had(name)) return undefined
    const wanted = [...targets].filter((target) => target !== undefined).filter(has)
    const [to, ...others] = wanted.filter((target) => !had(target))
    const stays = has(name)
    if (to !== undefined && others.length === 0) return { kind: stays ? 'copied' : 'renamed', to }
    if (stays) return undefined
    if (wanted.length === 0) return targets.has(undefined) ? { kind: 'removed' } : undefined
    if (node !== undefined) refuseUnclear(context, node, name)
    return undefined
  }
}

/** Compares the types that are wanted in a place. */
export function compareWanted(context: RewriteContext, node: ts.Expression): DecideName {
  return compareTypes(context, (checker) => checker.getContextualType(node))
}

/** Whether a type, or a part of a union, has a property of a name. */
export function hasProperty(type: ts.Type | undefined, name: string): boolean {
  return partsOf(type).some((part) => part.getProperty(name) !== undefined)
}

/** Returns the parts of a union, or the type itself. */
export function partsOf(type: ts.Type | undefined): readonly ts.Type[] {
  if (type === undefined) return []
  return type.isUnion() ? type.types : [type]
}

/** Whether a type has no names. */
export function isUntyped({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) !== 0
}
