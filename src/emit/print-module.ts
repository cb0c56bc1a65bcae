import type { TemplatePart } from '../core/template.ts'
import { assertOnlyData } from './assert-only-data.ts'
import { literal } from './literal.ts'
import type { ModulePlan, PlannedPrompt } from './plan-module.ts'

/** Where the printed modules find each other. */
export interface ModuleIds {
  /** The module with one export per prompt. */
  readonly all: string
  /** The module with `definePrompt`, the adapters and the error. */
  readonly runtime: string
}

const APP_EXPORTS = 'PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses'

/**
 * The module that apps import: the namespace of all prompts, the adapters and the error.
 *
 * `export * as`, since every bundler but esbuild drops what is unused of a namespace (DESIGN
 * section 6), and since a plain `export *` would lose a prompt called `default`.
 */
export function printEntry(ids: ModuleIds): string {
  return checked(
    `export * as prompts from ${literal(ids.all)}\n` +
      `export { ${APP_EXPORTS} } from ${literal(ids.runtime)}\n`,
    ids,
  )
}

/**
 * The module with every prompt under its slug and its identifier.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printPrompts(plan: ModulePlan, ids: ModuleIds): string {
  const definitions = plan.prompts.map(
    (planned, index) => `const p${index} = ${printDefinition(planned, plan.environment)}\n`,
  )
  const names = plan.prompts.flatMap((planned, index) =>
    planned.names.map((name) => `  p${index} as ${literal(name)},\n`),
  )
  return checked(
    `import { definePrompt } from ${literal(ids.runtime)}\n` +
      `${definitions.join('')}export {\n${names.join('')}}\n`,
    ids,
  )
}

function checked(code: string, ids: ModuleIds): string {
  assertOnlyData(code, [ids.all, ids.runtime])
  return code
}

function printDefinition(
  { prompt, system, user, whole, slots }: PlannedPrompt,
  environment: ModulePlan['environment'],
): string {
  const indexes = new Map(slots.map(({ raw }, index) => [raw, index]))
  const text = (parts: readonly TemplatePart[]): string => printConcatenation(parts, indexes)
  const composed = [
    text(system),
    text(user),
    ...(whole.kind === 'join' ? [literal(whole.join)] : ['""', text(whole.source)]),
  ]
  const fields = [
    literal(prompt.slug),
    literal(prompt.folder),
    literal(prompt.model),
    JSON.stringify(prompt.temperature),
    literal(prompt.version),
    literal(environment),
    `(t, f) => f(${composed.join(', ')})`,
    `[${slots.map(({ raw }) => literal(raw)).join(', ')}]`,
    `(v) => [${slots.map(({ name }) => `v[${literal(name)}]`).join(', ')}]`,
  ]
  return `/* @__PURE__ */ definePrompt(${fields.join(', ')})`
}

function printConcatenation(
  parts: readonly TemplatePart[],
  indexes: ReadonlyMap<string, number>,
): string {
  return concatenate(
    parts.map((part) => (typeof part === 'string' ? literal(part) : `t[${indexes.get(part.raw)}]`)),
  )
}

/** How many terms stand in one chain: parsers and bundlers recurse into each `+`. */
const CHAIN = 100

/**
 * Joins terms by `+`. Begins with a text, so that the first value is concatenated and not added;
 * a long chain is printed as groups of groups, which is the same text.
 */
function concatenate(terms: readonly string[]): string {
  if (terms.length > CHAIN) {
    const groups = Array.from({ length: Math.ceil(terms.length / CHAIN) }, (_, index) =>
      concatenate(terms.slice(index * CHAIN, (index + 1) * CHAIN)),
    )
    return concatenate(groups.map((group) => `(${group})`))
  }
  const [first] = terms
  return (first === undefined || first.startsWith('t') ? ['""', ...terms] : terms).join(' + ')
}
