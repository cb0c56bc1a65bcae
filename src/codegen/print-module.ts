import { hash } from 'node:crypto'
import { isIdentifier, PROTO } from '../core/names.ts'
import { type PartId, partKey, type PinnedPrompt } from '../core/prompt.ts'
import { settingsOf } from '../core/settings.ts'
import type { Token } from '../core/template.ts'
import { assertOnlyData, type ParseModule } from './assert-only-data.ts'
import { literal } from './escape.ts'
import {
  APP_EXPORTS,
  type ModulePlan,
  type PlannedPrompt,
  planTexts,
  promptOf,
} from './plan-module.ts'

/** The specifiers of the modules, and the parser that checks them. */
export interface PrintTarget {
  /** The module with one export per name of a prompt. */
  readonly all: string
  /** The module that defines a prompt: an export `p` and its {@link definitionKey}. */
  readonly definitions: (prompt: PlannedPrompt) => string
  /** The module with `definePrompt`, the adapters and the error. */
  readonly runtime: string
  /** Default: `esm`. */
  readonly format?: ModuleFormat | undefined
  /** Parses the printed code for the check. Default: acorn. */
  readonly parse?: ParseModule | undefined
}

/** ES modules or CommonJS. */
export type ModuleFormat = 'esm' | 'cjs'

/**
 * How `prompts` is defined. `namespace`: as a module namespace, which every bundler except esbuild reduces
 * to what is used. `object`: as an object literal, for bundlers that do not support every name as an
 * export, and if a prompt is called `__proto__`.
 */
export type ModuleShape = 'namespace' | 'object'

/** Prints the module that apps import: all prompts, the adapters and the error. */
export function printEntry(plan: ModulePlan, target: PrintTarget, shape: ModuleShape): string {
  const hasProto = plan.prompts.some(({ names }) => names.includes(PROTO))
  // A plain `export *` would lose a prompt called `default`.
  const prompts =
    shape === 'namespace' && !hasProto ? [printNamespace(target)] : printObject(plan, target)
  const names = APP_EXPORTS.map((name) => [name, name] as const)
  return joinChecked([...prompts, printExports(names, target.runtime, target)], plan, target)
}

function printNamespace({ all, format }: PrintTarget): string {
  return format === 'cjs'
    ? `exports.prompts = { __proto__: null, ...require(${literal(all)}) }\n`
    : `export * as prompts from ${literal(all)}\n`
}

function printObject({ prompts }: ModulePlan, target: PrintTarget): string[] {
  const imports = prompts.map((prompt) =>
    printImport([constantOf(prompt)], target.definitions(prompt), target),
  )
  const members = prompts.flatMap((prompt) =>
    prompt.names.map((name) => `  [${literal(name)}]: ${constantOf(prompt)},\n`),
  )
  const object = `{\n  __proto__: null,\n${members.join('')}}`
  return [...imports, printConstant('prompts', object, target)]
}

function constantOf({ head }: PlannedPrompt): string {
  return `p${definitionKey(head)}`
}

/**
 * Digits that identify the definition of a prompt, whichever others there are: another prompt renames no module
 * and no constant, two branches that pull different prompts don't conflict in a generated folder, and old code
 * beside new definitions fails instead of rendering another text.
 */
export function definitionKey(prompt: PartId): string {
  const key = KEYS.get(prompt) ?? `${hash('sha256', partKey(prompt), 'buffer').readBigUInt64BE()}`
  KEYS.set(prompt, key)
  return key
}

/** A dev server keeps the prompts that have not changed. */
const KEYS = new WeakMap<PartId, string>()

/**
 * Prints the module with every prompt under its slug and its identifier, for `import * as prompts`, except
 * `__proto__`.
 */
