import { parseExpressionAt } from 'acorn'
import type { PinnedPrompt } from '../core/prompt.ts'

/**
 * The content of a string. The limit, longer than any name, keeps texts of megabytes from overflowing
 * the stack of the regular expression.
 */
const stringBody = (quote: string): string => `(?:[^${quote}\\\\]|\\\\[^]){0,100000}`
const STRING = ['"', "'", '`'].map((quote) => quote + stringBody(quote) + quote).join('|')
const NUMBER = '-?[\\d.][\\w.+-]*'
/** Between two arguments, or two properties if a minifier inlined the call. */
const NEXT = '\\s*,\\s*(?:\\w+\\s*:\\s*)?'

/** The first fields of a prompt: slug, folder, model, temperature, version and environment. */
const PROMPT = new RegExp(
  `(?:\\(|\\bslug\\s*:)\\s*(${STRING})${NEXT}(?:${STRING})${NEXT}(?:${STRING})${NEXT}` +
    `(?:${NUMBER})${NEXT}(${STRING})${NEXT}(["'\`])(?:live|test)\\3`,
  'g',
)

/**
 * Finds the prompts in emitted code by their printed form. Bundlers and minifiers change quotes, names
 * and white space, but neither the content of literals nor the order of arguments. Code in strings
 * (`eval`) is not searched.
 *
 * @returns the prompts that are in the code, in the order given
 */
export function findPrompts(code: string, prompts: readonly PinnedPrompt[]): PinnedPrompt[] {
  const found = new Set<string>()
  for (const [, slug = '', version = ''] of code.matchAll(PROMPT)) {
    found.add(JSON.stringify([literalValue(slug), literalValue(version)]))
  }
  return prompts.filter(({ slug, version }) => found.has(JSON.stringify([slug, version])))
}

/** Returns the value of a string literal; `undefined` for a template with expressions. */
function literalValue(literal: string): unknown {
  const node = parseExpressionAt(literal, 0, { ecmaVersion: 2022 })
  if (node.type === 'Literal') return node.value
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked
}
