import { isIdentifier } from '../core/names.ts'
import type { TemplatePart } from '../core/template.ts'
import { APP_EXPORTS } from './app-exports.ts'
import { assertOnlyData } from './assert-only-data.ts'
import { literal } from './literal.ts'
import type { ModulePlan, PlannedPrompt } from './plan-module.ts'

/** Where the printed modules find each other. */
export interface ModuleIds {
  /** The module with one export per name of a prompt. */
  readonly all: string
  /**
   * The module with one export per prompt: `p0`, `p1` and so on. Where prompts are spread over
   * several modules, the one that holds a prompt.
   */
  readonly definitions: string | ((prompt: Pick<PlannedPrompt, 'index'>) => string)
  /** The module with `definePrompt`, the adapters and the error. */
  readonly runtime: string
}

/**
 * How `prompts` is made. `namespace`: of a module, which every bundler but esbuild reduces to what
 * is used (DESIGN section 6). `object`: of an object literal, for bundlers that can't have every
 * name as an export.
 */
export type ModuleShape = 'namespace' | 'object'

/** The prompts that a module offers, each under its names or under some of them. */
export interface NamedPrompts {
  readonly prompts: readonly NamedPrompt[]
}

type NamedPrompt = Pick<PlannedPrompt, 'names' | 'index'>

/**
 * The module that apps import: all prompts, the adapters and the error.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printEntry(plan: NamedPrompts, ids: ModuleIds, shape: ModuleShape): string {
  // Re-exported by name: a plain `export *` would lose a prompt called `default`.
  const prompts =
    shape === 'namespace'
      ? `export * as prompts from ${literal(ids.all)}\n`
      : printObject(plan, ids)
  return checked(
    `${prompts}export { ${APP_EXPORTS.join(', ')} } from ${literal(ids.runtime)}\n`,
    plan,
    ids,
  )
}

function printObject({ prompts }: NamedPrompts, ids: ModuleIds): string {
  const imports = [...byModule(prompts, ids)].map(([id, held]) => {
    const names = held.map(({ index }) => `p${index}`)
    return `import { ${names.join(', ')} } from ${literal(id)}\n`
  })
  const members = prompts.flatMap(({ names, index }) =>
    names.map((name) => `  [${literal(name)}]: p${index},\n`),
  )
  return `${imports.join('')}export const prompts = {\n  __proto__: null,\n${members.join('')}}\n`
}

/** Prompts by the module that holds their definition, in the order of the first one of each. */
function byModule(
  prompts: readonly NamedPrompt[],
  { definitions }: ModuleIds,
): Map<string, NamedPrompt[]> {
  const modules = new Map<string, NamedPrompt[]>()
  for (const prompt of prompts) {
    const id = typeof definitions === 'string' ? definitions : definitions(prompt)
    const held = modules.get(id)
    if (held) held.push(prompt)
    else modules.set(id, [prompt])
  }
  return modules
}

/**
 * The module with every prompt under its slug and its identifier, for `import * as prompts`. In
 * the `object` shape it has no names that only a string can be.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printAll(plan: NamedPrompts, ids: ModuleIds, shape: ModuleShape): string {
  const code = [...byModule(plan.prompts, ids)].map(([id, held]) => {
    const exports = held.flatMap((prompt) => printExports(prompt, shape))
    return `export {\n${exports.join('')}} from ${literal(id)}\n`
  })
  // Without a prompt it is still a module: an empty text would be none to webpack.
  const text = code.length === 0 ? `export {\n} from ${literal(ids.runtime)}\n` : code.join('')
  return checked(text, plan, ids)
}

function printExports({ names, index }: NamedPrompt, shape: ModuleShape): string[] {
  return names
    .filter((name) => shape === 'namespace' || isIdentifier(name))
    .map((name) => `  p${index} as ${isIdentifier(name) ? name : literal(name)},\n`)
}

/**
 * The module that holds the prompts themselves, one export each.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printDefinitions(plan: ModulePlan, ids: ModuleIds): string {
  const definitions = plan.prompts.map(
    (planned) => `export const p${planned.index} = ${printDefinition(planned, plan.environment)}\n`,
  )
  return checked(
    `import { definePrompt } from ${literal(ids.runtime)}\n${definitions.join('')}`,
    plan,
    ids,
  )
}

function checked(code: string, { prompts }: NamedPrompts, ids: ModuleIds): string {
  assertOnlyData(code, [ids.all, ids.runtime, ...byModule(prompts, ids).keys()])
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
