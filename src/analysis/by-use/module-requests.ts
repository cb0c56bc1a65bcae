import type {
  AnyNode,
  ExportAllDeclaration,
  ExportNamedDeclaration,
  Expression,
  ImportDeclaration,
} from 'acorn'
import { getName, getText } from './syntax-node.ts'

/** A request of a module for another one that may give it `prompts`. */
export interface ModuleRequest {
  /** `undefined` if only the bundler may know it. */
  readonly specifier: string | undefined
  /** The name that esbuild and Rolldown have for it. */
  readonly kind: 'import-statement' | 'dynamic-import' | 'require-call'
}

/**
 * What a declaration asks for, if it can give the module `prompts`: as a whole, or by that name.
 * Other names are harmless, whatever module they come from.
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

/** What `import()` or `require()` asks for. */
export function getExpressionRequest(
  node: AnyNode,
): (Pick<ModuleRequest, 'kind'> & { readonly source: Expression }) | undefined {
  if (node.type === 'ImportExpression') return { kind: 'dynamic-import', source: node.source }
  if (node.type !== 'CallExpression' || getName(node.callee) !== 'require') return undefined
  const [source] = node.arguments
  if (source === undefined || source.type === 'SpreadElement') return undefined
  return { kind: 'require-call', source }
}
