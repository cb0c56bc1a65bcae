import type { ChangeRow } from '../../core/change-row.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import { truncateList } from '../../core/text/pluralize.ts'
import type { AppConfig } from './app-configs.ts'
import { type CodeEdits, oldPlaceAt } from './code-edits.ts'
import { ts } from './compiler.ts'
import { isTypedComponent, toSourceName } from './components.ts'
import { nodeAt } from './place.ts'
import type { PromptCode } from './prompt-code.ts'
import type { UnprovenUse } from './find-uses.ts'

export interface FailureContext extends Pick<AppConfig, 'reports'> {
  readonly root: string
  readonly edits: CodeEdits
  readonly code: PromptCode
  /** The changes of each prompt: of its live part, its staging part, or both. */
  readonly changes: ReadonlyMap<string, readonly ChangeRow[]>
  /** Names that the new declarations no longer have, with the slug of each. */
  readonly removedNames: ReadonlyMap<string, string>
}

/** Finds the prompt that causes an error, and the reason. */
export function explainFailure(
  failure: ts.DiagnosticWithLocation,
  context: FailureContext,
): ImpactFinding {
  const { file, start } = failure
  const message = ts.flattenDiagnosticMessageText(failure.messageText, '\n')
  const node = nodeAt(file, start)
  const name = ts.isIdentifier(node) || ts.isStringLiteralLike(node) ? node.text : ''
  const removedSlug = context.removedNames.get(name)
  const slug = removedSlug ?? findSlug(node, message, context)
  const rows = context.changes.get(slug ?? '') ?? []
  const named = rows.filter((row) => isNamedIn(row, message))
  const [change = rows[0], ...others] = named
  const isCertain = rows.length === 1 || (named.length > 0 && others.length === 0)
  return {
    ...oldPlaceAt(file, start, context),
    slug: slug ?? null,
    environment: change && isCertain ? change.environment : null,
    reason: impactReason(message, {
      change,
      removedName: removedSlug === undefined ? undefined : name,
      hidesOthers: HIDING.has(failure.code),
    }),
    kind: isReported(failure, context.reports) ? 'compile' : 'run',
    message,
  }
}

/** Errors about a property too many: TypeScript reports no property that is missing besides. */
const HIDING: ReadonlySet<number> = new Set([2353, 2561])

/**
 * Explains a use of which no type shows whether it still works.
 *
 * @param change - `undefined` if only the prompt's name is lost
 */
export function explainUnproven(
  { file, line, column }: UnprovenUse,
  slug: string,
  change: ChangeRow | undefined,
): ImpactFinding {
  const cause =
    impactReason('', { change }) || `the roles, the model or a name of \`${slug}\` changed`
  const reason = `${cause}; types do not show whether this use fits`
  const environment = change?.environment ?? null
  return { file, line, column, slug, environment, reason, kind: 'unproven', message: reason }
}

/** Whether the app's own compiler reports the error too. */
function isReported(
  { file, code, start }: ts.DiagnosticWithLocation,
  { javaScript, implicitAny }: AppConfig['reports'],
): boolean {
  const source = toSourceName(file.fileName)
  const script = source === file.fileName ? /\.[cm]?jsx?$/.test(source) : !isTypedComponent(source)
  const checked = hasPragma(file, '@ts-check') || javaScript || !script
  if (!checked || hasPragma(file, '@ts-nocheck') || isIgnored(file, start)) return false
  // All errors of `noImplicitAny` have numbers from 7000.
  return implicitAny || code < 7000 || code >= 8000
}

/** Whether the comments at the beginning of a file contain a directive. */
function hasPragma({ text }: ts.SourceFile, pragma: string): boolean {
  const comments = ts.getLeadingCommentRanges(text, 0) ?? []
  return comments.some(({ pos, end }) => text.slice(pos, end).split(/\s+/).includes(pragma))
}

/** Whether the line before a position contains `@ts-ignore`. */
function isIgnored(file: ts.SourceFile, start: number): boolean {
  const { line } = file.getLineAndCharacterOfPosition(start)
  return (file.text.split(/\r?\n/)[line - 1] ?? '').includes('@ts-ignore')
}

