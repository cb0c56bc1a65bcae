import type { TemplatePart, Token } from '../core/template.ts'
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
  const { system, user, combined, slots } = planTexts(prompt)
  const source = combined.kind === 'source' ? combined.source : []
  const tokens = [...system, ...user, ...source].filter((part) => typeof part !== 'string')
  const group = tokens.length > slots.length
  const indexes = new Map(slots.map(({ raw }, index) => [raw, index]))
  const text = (parts: readonly TemplatePart[]): string =>
    concatenate(
      parts.map((part) => {
        if (typeof part === 'string') return literal(part)
        return group ? `t[${indexes.get(part.raw)}]` : printSlot(part)
      }),
    )
  const composed = [
    text(system),
    text(user),
    ...(combined.kind === 'join' ? [literal(combined.join)] : ['""', text(source)]),
  ]
  const values = group ? `, t = [${slots.map(printSlot).join(', ')}]` : ''
  return `(v, s${values}) => compose(${composed.join(', ')})`
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
