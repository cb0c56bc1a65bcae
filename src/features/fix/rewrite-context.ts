import { ts } from '../../analysis/app/compiler.ts'
import { literal } from '../../codegen/literal.ts'
import { isIdentifier } from '../../core/names.ts'
import { hasProperty, type NameChanges, type NameFate, nameFate } from './name-changes.ts'
import type { TextEdit } from './text-edits.ts'

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

/** Something before and after the update. */
interface Sides<Value> {
  readonly before: Value
  readonly after: Value
}

/** Asks the checkers before and after the update. */
export function askBoth<Value>(
  { old, now }: RewriteContext,
  ask: (checker: ts.TypeChecker) => Value,
): Sides<Value> {
  return { before: ask(old), after: ask(now) }
}

/** Returns what happens to a property of types before and after. */
export function propertyFate(
  { old, now, names }: RewriteContext,
  name: string,
  types: Sides<ts.Type | undefined>,
): NameFate | undefined {
  return nameFate(name, names, {
    before: (each) => hasProperty(old, types.before, each),
    after: (each) => hasProperty(now, types.after, each),
  })
}

/** Every name that may change. */
export function changingNames({ names }: Pick<RewriteContext, 'names'>): Set<string> {
  return new Set([...names.renamed.keys(), ...names.removed])
}

/** Adds an edit that replaces a node. */
export function replaceNode({ edits, file }: RewriteContext, node: ts.Node, text: string): void {
  edits.push({ node, start: node.getStart(file), end: node.getEnd(), text })
}

/** Adds an edit that inserts a text before or after a node. */
export function insertBeside(
  { edits, file }: RewriteContext,
  node: ts.Node,
  { before, after }: { readonly before?: string; readonly after?: string },
): void {
  const position = before === undefined ? node.getEnd() : node.getStart(file)
  edits.push({ node, start: position, end: position, text: before ?? after ?? '' })
}

/** Notes that code can't be edited safely. */
export function refuse({ obstacles }: RewriteContext, node: ts.Node, reason: string): void {
  obstacles.push({ node, reason })
}

/** Reports a fate that is no rename, and returns the new name otherwise. */
export function newName(
  context: RewriteContext,
  node: ts.Node,
  name: string,
  fate: NameFate | undefined,
): string | undefined {
  if (fate?.kind === 'renamed') return fate.to
  if (fate?.kind === 'unclear') refuse(context, node, unclearName(name))
  return undefined
}

/** The reason to leave code that a name of several prompts may stand for. */
export function unclearName(name: string): string {
  return `the new name of \`${name}\` depends on the prompt`
}

/**
 * Prints a name as a key of an object literal or pattern: without quotes if it needs none.
 *
 * @param former - the key that it replaces, whose quotes it takes over
 */
export function printKey(context: RewriteContext, name: string, former?: ts.Node): string {
  if (former !== undefined && ts.isStringLiteralLike(former))
    return printString(context, name, former)
  return isPlainName(name) ? name : printString(context, name, former)
}

/** Prints a text as a string with the quotes of a former one, or those of the file. */
export function printString({ file }: RewriteContext, text: string, former?: ts.Node): string {
  const given = former === undefined ? '' : file.text.charAt(former.getStart(file))
  const quote = ['"', "'", '`'].includes(given) ? given : fileQuote(file)
  const printed = literal(text)
  if (quote === '"') return printed
  const inner = printed.slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)
  return `${quote}${quote === '`' ? inner.replaceAll('${', '\\${') : inner}${quote}`
}

/** Prints an access to a property: `.name`, or `['order.id']`. */
export function printAccess(context: RewriteContext, name: string): string {
  return isPlainName(name) ? `.${name}` : `[${printString(context, name)}]`
}

/** Whether a name needs no quotes as a key or after a dot. Reserved words need none there. */
export function isPlainName(name: string): boolean {
  return isIdentifier(name) || /^[a-z]+$/.test(name)
}

/** The quotes of the first string in a file: those of an import, mostly. */
function fileQuote(file: ts.SourceFile): '"' | "'" {
  const specifier = file.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) ? statement.moduleSpecifier : [],
  )[0]
  return specifier !== undefined && file.text.charAt(specifier.getStart(file)) === '"' ? '"' : "'"
}
