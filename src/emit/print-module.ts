import { isIdentifier } from '../core/names.ts'
import type { TemplatePart } from '../core/template.ts'
import { assertOnlyData } from './assert-only-data.ts'
import { literal } from './literal.ts'
import type { ModulePlan, PlannedPrompt } from './plan-module.ts'

/** Where the printed modules find each other. */
export interface ModuleIds {
  /** The module with one export per name of a prompt. */
  readonly all: string
  /** The module with one export per prompt: `p0`, `p1` and so on. */
  readonly definitions: string
  /** The module with `definePrompt`, the adapters and the error. */
  readonly runtime: string
}

/**
 * How `prompts` is made. `namespace`: of a module, which every bundler but esbuild reduces to what
 * is used (DESIGN section 6). `object`: of an object literal, for bundlers that can't have every
 * name as an export.
 */
export type ModuleShape = 'namespace' | 'object'

const APP_EXPORTS = 'PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses'

/**
 * The module that apps import: all prompts, the adapters and the error.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printEntry(plan: ModulePlan, ids: ModuleIds, shape: ModuleShape): string {
  // Re-exported by name: a plain `export *` would lose a prompt called `default`.
  const prompts =
    shape === 'namespace'
      ? `export * as prompts from ${literal(ids.all)}\n`
      : printObject(plan, ids)
  return checked(`${prompts}export { ${APP_EXPORTS} } from ${literal(ids.runtime)}\n`, ids)
}

function printObject({ prompts }: ModulePlan, ids: ModuleIds): string {
  const members = prompts.flatMap(({ names }, index) =>
    names.map((name) => `  [${literal(name)}]: p${index},\n`),
  )
  return (
    `import { ${prompts.map((_, index) => `p${index}`).join(', ')} } from ${literal(ids.definitions)}\n` +
    `export const prompts = {\n  __proto__: null,\n${members.join('')}}\n`
  )
}

/**
 * The module with every prompt under its slug and its identifier, for `import * as prompts`. In
 * the `object` shape it has no names that only a string can be.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printAll(plan: ModulePlan, ids: ModuleIds, shape: ModuleShape): string {
  const exports = plan.prompts.flatMap(({ names }, index) =>
    names
      .map((name) => (isIdentifier(name) ? name : shape === 'namespace' && literal(name)))
      .flatMap((name) => (name === false ? [] : `  p${index} as ${name},\n`)),
  )
  return checked(`export {\n${exports.join('')}} from ${literal(ids.definitions)}\n`, ids)
}

/**
 * The module that holds the prompts themselves, one export each.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printDefinitions(plan: ModulePlan, ids: ModuleIds): string {
  const definitions = plan.prompts.map(
    (planned, index) => `export const p${index} = ${printDefinition(planned, plan.environment)}\n`,
  )
  return checked(
    `import { definePrompt } from ${literal(ids.runtime)}\n${definitions.join('')}`,
    ids,
  )
}

function checked(code: string, ids: ModuleIds): string {
  assertOnlyData(code, Object.values(ids))
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
