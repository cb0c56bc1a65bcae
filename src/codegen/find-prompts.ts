import { parseExpressionAt } from 'acorn'
import type { PinnedPrompt } from '../core/prompt.ts'

/**
 * The inside of a string. The bound, which is beyond any name, keeps texts of megabytes from
 * overflowing the expression's stack.
 */
const stringBody = (quote: string): string => `(?:[^${quote}\\\\]|\\\\[^]){0,100000}`
const STRING = ['"', "'", '`'].map((quote) => quote + stringBody(quote) + quote).join('|')
const NUMBER = '-?[\\d.][\\w.+-]*'
/** Between two arguments, or two properties where a minifier has put the call into its place. */
const NEXT = '\\s*,\\s*(?:\\w+\\s*:\\s*)?'

/** The beginning of a prompt: slug, folder, model, temperature, version and environment. */
const PROMPT = new RegExp(
  `(?:\\(|\\bslug\\s*:)\\s*(${STRING})${NEXT}(?:${STRING})${NEXT}(?:${STRING})${NEXT}` +
    `(?:${NUMBER})${NEXT}(${STRING})${NEXT}(["'\`])(?:live|test)\\3`,
  'g',
)

/**
 * The prompts that stand in emitted code, by what the printer makes of them. Bundlers and
 * minifiers change quotes, names and blanks, but never what is in a literal nor the order of
 * arguments, so this finds the same in the output of each. Code in strings (`eval`) is not read.
 *
 * @returns in the order given
 */
export function findPrompts(code: string, prompts: readonly PinnedPrompt[]): PinnedPrompt[] {
  const found = new Set<string>()
  for (const [, slug = '', version = ''] of code.matchAll(PROMPT)) {
    found.add(JSON.stringify([literalValue(slug), literalValue(version)]))
  }
  return prompts.filter(({ slug, version }) => found.has(JSON.stringify([slug, version])))
}

/** What a string literal says; `undefined` for a template with holes, which no prompt has. */
function literalValue(literal: string): unknown {
  const node = parseExpressionAt(literal, 0, { ecmaVersion: 2022 })
  if (node.type === 'Literal') return node.value
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked
}
