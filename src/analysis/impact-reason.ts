import type { ChangeRow } from '../core/change-row.ts'
import type { ChangeEffect as Effect } from '../core/classify-change.ts'
import { truncateList } from '../core/text/pluralize.ts'

/** A compiler error in the app and the change that causes it. */
export interface BrokenUse {
  /** The compiler's message with all its lines. */
  readonly message: string
  /** The change of the prompt; `undefined` if it is unknown. */
  readonly change: ChangeRow | undefined
  /** The name that the code reads if no prompt has it any longer, such as `aB`. */
  readonly removedName?: string | undefined
}

/**
 * Explains in one line why code breaks, such as: `render` needs `tone`, added in v23. Otherwise returns
 * the first line of the compiler's message.
 */
export function impactReason({ message, change, removedName }: BrokenUse): string {
  const [summary = ''] = message.split('\n')
  if (/^'.*' is (?:declared but|never)\b/.test(summary)) return summary
  if (change?.kind === 'removed') return `\`${change.slug}\` was removed`
  if (removedName !== undefined)
    return `\`${removedName}\` is now ambiguous between several prompts: use the slug`
  if (change?.kind !== 'updated') return summary
  const reasons = contractReasons(change, message)
  return reasons.length > 0 ? reasons.join('; ') : (modelReason(change, message) ?? summary)
}

function modelReason({ effects }: ChangeRow, message: string): string | undefined {
  const model = effects.find((effect) => effect.kind === 'setting' && effect.field === 'model')
  return model?.kind === 'setting' && message.includes(JSON.stringify(model.before))
    ? `\`model\` is no longer ${model.before}: it is ${model.after}`
    : undefined
}

/** The most reasons if the compiler's message names no variable. */
const REASONS_SHOWN = 5

/** Returns the reasons whose variables the message names, or all reasons if it names none. */
function contractReasons({ effects, version }: ChangeRow, message: string): string[] {
  const reasons = effects.flatMap((effect) => {
    const text = describeEffect(effect, version.after ?? '')
    return text === undefined ? [] : [{ names: namesOf(effect), text }]
  })
  const named = reasons.filter(({ names }) => names.some((name) => mentionsName(message, name)))
  const texts = (named.length > 0 ? named : reasons).map(({ text }) => text)
  return truncateList(texts, REASONS_SHOWN)
}

/** The names of variables that an effect is about. */
export function namesOf(effect: Effect): string[] {
  if (effect.kind === 'variable-renamed') return [effect.from, effect.to]
  return 'name' in effect ? [effect.name] : []
}

function describeEffect(effect: Effect, version: string): string | undefined {
  if (effect.kind === 'variable-added')
    return `\`render\` needs \`${effect.name}\`, added in ${version}`
  if (effect.kind === 'variable-removed')
    return `\`render\` no longer takes \`${effect.name}\`, removed in ${version}`
  if (effect.kind !== 'variable-renamed') return undefined
  return `\`render\` needs \`${effect.to}\`, probably renamed from \`${effect.from}\` in ${version}`
}

/** Whether a compiler's message contains a name in quotes. */
export function mentionsName(message: string, name: string): boolean {
  return [`'${name}'`, JSON.stringify(name), `'"${name}"'`].some((quoted) =>
    message.includes(quoted),
  )
}
