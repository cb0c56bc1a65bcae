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
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  )
}

/** The name of an identifier, or of a string in its place: `import { 'a' as b }`. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  const name = node.type === 'Literal' ? node.value : node.name
  return typeof name === 'string' ? name : undefined
}

/** The name that a member or a key stands for, where it is written there. */
export function keyOf(key: unknown, computed: unknown): string | undefined {
  if (!isNode(key)) return undefined
  if (computed !== true && key.type === 'Identifier') return nameOf(key)
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : templateText(key)
}

function templateText({ type, quasis }: SyntaxNode): string | undefined {
  if (type !== 'TemplateLiteral') return undefined
  const [only, ...others] = quasis as { value: { cooked: string } }[]
  return others.length === 0 ? only?.value.cooked : undefined
}

/** Whether a node is this text, in quotes or backticks. */
export function isText(node: unknown, text: string): boolean {
  if (!isNode(node)) return false
  return (node.type === 'Literal' && node.value === text) || templateText(node) === text
}
