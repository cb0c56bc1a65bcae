import type { AnyNode, Expression, Pattern, PrivateIdentifier } from 'acorn'

/** The types are acorn's; other parsers also create nodes of JSX and TypeScript. */
function isNode(value: unknown): value is AnyNode {
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

export function getText(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}

/** Returns the variable that a node may refer to, including JSX. */
export function getReference(node: AnyNode): string | undefined {
  const isName = ['Identifier', 'JSXIdentifier'].includes(node.type)
  return isName && 'name' in node ? node.name : undefined
}

interface FixedProperty {
  readonly key: string
  readonly value: Pattern
}

/** Returns the properties of an object pattern if all names are fixed. */
export function getProperties(pattern: Pattern): FixedProperty[] | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined
  const properties: FixedProperty[] = []
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') return undefined
    const key = getKey(property.key, property.computed)
    if (key === undefined) return undefined
    properties.push({ key, value: property.value })
  }
  return properties
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

export interface Place {
  readonly node: AnyNode
  readonly parent?: Place
}

/** Lists nodes and their descendants that can run code or refer to a variable. */
export function listPlaces(nodes: readonly AnyNode[]): Place[] {
  const places: Place[] = []
  const open: Place[] = nodes.map((node) => ({ node }))
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    places.push(parent)
    for (const node of getChildren(parent.node)) open.push({ node, parent })
  }
  return places
}

function getChildren(node: AnyNode): AnyNode[] {
  // The names of another module.
  if (node.type === 'ExportNamedDeclaration' && node.source != null) return [node.source]
  const name = 'computed' in node && node.computed ? undefined : NAMES_ONLY[node.type]
  return Object.entries(node)
    .filter(([field]) => field !== name && !ERASED_FIELDS.has(field))
    .flatMap(([, value]) => value as unknown)
    .filter(isNode)
}
