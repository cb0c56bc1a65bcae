import type {
  AnyNode,
  ExportAllDeclaration,
  ExportNamedDeclaration,
  Expression,
  ImportDeclaration,
  PrivateIdentifier,
  Super,
} from 'acorn'
import { getName, getText } from './syntax-node.ts'

/** A request for another module that may provide `prompts`. */
export interface ModuleRequest {
  /** `undefined` if it is not constant. */
  readonly specifier: string | undefined
  /** The kind, as named by esbuild and Rolldown. */
  readonly kind: 'import-statement' | 'dynamic-import' | 'require-call'
}

/**
 * Returns the request of a declaration if it can provide `prompts`: as a namespace, or by that name. Other
 * names can't.
 */
export function listDeclaredRequests(
  node: ImportDeclaration | ExportAllDeclaration | ExportNamedDeclaration,
): ModuleRequest[] {
  const specifier = node.source == null ? undefined : getText(node.source)
  if (specifier === undefined || !mayProvidePrompts(node)) return []
  return [{ specifier, kind: 'import-statement' }]
}

function mayProvidePrompts(
  node: ImportDeclaration | ExportAllDeclaration | ExportNamedDeclaration,
): boolean {
  if (node.type === 'ExportAllDeclaration') return true
  return node.specifiers.some((each) => {
    if (each.type === 'ImportSpecifier') return getName(each.imported) === 'prompts'
    if (each.type === 'ExportSpecifier') return getName(each.local) === 'prompts'
    return each.type === 'ImportNamespaceSpecifier'
  })
}

/**
 * Returns the request of `import()` or `require()`, unless it names files by a pattern that begins with
 * a relative path.
 *
 * esbuild, Rolldown and webpack evaluate `import('virtual:' + 'prompts')`, some of them with constants
 * too. So a computed specifier can be any specifier with the same beginning.
 *
 * @param id - the specifier of the prompts
 */
export function getExpressionRequest(
  node: AnyNode,
  id: string,
): ModuleRequest | 'computed import' | undefined {
  const request = findExpressionRequest(node)
  if (request === undefined) return undefined
  const { kind, source } = request
  const specifier = evaluateText(source)
  const beginning = specifier ?? evaluatePrefix(source)
  if (specifier === undefined ? id.startsWith(beginning) : specifier === id) {
    return 'computed import'
  }
  const isPattern = specifier === undefined && /^\.{1,2}\//.test(beginning)
  return isPattern ? undefined : { specifier, kind }
}

function findExpressionRequest(
  node: AnyNode,
): (Pick<ModuleRequest, 'kind'> & { readonly source: Expression }) | undefined {
  if (node.type === 'ImportExpression') return { kind: 'dynamic-import', source: node.source }
  if (node.type !== 'CallExpression' || getName(node.callee) !== 'require') return undefined
  const [source] = node.arguments
  if (source === undefined || source.type === 'SpreadElement') return undefined
  return { kind: 'require-call', source }
}

/** Returns the text of an expression that only joins constant texts: `'a' + 'b'`. Bundlers evaluate these. */
function evaluateText(node: Expression | PrivateIdentifier | Super): string | undefined {
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    return joinParts([node.left, node.right].map(evaluateText))
  }
  if (node.type !== 'TemplateLiteral') return getText(node)
  return joinParts(
    node.quasis.flatMap(({ value }, index) => {
      const hole = node.expressions[index]
      return hole === undefined ? [value.cooked ?? ''] : [value.cooked ?? '', evaluateText(hole)]
    }),
  )
}

function joinParts(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('')
}

/** Returns the constant text at the beginning of a concatenation or template. */
function evaluatePrefix(node: Expression | PrivateIdentifier | Super): string {
  if (node.type === 'BinaryExpression') return evaluateText(node) ?? evaluatePrefix(node.left)
  return (node.type === 'TemplateLiteral' ? node.quasis[0]?.value.cooked : getText(node)) ?? ''
}
