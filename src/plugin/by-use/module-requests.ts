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
 * Returns the request of a node, if it may provide what a module of prompts exports.
 *
 * @param id - the specifier of that module
 * @param kind - `entry` if it exports `prompts`, `all` if it exports each prompt
 */
export function requestOf(
  node: AnyNode,
  id: string,
  kind: 'entry' | 'all',
): ModuleRequest | 'computed import' | undefined {
  const isExport = node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration'
  if (node.type !== 'ImportDeclaration' && !isExport) return expressionRequest(node, id)
  const specifier = node.source == null ? undefined : getText(node.source)
  if (specifier === undefined || !mayProvide(node, kind)) return undefined
  return { specifier, kind: 'import-statement' }
}

function mayProvide(
  node: ImportDeclaration | ExportAllDeclaration | ExportNamedDeclaration,
  kind: 'entry' | 'all',
): boolean {
  if (node.type === 'ExportAllDeclaration') return true
  // Any name may be a prompt.
  if (kind === 'all') return node.specifiers.length > 0
  return node.specifiers.some((specifier) => {
    if (specifier.type === 'ImportSpecifier') return getName(specifier.imported) === 'prompts'
    if (specifier.type === 'ExportSpecifier') return getName(specifier.local) === 'prompts'
    return specifier.type === 'ImportNamespaceSpecifier'
  })
}

/**
 * Returns the request of `import()` or `require()`, unless it names files by a pattern that begins with
 * a relative path.
 *
 * esbuild, Rolldown and webpack evaluate `import('virtual:' + 'prompts')`, some of them with constants
 * too. So a computed specifier can be any specifier with the same beginning.
 */
function expressionRequest(node: AnyNode, id: string): ReturnType<typeof requestOf> {
  const source = getSource(node)
  if (source === undefined) return undefined
  const kind = node.type === 'ImportExpression' ? 'dynamic-import' : 'require-call'
  const parts = listTexts(source)
  const hole = parts.indexOf(undefined)
  if (hole === -1) {
    const specifier = parts.join('')
    return specifier === id ? 'computed import' : { specifier, kind }
  }
  const beginning = parts.slice(0, hole).join('')
  if (id.startsWith(beginning)) return 'computed import'
  return /^\.{1,2}\//.test(beginning) ? undefined : { specifier: undefined, kind }
}

function getSource(node: AnyNode): Expression | undefined {
  if (node.type === 'ImportExpression') return node.source
  if (node.type !== 'CallExpression' || getName(node.callee) !== 'require') return undefined
  const [source] = node.arguments
  return source?.type === 'SpreadElement' ? undefined : source
}

/** Lists the texts that an expression joins, `'a' + b` or a template; `undefined` for any other value. */
function listTexts(node: Expression | PrivateIdentifier | Super): (string | undefined)[] {
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return [node.left, node.right].flatMap(listTexts)
  if (node.type !== 'TemplateLiteral') return [getText(node)]
  return node.quasis.flatMap(({ value }, index) => {
    const next = node.expressions[index]
    return [value.cooked ?? '', ...(next === undefined ? [] : listTexts(next))]
  })
}
