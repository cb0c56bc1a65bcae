/** A node of a syntax tree in the ESTree form, whichever parser made it. */
export interface SyntaxNode {
  readonly type: string
  readonly arguments?: unknown
  readonly callee?: unknown
  readonly computed?: unknown
  readonly id?: unknown
  readonly imported?: unknown
  readonly init?: unknown
  readonly key?: unknown
  readonly left?: unknown
  readonly local?: unknown
  readonly name?: unknown
  readonly object?: unknown
  readonly properties?: unknown
  readonly property?: unknown
  readonly quasis?: unknown
  readonly source?: unknown
  readonly specifiers?: unknown
  readonly value?: unknown
}

/** Whether a field of a node is a node itself. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** The name of an identifier, or of a string in its place: `import { 'a' as b }`. */
export function nameOf(node: unknown): unknown {
  if (!isNode(node)) return undefined
  return node.type === 'Literal' ? node.value : node.name
}

/** The name that a member or a key stands for, where it is written there. */
export function keyOf(key: unknown, computed: unknown): string | undefined {
  return computed !== true && isNode(key) && key.type === 'Identifier'
    ? String(key.name)
    : textOf(key)
}

/** A text that is written out, in quotes or backticks. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'TemplateLiteral') {
    const [only, ...others] = quasisOf(node)
    return others.length === 0 ? only : undefined
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** The texts of a template around its holes: at least one. */
export function quasisOf({ quasis }: SyntaxNode): [first: string, ...others: string[]] {
  const texts = (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  return texts as [string, ...string[]]
}
