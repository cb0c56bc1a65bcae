import { isIdentifier } from './names.ts'
import { printJsonString } from './text/json-string.ts'

interface AccessedPrompt {
  readonly slug: string
  /** `null` if only `prompts[slug]` works. */
  readonly identifier: string | null
}

/** The expression for a prompt in the app: `prompts.supportTriage`, `prompts['a.b']`. */
export function accessOf({ slug, identifier }: AccessedPrompt): string {
  return identifier === null ? `prompts[${printString(slug)}]` : `prompts.${identifier}`
}

/**
 * A text as a string of JavaScript in which nothing is invisible. Quotes are single, unless double
 * ones need fewer escapes, as formatters have it.
 */
function printString(text: string): string {
  const quoted = printJsonString(text)
  if (text.split("'").length > text.split('"').length) return quoted
  const inner = quoted.slice(1, -1).replaceAll(/\\(.)|'/gs, (match, escaped) => {
    if (match === "'") return String.raw`\'`
    return escaped === '"' ? escaped : match
  })
  return `'${inner}'`
}

/** The name of a property in an object literal. */
export function keyOf(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return isIdentifier(name) ? name : printString(name)
}
