import type { CodeEdit } from '../../analysis/app/code-edits.ts'
import { ts } from '../../analysis/app/compiler.ts'
import { nodesBelow } from '../../analysis/app/place.ts'
import { literal } from '../../codegen/escape.ts'
import { isIdentifier, PROTO } from '../../core/names.ts'
import type { PromptUse } from './prompt-uses.ts'

/** The names that an update changes for code that uses one prompt, or why there are no new ones. */
export type NameChanges =
  | {
      readonly kind: 'known'
      readonly oldSlug: string
      readonly slug: string
      /** `undefined` if it would be ambiguous. */
      readonly identifier: string | undefined
      readonly variables: Variables
    }
  // What can't be edited: uses of the prompt's name, or calls with values.
  | { readonly kind: 'unknown'; readonly use: 'name' | 'call'; readonly reason: string }

/** Every former variable with its new name; `undefined` if it was removed. */
type Variables = ReadonlyMap<string, string | undefined>

/** Returns the edits of one use of a prompt, or why there are none. */
export function editUse(
  { node, kind, values = [] }: PromptUse,
  names: NameChanges,
): CodeEdit[] | string {
  if (names.kind === 'unknown') return [names.use, 'other'].includes(kind) ? names.reason : []
  const { oldSlug, slug, identifier, variables } = names
  if (kind === 'other') return 'it is used here in a way that --fix does not edit'
  if (kind === 'call') return editValues(values, variables)
  if (slug === oldSlug) return []
  if (kind === 'slug') return 'its name is a value or a type here'
  const key = node as ts.Identifier | ts.StringLiteralLike
  const name = !ts.isIdentifier(key) && key.text === oldSlug ? slug : identifier
  return name === undefined ? 'its new name has no identifier' : [renameKey(key, name)]
}

/** Edits an object literal whose members are exactly the former variables. */
function editValues(
  [values, ...others]: readonly ts.Expression[],
  variables: Variables,
): CodeEdit[] | string {
  if ([...variables].every(([from, to]) => from === to)) return []
  const isLiteral = values !== undefined && ts.isObjectLiteralExpression(values)
  const properties: readonly ts.Node[] = isLiteral ? values.properties : []
  const members = properties.filter(isExplicit)
  const names = members.map(({ name }) => name.text)
  const isPlain = members.length === properties.length && names.length === variables.size
  const isExact = isPlain && [...variables.keys()].every((name) => names.includes(name))
  // `{ __proto__: value }` sets a prototype.
  const isProto = [...variables].flat().includes(PROTO)
  if (!isLiteral || !isExact || isProto || others.length > 0)
    return 'its values are not an object literal with a plain member for each variable'
  const isDropped = ({ name }: Member): boolean => variables.get(name.text) === undefined
  if (!members.every((member) => !isDropped(member) || isPure(member)))
    return 'the value that is dropped is not a literal or a name of this file'
  const editMember = (member: Member, index: number): CodeEdit[] => {
    const name = variables.get(member.name.text)
    if (name === member.name.text) return []
    if (name !== undefined) return [renameKey(member.name, name)]
    if (members.slice(index).every(isDropped))
      return [replaced(member, '', { start: members[index - 1]?.end })]
    return [replaced(member, '', { start: member.pos, end: members[index + 1]?.pos })]
  }
  const edits = members.every(isDropped) ? [dropArgument(values)] : members.flatMap(editMember)
  const hasComment = edits.some(
    ({ source, start, end, text }) => text === '' && /\/[/*]/.test(source.text.slice(start, end)),
  )
  return hasComment ? 'a comment is beside the value that is dropped' : edits
}

type Member = (ts.PropertyAssignment | ts.ShorthandPropertyAssignment) & {
  readonly name: ts.Identifier | ts.StringLiteral
}

function isExplicit(node: ts.Node): node is Member {
  if (ts.isShorthandPropertyAssignment(node)) return node.objectAssignmentInitializer === undefined
  return (
    ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))
  )
}

/** Whether nothing happens when a value is read. A name that the file doesn't declare may be a getter. */
function isPure(member: Member): boolean {
  const value = ts.isShorthandPropertyAssignment(member) ? member.name : member.initializer
  if (ts.isIdentifier(value))
    return nodesBelow(member.getSourceFile()).some((node) => declares(node, value.text))
  const isBoolean = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(value.kind)
  return isBoolean || ts.isLiteralExpression(value)
}

/** Whether a node declares a variable, parameter, function, class or import of this name. */
function declares(node: ts.Node, text: string): boolean {
  const { name } = node as { readonly name?: ts.Node }
  const isDeclaration = DECLARATIONS.has(node.kind) && name !== undefined
  return isDeclaration && ts.isIdentifier(name) && name.text === text
}

const DECLARATIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.BindingElement,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.ImportClause,
  ts.SyntaxKind.ImportSpecifier,
  ts.SyntaxKind.NamespaceImport,
])

function dropArgument(values: ts.Expression): CodeEdit {
  const previous = (values.parent as ts.CallExpression).arguments.at(-2)
  return replaced(values, '', { start: previous?.end })
}

/** Gives a key another name, in quotes if it has some or needs them. */
function renameKey(key: ts.Identifier | ts.StringLiteralLike, name: string): CodeEdit {
  const { parent } = key
  const text = ts.isIdentifier(key) && isIdentifier(name) ? name : quoted(name, key)
  const isShorthand =
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isBindingElement(parent) && parent.propertyName === undefined)
  return isShorthand ? replaced(key, `${text}: ${key.text}`) : replaced(key, text)
}

function quoted(name: string, key: ts.Identifier | ts.StringLiteralLike): string {
  const text = literal(name)
  const imported = /\bfrom\s*(["'])/.exec(key.getSourceFile().text)?.[1] ?? "'"
  const quote = ts.isIdentifier(key) ? imported : key.getText().charAt(0)
  return text === `"${name}"` && !/[`'$]/.test(name) ? quote + name + quote : text
}

function replaced(
  node: ts.Node,
  text: string,
  range: { readonly start?: number | undefined; readonly end?: number | undefined } = {},
): CodeEdit {
  const { start = node.getStart(), end = node.end } = range
  return { source: node.getSourceFile(), start, end, text }
}
