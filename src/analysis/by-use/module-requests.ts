import type {
  AnyNode,
  ExportAllDeclaration,
  ExportNamedDeclaration,
  Expression,
  ImportDeclaration,
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

/** Returns the request of `import()` or `require()`. */
export function getExpressionRequest(
  node: AnyNode,
): (Pick<ModuleRequest, 'kind'> & { readonly source: Expression }) | undefined {
  if (node.type === 'ImportExpression') return { kind: 'dynamic-import', source: node.source }
  if (node.type !== 'CallExpression' || getName(node.callee) !== 'require') return undefined
  const [source] = node.arguments
  if (source === undefined || source.type === 'SpreadElement') return undefined
  return { kind: 'require-call', source }
}
