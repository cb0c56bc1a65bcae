import { collectUsage } from '../../analysis/app/collect-usage.ts'
import { isComponent } from '../../analysis/app/components.ts'
import { ts } from '../../analysis/app/compiler.ts'
import type { PromptTypes } from '../../analysis/app/prompt-types.ts'
import { placeAt } from '../../analysis/app/place.ts'
import { isUntyped, type Obstacle, type RewriteContext } from './rewrite-context.ts'

/** Prompts whose variables are renamed, and how to recognize them. */
interface RenamedPrompts {
  readonly checker: ts.TypeChecker
  readonly types: PromptTypes
  readonly slugs: ReadonlySet<string>
  /** The app's folder, absolute. */
  readonly root: string
}

/**
 * Finds the uses of renamed prompts whose values the types do not show: in components, whose templates are
 * not analysed, and where a prompt reaches code that renders any prompt with values of any names.
 */
export function hiddenUses(
  files: readonly Pick<RewriteContext, 'file' | 'nodes'>[],
  renamed: RenamedPrompts,
): Obstacle[] {
  const { checker, types, slugs, root } = renamed
  if (slugs.size === 0) return []
  const render = files
    .flatMap(({ nodes }) => nodes.filter(ts.isCallExpression))
    .find((node) => isUntypedRender(node, renamed))
  return files.flatMap(({ file }) => {
    const isTemplate = isComponent(file.fileName)
    const reason = isTemplate ? 'components are edited by hand' : render && describe(render, root)
    if (reason === undefined) return []
    const { uses, escapes } = collectUsage(file, checker, types)
    const found = uses.filter(({ node }) => isTemplate || losesType(node, renamed))
    return [
      ...found.flatMap((use) => use.slugs.map((slug) => ({ node: use.node, slug, reason }))),
      ...escapes.flatMap((node) => [...slugs].map((slug) => ({ node, slug, reason }))),
    ].filter(({ slug }) => slugs.has(slug))
  })
}

/** Whether a use passes a prompt on as one of unknown variables, such as `AnyPrompt`. */
function losesType(node: ts.Node, { checker, types }: RenamedPrompts): boolean {
  const { parent } = node
  const isName = ts.isPropertyAccessExpression(parent) && parent.name === node
  const isKey = ts.isElementAccessExpression(parent) && parent.argumentExpression === node
  const use = isName || isKey ? parent : node
  const wanted = ts.isExpression(use) ? checker.getContextualType(use) : undefined
  return wanted !== undefined && types.slugsOf(wanted).length === 0
}

function describe(render: ts.Node, root: string): string {
  const { file, line } = placeAt(render.getSourceFile(), render.getStart(), root)
  return `${file}:${line} may render it with values whose names types do not show`
}

/** Whether a call renders an unknown prompt with values whose names types do not show. */
function isUntypedRender(
  { expression: callee, arguments: values }: ts.CallExpression,
  { checker, types }: RenamedPrompts,
): boolean {
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'render') return false
  const type = checker.getTypeAtLocation(callee.expression)
  if (!types.isPrompt(type) || types.slugsOf(type).length > 0) return false
  return values.some((value) => isUntyped(checker.getTypeAtLocation(value)))
}
