import type { AnyNode, Expression, Pattern, PrivateIdentifier } from 'acorn'

/**
 * Whether a value is a node. The types are acorn's; other parsers also create nodes of JSX and TypeScript.
 */
export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Returns the name of an identifier, or the string in its place: `import { 'a' as b }`. */
export function getName(node: AnyNode): unknown {
  if (node.type === 'Literal') return node.value
  return 'name' in node ? node.name : undefined
}

/** Returns the name of a member or property if it is constant. */
export function getKey(key: Expression | PrivateIdentifier, computed: boolean): string | undefined {
  return !computed && key.type === 'Identifier' ? key.name : getText(key)
}

/** Returns the text of a constant string or template. */
export function getText(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}

/** Returns the variable that a node may refer to, including JSX. */
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

/** Returns the properties of an object pattern if all names are fixed. */
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

/** Fields with TypeScript types, which do not exist at run time. */
const ERASED_FIELDS = new Set(['typeAnnotation', 'typeParameters', 'typeArguments'])

/** The fields with names of members and keys, which are not references. */
const NAMES_ONLY: Readonly<Record<string, string>> = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
}

/** Returns the children of a node that can run code or refer to a variable. */
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