/**
 * Finds the prompt in the nearest call or access around a node whose parts have the type of a prompt.
 *
 * @param message - the compiler's message, which may name the prompt
 */
function findSlug(place: ts.Node, message: string, context: FailureContext): string | undefined {
  for (let node = place; !ts.isSourceFile(node); node = node.parent) {
    const slugs = slugsAround(node, context)
    if (slugs.length > 0) return slugs.find((slug) => isNamed(slug, message, context)) ?? slugs[0]
    if (ts.isStatement(node)) break
  }
  const slugs = [...context.changes.keys()].filter((slug) => isNamed(slug, message, context))
  return slugs.length === 1 ? slugs[0] : undefined
}

/** Returns the changed prompts that a node or its descendants refer to, without functions in it. */
function slugsAround(node: ts.Node, context: FailureContext): string[] {
  const { code, changes } = context
  const type = code.checker.getTypeAtLocation(node)
  const slugs = code.slugsOf(type).filter((slug) => changes.has(slug))
  if (ts.isFunctionLike(node)) return slugs
  ts.forEachChild(node, (child) => {
    slugs.push(...slugsAround(child, context))
  })
  return slugs
}

/** Whether a message names a prompt's slug or a variable that its change adds or removes. */
function isNamed(slug: string, message: string, { changes }: FailureContext): boolean {
  if (mentionsName(message, slug)) return true
  return (changes.get(slug) ?? []).some((change) => isNamedIn(change, message))
}

function isNamedIn(change: ChangeRow, message: string): boolean {
  const names = variableReasons(change).flatMap((reason) => reason.names)
  return names.some((name) => mentionsName(message, name))
}

interface Cause {
  readonly change: ChangeRow | undefined
  /** The name that the code reads if no prompt has it any longer, such as `aB`. */
  readonly removedName?: string | undefined
  /** Whether the compiler's message is about one of several errors of a call. */
  readonly hidesOthers?: boolean
}

/**
 * Explains in one line why code breaks, such as: `render` needs `tone`, added in v23. Otherwise returns
 * the first line of the compiler's message.
 */
function impactReason(
  message: string,
  { change, removedName, hidesOthers = false }: Cause,
): string {
  const [summary = ''] = message.split('\n')
  if (/^'.*' is (?:declared but|never)\b/.test(summary)) return summary
  if (change?.kind === 'removed') return `\`${change.slug}\` was removed`
  if (removedName !== undefined)
    return `\`${removedName}\` is now ambiguous between several prompts: use the slug`
  if (change?.kind !== 'updated') return summary
  const reasons = variableReasons(change)
  const exact = reasons.filter(({ names }) => names.some((name) => mentionsName(message, name)))
  const texts = (exact.length > 0 && !hidesOthers ? exact : reasons).map(({ text }) => text)
  if (texts.length > 0) return truncateList(texts, REASONS_SHOWN).join('; ')
  const model = change.effects.find((effect) => effect.kind === 'setting')
  return model?.field === 'model' && message.includes(JSON.stringify(model.before))
    ? `\`model\` is no longer ${model.before}: it is ${model.after}`
    : summary
}

/** The most reasons if the compiler's message does not name all variables. */
const REASONS_SHOWN = 5

/** How each change of a variable breaks a call. */
function variableReasons({ effects, version: { after } }: ChangeRow): VariableReason[] {
  return effects.flatMap((effect) => {
    if (effect.kind === 'variable-renamed') {
      const { from, to } = effect
      const text = `\`render\` needs \`${to}\`, probably renamed from \`${from}\` in ${after}`
      return { names: [from, to], text }
    }
    if (effect.kind !== 'variable-added' && effect.kind !== 'variable-removed') return []
    const { kind, name } = effect
    const isAdded = kind === 'variable-added'
    const words = isAdded ? `needs \`${name}\`, added` : `no longer takes \`${name}\`, removed`
    return { names: [name], text: `\`render\` ${words} in ${after}` }
  })
}

interface VariableReason {
  readonly names: readonly string[]
  readonly text: string
}

function mentionsName(message: string, name: string): boolean {
  return [`'${name}'`, JSON.stringify(name), `'"${name}"'`].some((quoted) =>
    message.includes(quoted),
  )
}
