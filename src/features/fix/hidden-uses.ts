import { collectUsage } from '../../analysis/app/collect-usage.ts'
import { isComponent } from '../../analysis/app/components.ts'
import { ts } from '../../analysis/app/compiler.ts'
import type { PromptTypes } from '../../analysis/app/prompt-types.ts'
import { placeAt } from '../../analysis/app/place.ts'
import type { Obstacle } from './rewrite-context.ts'

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
export function hiddenUses(files: readonly ts.SourceFile[], renamed: RenamedPrompts): Obstacle[] {
  const { checker, types, slugs } = renamed
  if (slugs.size === 0) return []
  const [render] = files.flatMap((file) => untypedRenders(file, renamed))
  return files.flatMap((file) => {
    const isTemplate = isComponent(file.fileName)
    if (render === undefined && !isTemplate) return []
    const reason = isTemplate ? 'components are edited by hand' : describeRender(render, renamed)
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

function describeRender(node: ts.Node | undefined, { root }: RenamedPrompts): string {
  if (node === undefined) return ''
  const { file, line } = placeAt(node.getSourceFile(), node.getStart(), root)
  return `${file}:${line} may render it with values whose names types do not show`
}

/** The calls of `render` of an unknown prompt with values of type `any` or `never`. */
function untypedRenders(file: ts.SourceFile, { checker, types }: RenamedPrompts): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isRender(node.expression) && node.arguments.some(isUntyped))
      found.push(node)
    ts.forEachChild(node, visit)
  }
  const isRender = (callee: ts.Expression): boolean => {
    if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'render') return false
    const type = checker.getTypeAtLocation(callee.expression)
    return types.isPrompt(type) && types.slugsOf(type).length === 0
  }
  const isUntyped = (argument: ts.Expression): boolean =>
    (checker.getTypeAtLocation(argument).flags & (ts.TypeFlags.Any | ts.TypeFlags.Never)) !== 0
  visit(file)
  return found
}
