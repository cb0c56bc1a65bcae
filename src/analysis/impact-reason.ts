import type { ClassifiedChange } from '../core/classify-change.ts'
import { truncateList } from '../core/text/pluralize.ts'

/** What a compiler says of a place in the app, and which change is behind it. */
export interface BrokenUse {
  /** The compiler's message, all of its lines. */
  readonly message: string
  /** The change of the prompt that the place is about; `undefined` where that can't be told. */
  readonly change: ClassifiedChange | undefined
  /** A name of a prompt that is there no more, where the place reads one, such as `aB`. */
  readonly removedName?: string | undefined
}

/**
 * Says in one line why a place stops working, such as: `render` needs `tone`, added in v23. Falls
 * back to the first line of the compiler's message, which is the compiler's view of the same.
 */
export function impactReason({ message, change, removedName }: BrokenUse): string {
  const [summary = ''] = message.split('\n')
  if (change?.change.kind === 'removed') return `\`${change.change.slug}\` was removed`
  if (removedName !== undefined)
    return `\`${removedName}\` is now a name of several prompts: use the slug`
  if (change?.change.kind !== 'updated') return summary
  const { version } = change.change.after
  const reasons = contractReasons(change, message, version)
  if (reasons.length > 0) return reasons.join('; ')
  const { version: old } = change.change.before
  return message.includes(JSON.stringify(old))
    ? `\`version\` is no longer ${old}: it is ${version}`
    : summary
}

/** A compiler's message names few variables; where it names none, some are enough. */
const REASONS_SHOWN = 5

/** The reasons whose variables the message names, or all of them where it names none. */
function contractReasons(
  { effects }: ClassifiedChange,
  message: string,
  version: string,
): string[] {
  const reasons = effects.flatMap((effect) => {
    if (effect.kind === 'variable-added') {
      const text = `\`render\` needs \`${effect.name}\`, added in ${version}`
      return [{ names: [effect.name], text }]
    }
    if (effect.kind === 'variable-removed') {
      const text = `\`render\` takes no \`${effect.name}\` any more, removed in ${version}`
      return [{ names: [effect.name], text }]
    }
    if (effect.kind !== 'variable-renamed') return []
    const { from, to } = effect
    const text = `\`render\` needs \`${to}\`, which \`${from}\` seems to be called since ${version}`
    return [{ names: [from, to], text }]
  })
  const named = reasons.filter(({ names }) => names.some((name) => mentionsName(message, name)))
  const texts = (named.length > 0 ? named : reasons).map(({ text }) => text)
  return truncateList(texts, REASONS_SHOWN)
}

/** Whether a compiler's message names a variable: it stands there in quotes of some kind. */
export function mentionsName(message: string, name: string): boolean {
  return [`'${name}'`, JSON.stringify(name), `'"${name}"'`].some((quoted) =>
    message.includes(quoted),
  )
}
