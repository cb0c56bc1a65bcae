import type { Token } from '../core/template.ts'
import { literal } from './literal.ts'
import { type ModulePlan, type PlannedPrompt, planTexts } from './plan-module.ts'

/** Prints the call of `definePrompt` for a prompt. */
export function printDefinition(
  planned: PlannedPrompt,
  environment: ModulePlan['environment'],
): string {
  const { slug, folder, model, temperature, version } = planned.prompt
  const fields = [
    literal(slug),
    literal(folder),
    literal(model),
    JSON.stringify(temperature),
    literal(version),
    literal(environment),
    printBody(planned),
  ]
  return `/* @__PURE__ */ definePrompt(${fields.join(', ')})`
}

/**
 * Prints the function that returns a prompt's texts. Values are inserted directly, which is the shortest
 * and fastest form. If a token occurs twice, `t` stores the values, so that each is read once.
 */
function printBody({ prompt }: PlannedPrompt): string {
  const { texts, join } = planTexts(prompt)
  const tokens = texts.flat().filter((part) => typeof part !== 'string')
  const distinct = [...new Map(tokens.map((token) => [token.raw, token])).values()]
  const isStored = tokens.length > distinct.length
  const indexes = new Map(distinct.map(({ raw }, index) => [raw, index]))
  const printValue = (token: Token): string =>
    isStored ? `t[${indexes.get(token.raw)}]` : printSlot(token)
  const [system, user, ...source] = texts.map((parts) =>
    concatenate(parts.map((part) => (typeof part === 'string' ? literal(part) : printValue(part)))),
  )
  const values = isStored ? `, t = [${distinct.map(printSlot).join(', ')}]` : ''
  return `(v, s${values}) => compose(${[system, user, literal(join), ...source].join(', ')})`
}

function printSlot({ raw, name }: Token): string {
  return `s(${literal(raw)}, v[${literal(name)}], v)`
}

/**
 * Joins terms with `+`. Begins with a string, so that numbers are concatenated and not added. A long chain
 * is printed as nested groups.
 */
function concatenate(terms: readonly string[]): string {
  if (terms.length > MAX_TERMS) {
    return concatenate(chunks(terms, MAX_TERMS).map((group) => `(${concatenate(group)})`))
  }
  const [first] = terms
  return (first === undefined || /^[st]/.test(first) ? ['""', ...terms] : terms).join(' + ')
}

/**
 * Maximum length of a chain of `+`. Rolldown takes quadratic time for a chain: a prompt with 20,000
 * tokens takes 7.6 s of CPU with 100 terms and 2.3 s with 16 (Vite 8.3.8).
 */
const MAX_TERMS = 16

/** Splits a list into parts of a size. */
export function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
