import { ts } from '../../analysis/app/compiler.ts'
import { literal } from '../../codegen/escape.ts'
import { isIdentifier } from '../../core/names.ts'
import type { PromptUse } from './prompt-uses.ts'
import type { TextEdit } from './text-edits.ts'

/** What an update changes in calls of one prompt. */
export interface CallChanges {
  /** The new names of prompts by their old ones, slugs and identifiers. */
  readonly names: ReadonlyMap<string, string>
  /** The new names of variables by their old ones; `undefined` for those that were removed. */
  readonly variables: ReadonlyMap<string, string | undefined>
  /** Whether the prompt has no variables any longer. */
  readonly isConstant: boolean
}

/** An edit of the code at a node, or why there is none. */
export type UseEdit =
  | (TextEdit & { readonly node: ts.Node })
  | { readonly node: ts.Node; readonly reason: string }

/** Edits one use of a prompt. */
export function editUse(use: PromptUse, changes: CallChanges): UseEdit[] {
  const { kind, node } = use
  const isRenamed = changes.names.size > 0
  if (kind === 'other') return [{ node, reason: use.reason }]
  if (kind === 'call') return editCall(use, changes)
  if (kind === 'name') return isRenamed ? [editName(node, changes.names)] : []
  if (!isRenamed || (kind === 'field' && use.field !== 'slug')) return []
  const reason = {
    export: 'it is imported by its name',
    field: 'its slug is used as a value',
    names: 'the names of all prompts are used here',
  }[kind]
  return [{ node, reason }]
}

/** Gives a prompt its new name, in the form in which the old one is written. */
function editName(node: ts.Node, names: CallChanges['names']): UseEdit {
  const key = ts.isBindingElement(node) ? (node.propertyName ?? node.name) : nameOf(node)
  const { text } = key as ts.Identifier | ts.StringLiteralLike
  const name = names.get(ts.isIdentifier(key) ? text : JSON.stringify(text)) ?? names.get(text)
  const isAccess = !ts.isBindingElement(node)
  if (name === undefined || (isAccess && ts.isIdentifier(key) && !isKey(name)))
    return { node: key, reason: 'its new name can’t be written here' }
  const isShorthand = ts.isBindingElement(node) && node.propertyName === undefined
  return isShorthand
    ? insertBefore(key, `${printKey(name, key)}: `)
    : replace(key, printKey(name, key))
}

function nameOf(node: ts.Node): ts.Node {
  if (ts.isPropertyAccessExpression(node)) return node.name
  return ts.isElementAccessExpression(node) ? node.argumentExpression : node
}

/** Gives the values of a call their new names, and drops those of removed variables. */
function editCall(
  { node, values: [values, ...others] }: Extract<PromptUse, { kind: 'call' }>,
  { variables, isConstant }: CallChanges,
): UseEdit[] {
  if (variables.size === 0) return []
  const refuse = (reason: string, at: ts.Node = values ?? node): UseEdit[] => [{ node: at, reason }]
  if (values === undefined) {
    const renamed = [...variables.values()].some((name) => name !== undefined)
    return renamed ? refuse('no values are passed here') : []
  }
  if (!ts.isObjectLiteralExpression(values)) return refuse('its values are not an object literal')
  const members = values.properties.filter(isExplicit)
  const hidden = values.properties.find((member) => !isExplicit(member))
  if (hidden !== undefined) return refuse('a member of its values is not a plain one', hidden)
  const names = members.map(({ name }) => name.text)
  if (new Set(names).size < names.length) return refuse('a value is passed twice')
  for (const [from, to] of variables) {
    if (to === undefined) continue
    if (!names.includes(from)) return refuse(`\`${from}\` is not passed here`)
    if (names.includes(to)) return refuse(`\`${to}\` is passed already`)
  }
  const renames = members.flatMap((member) => {
    const to = variables.get(member.name.text)
    return to === undefined ? [] : [renameMember(member, to)]
  })
  const dropped = new Set(
    members.filter(
      ({ name: { text } }) => variables.has(text) && variables.get(text) === undefined,
    ),
  )
  const effective = [...dropped].find((member) => !isPure(member))
  if (effective !== undefined) return refuse('the value that is dropped is computed', effective)
  if (dropped.size === 0) return renames
  const isWhole = isConstant && dropped.size === members.length
  if (isWhole && others.length > 0) return refuse('its values are not the last argument')
  const edits = isWhole ? [dropArgument(values)] : dropMembers(members, dropped)
  const commented = edits.find(({ node: at, start, end }) => hasComment(at, start, end))
  return commented ? refuse('a comment is in the way', commented.node) : [...renames, ...edits]
}

