import type {
  AnyNode,
  ExportAllDeclaration,
  ExportNamedDeclaration,
  Expression,
  ImportDeclaration,
} from 'acorn'
import { nameOf, textOf } from './syntax-node.ts'

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
export function declaredRequest(
  node: ImportDeclaration | ExportAllDeclaration | ExportNamedDeclaration,
): ModuleRequest[] {
  const specifier = node.source == null ? undefined : textOf(node.source)
  if (specifier === undefined || !mayGivePrompts(node)) return []
  return [{ specifier, kind: 'import-statement' }]
}

function mayGivePrompts(
  node: ImportDeclaration | ExportAllDeclaration | ExportNamedDeclaration,
): boolean {
  if (node.type === 'ExportAllDeclaration') return true
  return node.specifiers.some((each) => {
    if (each.type === 'ImportSpecifier') return nameOf(each.imported) === 'prompts'
    if (each.type === 'ExportSpecifier') return nameOf(each.local) === 'prompts'
    return each.type === 'ImportNamespaceSpecifier'
  })
}

/** What `import()` or `require()` asks for. */
export function expressedRequest(
  node: AnyNode,
): (Pick<ModuleRequest, 'kind'> & { readonly source: Expression }) | undefined {
  if (node.type === 'ImportExpression') return { kind: 'dynamic-import', source: node.source }
  if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'require') return undefined
  const [source] = node.arguments
  if (source === undefined || source.type === 'SpreadElement') return undefined
  return { kind: 'require-call', source }
}
