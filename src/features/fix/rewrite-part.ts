import type { AppPart } from '../../analysis/app/app.ts'
import { checkedFiles } from '../../analysis/app/check-part.ts'
import { ts } from '../../analysis/app/compiler.ts'
import { dropArgument } from './drop-values.ts'
import type { NameChanges } from './renames.ts'
import type { NodeEdit, Obstacle, RewriteContext } from './rewrite-context.ts'
import { rewriteLiteral } from './rewrite-literals.ts'
import { rewriteName } from './rewrite-names.ts'
import { rewriteValue } from './rewrite-values.ts'

/** Names that change, and the declarations with these changes. */
export interface Comparison {
  readonly names: NameChanges
  readonly after: string
}

/** A file while it is rewritten. */
type FileRewrite = Pick<RewriteContext, 'file' | 'nodes' | 'edits'>

/**
 * Finds the edits that make the code of one tsconfig fit other declarations, by comparing the types of each
 * node. Literals come first and names last, since a literal that is renamed changes what reads from it.
 *
 * @param program - the part with the declarations that its code fits
 */
export function rewritePart(
  part: AppPart,
  program: ts.Program,
  comparisons: readonly Comparison[],
): { readonly files: readonly FileRewrite[]; readonly obstacles: Obstacle[] } {
  const old = program.getTypeChecker()
  const obstacles: Obstacle[] = []
  const files = checkedFiles(program, part)
    .filter((file) => !file.isDeclarationFile)
    .map((file) => ({ file, nodes: nodesIn(file), edits: new Array<NodeEdit>() }))
  for (const { names, after } of comparisons) {
    const now = part.program(after, program).getTypeChecker()
    const known = { old, now, names, members: new Map<ts.Node, string>(), obstacles }
    const contexts = files.map((file): RewriteContext => ({ ...file, ...known }))
    for (const rewrite of [rewriteLiterals, rewriteValues, rewriteName])
      for (const context of contexts) for (const node of context.nodes) rewrite(context, node)
  }
  return { files, obstacles }
}

/** A node and all nodes in it, parents first. */
function nodesIn(node: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    nodes.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return nodes
}

function rewriteLiterals(context: RewriteContext, node: ts.Node): void {
  if (ts.isObjectLiteralExpression(node)) rewriteLiteral(context, node)
}

function rewriteValues(context: RewriteContext, node: ts.Node): void {
  if (ts.isCallExpression(node)) dropArgument(context, node)
  if (ts.isExpression(node)) rewriteValue(context, node)
}
