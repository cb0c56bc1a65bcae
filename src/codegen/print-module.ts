import { isIdentifier, PROTO } from '../core/names.ts'
import type { TemplatePart, Token } from '../core/template.ts'
import { assertOnlyData } from './assert-only-data.ts'
import { literal } from './literal.ts'
import type { ParseModule } from './parse-module.ts'
import { APP_EXPORTS, type ModulePlan, type PlannedPrompt } from './plan-module.ts'

/** What modules are printed for: where they find each other, and what can parse them there. */
export interface PrintTarget {
  /** The module with one export per name of a prompt. */
  readonly all: string
  /**
   * The module with one export per prompt: `p0`, `p1` and so on. Where prompts are spread over
   * several modules, the one that holds a prompt.
   */
  readonly definitions: string | ((prompt: Pick<PlannedPrompt, 'index'>) => string)
  /** The module with `definePrompt`, the adapters and the error. */
  readonly runtime: string
  /** Parses what was printed, so that it can be checked; acorn by default. */
  readonly parse?: ParseModule | undefined
}

/**
 * How `prompts` is made. `namespace`: of a module, which every bundler but esbuild reduces to what
 * is used. `object`: of an object literal, for bundlers that can't have every name as an export, and
 * for every bundler where one of the prompts is called `__proto__`.
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
export function printEntry(plan: NamedPrompts, target: PrintTarget, shape: ModuleShape): string {
  const hasProto = plan.prompts.some(({ names }) => names.includes(PROTO))
  // Re-exported by name: a plain `export *` would lose a prompt called `default`.
  const prompts =
    shape === 'namespace' && !hasProto
      ? [`export * as prompts from ${literal(target.all)}\n`]
      : printObject(plan, target)
  const others = `export { ${APP_EXPORTS.join(', ')} } from ${literal(target.runtime)}\n`
  return joinChecked([...prompts, others], plan, target)
}

function printObject({ prompts }: NamedPrompts, target: PrintTarget): string[] {
  const imports = [...byModule(prompts, target)].flatMap(([id, group]) =>
    chunks(group, MAX_NAMES).map((batch) => {
      const names = batch.map(({ index }) => `p${index}`)
      return `import { ${names.join(', ')} } from ${literal(id)}\n`
    }),
  )
  const members = prompts.flatMap(({ names, index }) =>
    names.map((name) => `  [${literal(name)}]: p${index},\n`),
  )
  return [...imports, `export const prompts = {\n  __proto__: null,\n${members.join('')}}\n`]
}

/** Prompts by the module that holds their definition, in the order of the first one of each. */
function byModule(
  prompts: readonly NamedPrompt[],
  { definitions }: PrintTarget,
): Map<string, NamedPrompt[]> {
  const modules = new Map<string, NamedPrompt[]>()
  for (const prompt of prompts) {
    const id = typeof definitions === 'string' ? definitions : definitions(prompt)
    const group = modules.get(id)
    if (group) group.push(prompt)
    else modules.set(id, [prompt])
  }
  return modules
}

/**
 * The module with every prompt under its slug and its identifier, for `import * as prompts`, except
 * `__proto__`. In the `object` shape it has only identifiers.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printAll(plan: NamedPrompts, target: PrintTarget, shape: ModuleShape): string {
  const code = [...byModule(plan.prompts, target)].map(([id, group]) => {
    const exports = group.flatMap((prompt) => printExports(prompt, shape))
    return `export {\n${exports.join('')}} from ${literal(id)}\n`
  })
  // Without a prompt it is still a module: an empty text would be none to webpack.
  if (code.length === 0) code.push(`export {\n} from ${literal(target.runtime)}\n`)
  return joinChecked(code, plan, target)
}

function printExports({ names, index }: NamedPrompt, shape: ModuleShape): string[] {
  return names
    .filter((name) => name !== PROTO && (shape === 'namespace' || isIdentifier(name)))
    .map((name) => `  p${index} as ${isIdentifier(name) ? name : literal(name)},\n`)
}

/**
 * The module that holds the prompts themselves, one export each.
 *
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
 */
export function printDefinitions(plan: ModulePlan, target: PrintTarget): string {
  const definitions = plan.prompts.map(
    (planned) => `export const p${planned.index} = ${printDefinition(planned, plan.environment)}\n`,
  )
  const runtime = `import { compose, definePrompt } from ${literal(target.runtime)}\n`
  return joinChecked(
    [runtime, ...chunks(definitions, MAX_NAMES).map((batch) => batch.join(''))],
    plan,
    target,
  )
}

/**
 * Joins the parts of a module, of which each was checked: whole statements to the end of a line,
 * so that they mean together what they mean alone.
 */
function joinChecked(
  parts: readonly string[],
  { prompts }: NamedPrompts,
  target: PrintTarget,
): string {
  const sources = new Set([target.all, target.runtime, ...byModule(prompts, target).keys()])
  for (const part of parts) assertOnlyData(part, sources, target.parse)
  return parts.join('')
}

function printDefinition(planned: PlannedPrompt, environment: ModulePlan['environment']): string {
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
 * The function that gives a prompt's texts. Values go straight into them, which is the shortest
 * and the fastest; where a token stands twice, `t` holds them, so that each is read once.
 */
function printBody({ system, user, combined, slots }: PlannedPrompt): string {
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
 * Joins terms by `+`. Begins with a text, so that the first value is concatenated and not added.
 * A long chain is printed as groups of groups, which give the same text.
 */
function concatenate(terms: readonly string[]): string {
  if (terms.length > MAX_TERMS) {
    return concatenate(chunks(terms, MAX_TERMS).map((group) => `(${concatenate(group)})`))
  }
  const [first] = terms
  return (first === undefined || /^[st]/.test(first) ? ['""', ...terms] : terms).join(' + ')
}

/**
 * The most terms of one chain of `+`. Rolldown takes quadratic time for a chain: a prompt of 20,000
 * tokens takes 7.6 s of CPU with 100 terms and 2.3 s with 16 (Vite 8.3.8).
 */
const MAX_TERMS = 16

/** The most names that are parsed at once: a parser compares each one with all others. */
const MAX_NAMES = 100

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
