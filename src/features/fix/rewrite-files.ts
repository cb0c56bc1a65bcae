import { checkedFiles } from '../../analysis/app/check-part.ts'
import type { AppPart } from '../../analysis/app/app.ts'
import type { Overlay } from '../../analysis/app/compiler-host.ts'
import { promptTypes } from '../../analysis/app/prompt-types.ts'
import { ts } from '../../analysis/app/compiler.ts'
import type { NameChanges } from './name-changes.ts'
import type { NodeEdit, Obstacle, RewriteContext } from './rewrite-context.ts'
import { rewriteLiteral } from './rewrite-literals.ts'
import { rewriteName } from './rewrite-names.ts'
import { hiddenUses } from './hidden-uses.ts'
import { rewriteCall } from './rewrite-call.ts'
import { rewriteValue } from './rewrite-values.ts'

/** What to rewrite in the files of one tsconfig. */
export interface RewriteRequest {
  /** The declarations that the code fits. */
  readonly before: string
  /** The declarations that the code should fit. */
  readonly after: string
  readonly names: NameChanges
  /** The slugs of prompts whose variables are renamed. */
  readonly slugs: ReadonlySet<string>
  /** The app's folder, absolute. */
  readonly root: string
  /** Texts instead of those on disk. */
  readonly texts: Overlay
}

/** The edits of the files of one tsconfig, and what can't be edited. */
export interface Rewriting {
  /** The program with the declarations before; its nodes are those of the edits. */
  readonly program: ts.Program
  /** By the name that the compiler uses for a file. */
  readonly edits: ReadonlyMap<string, readonly NodeEdit[]>
  readonly obstacles: readonly Obstacle[]
}

/**
 * Finds the edits that make code fit new declarations, by comparing the types of each node with both.
 * Literals come first and names last, since a literal that is renamed changes what reads from it.
 */
export function rewriteFiles(
  part: AppPart,
  { before, after, names, slugs, root, texts }: RewriteRequest,
): Rewriting {
  const program = part.program(before, undefined, texts)
  const changed = part.program(after, program, texts)
  const [old, now] = [program.getTypeChecker(), changed.getTypeChecker()]
  const members = new Map<ts.Node, string>()
  const obstacles: Obstacle[] = []
  const contexts = checkedFiles(changed, part)
    .filter((file) => !file.isDeclarationFile && program.getSourceFile(file.fileName) === file)
    .map((file): RewriteContext => ({ file, old, now, names, members, obstacles, edits: [] }))
  for (const visit of [visitLiteral, visitValue, rewriteName])
    for (const context of contexts) visitNodes(context, context.file, visit)
  const types = promptTypes(program, part.declarationsPath)
  const files = contexts.map(({ file }) => file)
  obstacles.push(...hiddenUses(files, { checker: old, types, slugs, root }))
  const edits = contexts.filter((context) => context.edits.length > 0)
  return {
    program,
    edits: new Map(edits.map((context) => [context.file.fileName, context.edits])),
    obstacles,
  }
}

type Visit = (context: RewriteContext, node: ts.Node) => void

function visitNodes(context: RewriteContext, node: ts.Node, visit: Visit): void {
  visit(context, node)
  ts.forEachChild(node, (child) => visitNodes(context, child, visit))
}

const visitLiteral: Visit = (context, node) => {
  if (ts.isObjectLiteralExpression(node)) rewriteLiteral(context, node)
}

const visitValue: Visit = (context, node) => {
  if (ts.isCallExpression(node)) rewriteCall(context, node)
  if (ts.isExpression(node)) rewriteValue(context, node)
}
