import type { AnyNode, Expression, Pattern, PrivateIdentifier } from 'acorn'

/**
 * Whether a field of a node is a node itself. The types are acorn's; the trees of other parsers
 * also have nodes of JSX and TypeScript, which no type check here refers to.
 */
export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** The name of an identifier, or of a string in its place: `import { 'a' as b }`. */
export function getName(node: AnyNode): unknown {
  if (node.type === 'Literal') return node.value
  return 'name' in node ? node.name : undefined
}

/** The name of a member or of a property, if it is written out. */
export function getKey(key: Expression | PrivateIdentifier, computed: boolean): string | undefined {
  return !computed && key.type === 'Identifier' ? key.name : getText(key)
}

/** A text that is written out, in quotes or backticks. */
export function getText(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}

/** The variable that a node may refer to, in JSX too. */
export function getReference(node: AnyNode): string | undefined {
  const type: string = node.type
  return (type === 'Identifier' || type === 'JSXIdentifier') && 'name' in node
    ? node.name
    : undefined
}

interface FixedProperty {
  readonly key: string
  readonly value: Pattern
}

/** The properties of an object pattern if all their names are fixed. */
export function getProperties(pattern: Pattern): FixedProperty[] | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined
  const found: FixedProperty[] = []
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') return undefined
    const key = getKey(property.key, property.computed)
    if (key === undefined) return undefined
    found.push({ key, value: property.value })
  }
  return found
}

/** The fields that contain TypeScript's types, which do not exist at run time. */
const ERASED_FIELDS = new Set(['typeAnnotation', 'typeParameters', 'typeArguments'])

/** Names of members and keys are no references. */
const NAMES_ONLY: Readonly<Record<string, string>> = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
}

/** The nodes directly below a node that may run or refer to a variable. */
export function getChildren(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = []
  const name = 'computed' in node && node.computed ? undefined : NAMES_ONLY[node.type]
  for (const [field, value] of Object.entries(node)) {
    if (typeof value !== 'object' || field === name || ERASED_FIELDS.has(field)) continue
    if (isNode(value)) children.push(value)
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) children.push(each)
  }
  return children
}
