/** Why a line does not compile any longer: the prompt that causes it, and the reason in a sentence. */
import type { ChangeRow } from '../core/change-row.ts'
import type { ChangeEffect } from '../core/classify-change.ts'
import type { ImpactFinding } from '../core/impact.ts'
import { truncateList } from '../core/text/pluralize.ts'
import { ts } from './compiler.ts'
import { type CodeEdits, nodeAt, oldPlaceAt } from './place.ts'
import type { PromptCode } from './prompt-code.ts'

/** The app with an update, and what the update changes. */
export interface FailureContext {
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
  // A variable may have the name of a removed prompt.
  const removed = EXCESS_PROPERTY.has(failure.code) ? undefined : context.removedNames.get(name)
  const slug = removed ?? nearestSlug(node, message, context) ?? namedSlug(message, context)
  const rows = context.changes.get(slug ?? '') ?? []
  const named = rows.filter((row) => isNamedIn(row, message))
  const [change = rows[0], ...others] = named
  const isCertain = rows.length === 1 || (named.length > 0 && others.length === 0)
  return {
    ...oldPlaceAt(file, start, context),
    slug: slug ?? null,
    environment: change && isCertain ? change.environment : null,
    reason: reasonOf({
      message,
      change,
      ambiguousName: removed === undefined ? undefined : name,
      passed: passedNames(node),
    }),
    kind: 'compile',
    message,
  }
}

/** Errors about a property too many: TypeScript reports no property that is missing besides. */
const EXCESS_PROPERTY: ReadonlySet<number> = new Set([2353, 2561])

/**
 * Finds the prompt in the nearest call or access around a node whose parts have the type of a prompt.
 *
 * @param message - the compiler's message, which says which one if there are several
 */
function nearestSlug(place: ts.Node, message: string, context: FailureContext): string | undefined {
  for (let node = place; !ts.isSourceFile(node); node = node.parent) {
    const slugs = slugsAround(node, context)
    if (slugs.length > 0) return slugs.find((slug) => isNamed(slug, message, context)) ?? slugs[0]
    if (ts.isStatement(node)) break
  }
  return undefined
}

/** The only changed prompt that a message names. */
function namedSlug(message: string, context: FailureContext): string | undefined {
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
  return change.effects.some((effect) => isMentioned(effect, message))
}

/** The values that a call passes to a prompt around a node, if an object literal shows all their names. */
function passedNames(node: ts.Node): ReadonlySet<string> | undefined {
  const literal = ts.findAncestor(node, ts.isObjectLiteralExpression)
  const call = literal?.parent
  if (literal === undefined || !call || !ts.isCallExpression(call)) return undefined
  const { expression: callee } = call
  const isRender = ts.isPropertyAccessExpression(callee) && callee.name.text === 'render'
  // An adapter takes the prompt first.
  if (call.arguments[isRender ? 0 : 1] !== literal) return undefined
  const names = literal.properties.map(({ name }) =>
    name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : undefined,
  )
  return names.every((name) => name !== undefined) ? new Set(names.flat()) : undefined
}

/** What is known of a failure. */
interface Failure {
  /** Of the compiler; empty without one. */
  readonly message: string
  readonly change: ChangeRow | undefined
  /** The name that the code reads if several prompts have it now, such as `aB`. */
  readonly ambiguousName?: string | undefined
  /** The names of the values that the call passes, as far as its code shows all. */
  readonly passed?: ReadonlySet<string> | undefined
}

/** Why code breaks, in one line, such as: `render` needs `tone`, added in v23. The first line that has a reason. */
const REASONS: readonly ((failure: Failure) => string | undefined)[] = [
  ({ message }) => /^'.*' is (?:declared but|never)\b.*/.exec(message)?.[0],
  ({ change }) => (change?.kind === 'removed' ? `\`${change.slug}\` was removed` : undefined),
  ({ ambiguousName: name }) =>
    name && `\`${name}\` is now ambiguous between several prompts: use the slug`,
  (failure) => truncateList(variableReasons(failure), REASONS_SHOWN).join('; '),
  ({ change, message }) => {
    const model = change?.effects.find((effect) => effect.kind === 'setting')
    const isModel = model?.field === 'model' && message.includes(JSON.stringify(model.before))
    return isModel ? `\`model\` is no longer ${model.before}: it is ${model.after}` : undefined
  },
  ({ message }) => message.split('\n')[0],
]

export function reasonOf(failure: Failure): string {
  for (const reason of REASONS) {
    const text = reason(failure)
    if (text) return text
  }
  return ''
}

/** The most reasons if the compiler's message does not name all variables. */
const REASONS_SHOWN = 5

/** How changes of variables break a call: by the names that it passes, or else by those in the message. */
function variableReasons({ change, message, passed }: Failure): string[] {
  if (change?.kind !== 'updated') return []
  const { effects, version } = change
  const mentioned = effects.filter((effect) => isMentioned(effect, message))
  const causes = passed === undefined && mentioned.length > 0 ? mentioned : effects
  return causes.flatMap((effect) => {
    const reason = variableReason(effect, passed)
    return reason === undefined ? [] : `\`render\` ${reason} in ${version.after}`
  })
}

/** What is missing, too much, or has another name. Without names, a call passes what it passed before. */
function variableReason(
  effect: ChangeEffect,
  passed: ReadonlySet<string> | undefined,
): string | undefined {
  if (effect.kind === 'variable-added')
    return passed?.has(effect.name) ? undefined : `needs \`${effect.name}\`, added`
  if (effect.kind === 'variable-removed')
    return (passed?.has(effect.name) ?? true)
      ? `no longer takes \`${effect.name}\`, removed`
      : undefined
  if (effect.kind !== 'variable-renamed') return undefined
  const { from, to } = effect
  const [hasOld, hasNew] = [passed?.has(from) ?? true, passed?.has(to) ?? false]
  if (hasOld && hasNew) return `no longer takes \`${from}\`, probably renamed to \`${to}\``
  if (hasNew) return undefined
  return `needs \`${to}\`, ${hasOld ? `probably renamed from \`${from}\`` : 'added'}`
}

function isMentioned(effect: ChangeEffect, message: string): boolean {
  const names =
    effect.kind === 'variable-renamed'
      ? [effect.from, effect.to]
      : effect.kind === 'variable-added' || effect.kind === 'variable-removed'
        ? [effect.name]
        : []
  return names.some((name) => mentionsName(message, name))
}

function mentionsName(message: string, name: string): boolean {
  return [`'${name}'`, JSON.stringify(name), `'"${name}"'`].some((quoted) =>
    message.includes(quoted),
  )
}