export function printAll(plan: ModulePlan, target: PrintTarget): string {
  const modules = new Map<string, [name: string, exported: string][]>()
  for (const prompt of plan.prompts) {
    const id = target.definitions(prompt)
    const names = modules.get(id) ?? []
    modules.set(id, names)
    for (const name of prompt.names) if (name !== PROTO) names.push([constantOf(prompt), name])
  }
  const code = [...modules].map(([id, names]) => printExports(names, id, target))
  // Without prompts, webpack would not recognize an empty text as a module.
  if (code.length === 0) code.push(printExports([], target.runtime, target))
  return joinChecked([code.join('')], plan, target)
}

/** Prints the module with the prompts themselves, one export each. */
export function printDefinitions(plan: ModulePlan, target: PrintTarget): string {
  const [first = '', ...others] = plan.prompts.map((planned) =>
    printConstant(constantOf(planned), printDefinition(planned), target),
  )
  const runtime = printImport(['compose', 'definePrompt'], target.runtime, target)
  return joinChecked([runtime + first, ...others], plan, target)
}

/** Prints the call of `definePrompt` for a prompt: its settings have the order of the lock. */
function printDefinition(planned: PlannedPrompt): string {
  const prompt = promptOf(planned)
  const settings = Object.values({ ...settingsOf(prompt), environment: prompt.environment })
  return `/* @__PURE__ */ definePrompt(${[...settings.map(literal), printBody(prompt)].join(', ')})`
}

/**
 * Prints the function that returns a prompt's texts. Values are inserted directly, which is the shortest
 * and fastest form. If a token occurs twice, `t` stores the values, so that each is read once.
 */
function printBody(prompt: PinnedPrompt): string {
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
    const starts = terms.map((_, index) => index).filter((index) => index % MAX_TERMS === 0)
    const groups = starts.map((start) => concatenate(terms.slice(start, start + MAX_TERMS)))
    return concatenate(groups.map((group) => `(${group})`))
  }
  const [first] = terms
  return (first === undefined || /^[st]/.test(first) ? ['""', ...terms] : terms).join(' + ')
}

/**
 * Maximum length of a chain of `+`. Rolldown takes quadratic time for a chain: a prompt with 20,000
 * tokens takes 3.4 s of CPU with 100 terms and 0.7 s with 16 (Vite 8.4.0).
 */
const MAX_TERMS = 16

type Format = Pick<PrintTarget, 'format'>

function printImport(names: readonly string[], id: string, { format }: Format): string {
  const list = `{ ${names.join(', ')} }`
  return format === 'cjs'
    ? `const ${list} = require(${literal(id)})\n`
    : `import ${list} from ${literal(id)}\n`
}

function printConstant(name: string, value: string, { format }: Format): string {
  return `${format === 'cjs' ? 'exports.' : 'export const '}${name} = ${value}\n`
}

/** Exports what another module exports. CommonJS that imports ES modules sees only assignments. */
function printExports(
  names: readonly (readonly [name: string, exported: string])[],
  id: string,
  { format }: Format,
): string {
  if (format !== 'cjs') {
    const list = names.map(([name, exported]) =>
      name === exported
        ? `  ${name},\n`
        : `  ${name} as ${isIdentifier(exported) ? exported : literal(exported)},\n`,
    )
    return `export {\n${list.join('')}} from ${literal(id)}\n`
  }
  return names
    .map(([name, exported]) => {
      const key = isIdentifier(exported) ? `.${exported}` : `[${literal(exported)}]`
      return `exports${key} = require(${literal(id)}).${name}\n`
    })
    .join('')
}

/**
 * Checks and joins the parts of a module. Parts are complete statements that end with a line end, so
 * joining does not change their meaning. A parser compares each declared name with all others of a text, so
 * definitions are parsed one by one.
 */
function joinChecked(
  parts: readonly string[],
  { prompts }: ModulePlan,
  target: PrintTarget,
): string {
  const sources = new Set([
    target.all,
    target.runtime,
    ...prompts.map((prompt) => target.definitions(prompt)),
  ])
  for (const part of parts) assertOnlyData(part, sources, target.parse)
  return parts.join('')
}