type ExplicitMember = (ts.PropertyAssignment | ts.ShorthandPropertyAssignment) & {
  readonly name: ts.Identifier | ts.StringLiteral
}

function isExplicit(member: ts.ObjectLiteralElementLike): member is ExplicitMember {
  if (ts.isShorthandPropertyAssignment(member)) return !member.objectAssignmentInitializer
  if (!ts.isPropertyAssignment(member)) return false
  const { name } = member
  const isNamed = ts.isIdentifier(name) || ts.isStringLiteral(name)
  // `{ __proto__: value }` sets a prototype.
  return isNamed && name.text !== '__proto__'
}

function renameMember({ name, kind }: ExplicitMember, to: string): UseEdit {
  if (to === '__proto__') return { node: name, reason: '`__proto__` can’t be passed in a literal' }
  const isShorthand = kind === ts.SyntaxKind.ShorthandPropertyAssignment
  return isShorthand
    ? insertBefore(name, `${printKey(to, name)}: `)
    : replace(name, printKey(to, name))
}

const PLAIN: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.BigIntLiteral,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
])

/** Whether a value is a literal or a plain name, so that nothing happens when it is read. */
function isPure(member: ExplicitMember): boolean {
  return ts.isShorthandPropertyAssignment(member) || PLAIN.has(member.initializer.kind)
}

type Edit = TextEdit & { readonly node: ts.Node }

function dropMembers(
  members: readonly ExplicitMember[],
  dropped: ReadonlySet<ExplicitMember>,
): Edit[] {
  const first = members.findIndex((member) => !dropped.has(member))
  return members.flatMap((node, index): Edit[] => {
    if (!dropped.has(node)) return []
    const [previous, next] = [members[index - 1], members[index + 1]]
    if (first !== -1 && index > first && previous !== undefined)
      return [{ node, start: previous.end, end: node.end, text: '' }]
    const start = node.getStart()
    return [{ node, start, end: next?.getStart() ?? node.parent.properties.end, text: '' }]
  })
}

/** Drops the last argument with the comma before it. */
function dropArgument(node: ts.ObjectLiteralExpression): Edit {
  const { arguments: values } = node.parent as ts.CallExpression
  const previous = values[values.length - 2]
  return { node, start: previous?.end ?? values.pos, end: values.end, text: '' }
}

/** Whether a range holds a comment beside the literals and names that are dropped. */
function hasComment(node: ts.Node, start: number, end: number): boolean {
  const { text } = node.getSourceFile()
  const code = text.slice(node.getStart(), node.end)
  const rest = text.slice(start, end).replace(code, '')
  return rest.includes('/') || (ts.isObjectLiteralExpression(node) && /\/[/*]/.test(code))
}

function replace(node: ts.Node, text: string): Edit {
  return { node, start: node.getStart(), end: node.end, text }
}

function insertBefore(node: ts.Node, text: string): Edit {
  return { node, start: node.getStart(), end: node.getStart(), text }
}

/** Prints a key with the quotes of the former one; if it needs some, with those of the first import. */
function printKey(name: string, former: ts.Node): string {
  if (ts.isIdentifier(former) && isKey(name)) return name
  const imported = /\bfrom\s*(["'])/.exec(former.getSourceFile().text)?.[1] ?? "'"
  const quote = ts.isIdentifier(former) ? imported : former.getText().charAt(0)
  const printed = literal(name)
  if (quote === '"') return printed
  const inner = printed.slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)
  return `${quote}${quote === '`' ? inner.replaceAll('${', '\\${') : inner}${quote}`
}

/** Whether a name needs no quotes as a key or after a dot. Reserved words need none there. */
function isKey(name: string): boolean {
  return isIdentifier(name) || /^[a-z]+$/.test(name)
}
