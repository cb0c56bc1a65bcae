import type { CodeEdit } from '../../analysis/app/code-edits.ts'
import { ts } from '../../analysis/app/compiler.ts'
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

/** Every former variable with its new name. */
type Variables = ReadonlyMap<string, string>

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
  return members.flatMap((member) => {
    const name = variables.get(member.name.text) ?? member.name.text
    return name === member.name.text ? [] : [renameKey(member.name, name)]
  })
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

function replaced(node: ts.Node, text: string): CodeEdit {
  return { source: node.getSourceFile(), start: node.getStart(), end: node.end, text }
}
