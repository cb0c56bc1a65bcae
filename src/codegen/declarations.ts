import { promptRoles, promptVariables } from '../core/compare.ts'
import { GENERATED_BY } from '../core/generated.ts'
import { isIdentifier, PROTO } from '../core/names.ts'
import type { PinnedPrompt } from '../core/prompt.ts'
import {
  DEFAULT_WORKSPACE,
  formatCommand,
  stagingId,
  virtualModuleId,
} from '../core/workspace-name.ts'
import { escapeComment, escapeMarkdown, literal } from './escape.ts'
import {
  type LockPlan,
  type ModulePlan,
  type PlannedPrompt,
  planStaged,
  promptOf,
} from './plan-module.ts'

/**
 * Prints the declarations of `virtual:prompts`, `virtual:prompts/all` and `virtual:prompts/staging`.
 * They hold no digest of a lock, so branches that pull different prompts merge; {@link haveSameTokens}
 * compares them with a new print.
 */
export function printDeclarations(plan: LockPlan, name: string = DEFAULT_WORKSPACE): string {
  const entry = virtualModuleId(name)
  return `${generatedHeader('pull', name)}
${printModule(entry, printEntry(plan))}
${printModule(`${entry}/all`, printAll(plan, entry))}
${printModule(stagingId(name), printStaging(plan, entry))}`
}

function printModule(id: string, body: string): string {
  return `declare module ${literal(id)} {\n${body.replaceAll(/^(?=.)/gm, '  ')}}\n`
}

/** Prints the declarations of the real modules that `generate --out-dir` writes. */
export function printModuleDeclarations(
  plan: LockPlan,
  name: string,
): { readonly entry: string; readonly all: string; readonly staging: string } {
  const header = generatedHeader('generate', name)
  // Without prompts, `export {}` keeps it a module.
  const all = printAll(plan, './index.js') || 'export {};\n'
  return {
    entry: `${header}\n${printEntry(plan)}`,
    all: `${header}\n${all}`,
    staging: `${header}\n${printStaging(plan, '../index.js')}`,
  }
}

/**
 * Prints the first lines of generated code: no rules for linters, and the marker. They are equal on branches
 * that pull different prompts, so they never conflict.
 *
 * @param command - the one that updates the file
 * @param name - of the workspace
 */
export function generatedHeader(command: 'pull' | 'generate', name: string): string {
  const advice = `Do not edit: \`npx ${formatCommand(name, command)}\` updates it.`
  return `${LINT_NOTHING}// ${GENERATED_BY} from the lock file. ${advice}\n`
}

/** By default ESLint reports a directive that hides no problem, so the second line makes one. */
const LINT_NOTHING = `/* eslint-disable */
/* eslint max-lines: [2, 1] -- so that ESLint finds the line above of use */
`

/**
 * Types are aliases and values have types of the package, instead of re-exports. With re-exports, the
 * declarations of a library that exports prompts would refer to `virtual:prompts`, which its users can't
 * resolve. For the same reason `Prompts` has another name in the module.
 */
function printEntry({ prompts }: ModulePlan): string {
  return `${IMPORT_RUNTIME}
/** Renders a prompt for the AI SDK 7: \`{ instructions, messages }\`. */
export const toAISDK: typeof runtime.toAISDK;
/** Renders a prompt for the AI SDK 5 and 6: \`{ system, messages }\`. */
export const toAISDK6: typeof runtime.toAISDK6;
/** Renders a prompt for Anthropic's messages: \`{ system, messages }\`. */
export const toAnthropic: typeof runtime.toAnthropic;
/** Renders a prompt for OpenAI's chat completions: \`{ messages }\`. */
export const toOpenAI: typeof runtime.toOpenAI;
/** Renders a prompt for OpenAI's responses: \`{ instructions, input }\`. */
export const toOpenAIResponses: typeof runtime.toOpenAIResponses;
/** The prompt, its version and its environment as attributes of an OpenTelemetry span. */
export const toSpanAttributes: typeof runtime.toSpanAttributes;
/** Thrown by \`render\` if values are missing or have another type; names all of these variables. */
export const PromptVariableError: typeof runtime.PromptVariableError;
/** Thrown by \`render\` if values are missing or have another type; names all of these variables. */
export type PromptVariableError = runtime.PromptVariableError;
/** Any prompt. Its fields can be read; \`RenderArguments\` renders it. */
export type AnyPrompt = runtime.AnyPrompt;
/** The model hint of a prompt, as a literal; for a union of prompts, the hints of all. */
export type ModelOf<P extends AnyPrompt> = runtime.ModelOf<P>;
/** One pinned prompt with its contract: slug, model, roles and variables. */
export type Prompt<Contract extends runtime.PromptContract> = runtime.Prompt<Contract>;
/** One message for a model. */
export type PromptMessage = runtime.PromptMessage;
/** The value of a variable; inserted with \`String(value)\`. */
export type PromptValue = runtime.PromptValue;
/** The arguments of \`render\`: the values of a prompt's variables, or none. */
export type RenderArguments<P extends AnyPrompt> = runtime.RenderArguments<P>;
/** A prompt with its variables filled in. */
export type RenderedPrompt = runtime.RenderedPrompt;
/** The values that a prompt needs, as an object; for a union of prompts, those of all. */
export type VariablesOf<P extends AnyPrompt> = runtime.VariablesOf<P>;

${printPrompts('Every pinned prompt, under its slug and under its identifier.', prompts.map(printMember))}`
}

/**
 * Prints the declarations of `virtual:prompts/staging`. Only what is staged has a type of its own, so a
 * staging version that comes or goes changes few lines.
 */
function printStaging(plan: LockPlan, entry: string): string {
  const staged = planStaged(plan).prompts
  const live = `import type { Prompts as Live } from ${literal(entry)};\n`
  const doc = `/** Every prompt, in its staging version if there is one. Others are the same objects. */\n`
  const end = `${doc}export const prompts: Prompts;\nexport type { Prompts };\n`
  if (staged.length === 0) return `${live}\ntype Prompts = Live;\n${end}`
  const isStaged = new Set(staged)
  const others = plan.staging.prompts.filter((planned) => !isStaged.has(planned))
  const kept = new Set(others.flatMap((planned) => planned.names))
  const lost = plan.prompts.flatMap((planned) => planned.names).filter((name) => !kept.has(name))
  // A line for each name, so that two branches that stage prompts merge.
  const omitted = lost.map((name) => `  | ${literal(name)}\n`).join('')
  const base = omitted === '' ? 'Live' : `Omit<\n  Live,\n${omitted}>`
  const members = staged.map(printMember).join('')
  return `${IMPORT_RUNTIME}${live}\ninterface Prompts extends ${base} {\n${members}}\n${end}`
}

const IMPORT_RUNTIME = 'import type * as runtime from "unplugin-prompts/runtime";\n'

function printPrompts(doc: string, members: readonly string[]): string {
  // `{}` is the type of every value, and lint rules forbid it.
  const type = members.length === 0 ? 'Record<never, runtime.AnyPrompt>' : `{\n${members.join('')}}`
  return `type Prompts = ${type};
/** ${doc} */
export const prompts: Prompts;
/** The type of \`prompts\`. */
type PinnedPrompts = typeof prompts;
export type { PinnedPrompts as Prompts };
`
}

/**
 * Prints the exports of `virtual:prompts/all`: the names that every bundler can export and every version of
 * TypeScript can declare. TypeScript before 5.6 can only declare identifiers, and which letters outside
 * ASCII are allowed depends on its version.
 */
function printAll({ prompts }: ModulePlan, entry: string): string {
  const exports = prompts
    .flatMap(({ names }) => names)
    .filter((name) => isPlainName(name) && name !== PROTO)
    .map((name) => `${aliasDoc(`prompts.${name}`)}export const ${name}: Prompts["${name}"];\n`)
  if (exports.length === 0) return ''
  return `import type { Prompts } from ${literal(entry)};\n\n${exports.join('')}`
}

/** Prints a prompt under its identifier, and its slug as a reference to it. */
function printMember(planned: PlannedPrompt): string {
  const { names } = planned
  const prompt = promptOf(planned)
  const [slug = prompt.slug, name = slug] = names
  const alias =
    name === slug
      ? ''
      : `${aliasDoc(`prompts.${name}`)}readonly ${literal(slug)}: Prompts[${literal(name)}];\n`
  const member = `${printDoc(prompt)}readonly ${printKey(name)}: runtime.Prompt<{
  slug: ${literal(prompt.slug)};
  model: ${literal(prompt.model)};
  roles: ${printRoles(prompt)};
  variables: ${printVariables(promptVariables(prompt))};
}>;
${alias}`
  return member.replaceAll(/^(?=.)/gm, '  ')
}

function aliasDoc(name: string): string {
  return `/** Same as \`${name}\`. */\n`
}

function printRoles(prompt: PinnedPrompt): string {
  return promptRoles(prompt).map(literal).join(' | ') || 'never'
}

function printVariables(variables: readonly string[]): string {
  if (variables.length === 0) return 'Record<never, never>'
  // `{ __proto__: value }` sets a prototype, so a variable of that name accepts no value.
  const properties = variables.map(
    (name) => `${printKey(name)}: ${name === PROTO ? 'never' : 'runtime.PromptValue'}`,
  )
  return `{ ${properties.join('; ')} }`
}

/** Older versions of TypeScript know fewer letters than this Node. */
function printKey(name: string): string {
  return isPlainName(name) ? name : literal(name)
}

function isPlainName(name: string): boolean {
  return /^[\w$]+$/.test(name) && isIdentifier(name)
}

/** With the full text, type checking takes a quarter longer. */
const SHOWN_LINES = 2
const SHOWN_COLUMNS = 96

/** What an editor shows on hover: folder, model, version, and the beginning of the text. */
function printDoc({ folder, model, version, system, user }: PinnedPrompt): string {
  const beginning = cutText(system === '' ? user : system, 1000)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, SHOWN_LINES)
    .map((line) => escapeComment(cutText(line, SHOWN_COLUMNS)))
  const place = [folder, model, version].map(escapeMarkdown).filter((part) => part !== '')
  const lines = [place.join(' · '), '', '```text', ...beginning, '```']
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** Does not cut a surrogate pair: an unpaired surrogate can't be written, so the file would never match. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '')
}

/** Prints the comment that refers editors to the map of declarations. */
export function sourceMapComment(file: string): string {
  return `//# sourceMappingURL=${encodeURIComponent(file)}.map\n`
}

/**
 * Whether the text of a file has the tokens of newly printed declarations, so that a formatter may have
 * changed it.
 */
export function haveSameTokens(text: string, printed: string): boolean {
  return text === printed || listTokens(text) === listTokens(printed)
}

/** The same without regard to comments. */
export function haveSameCode(text: string, printed: string): boolean {
  return haveSameTokens(text.replaceAll(DOC_COMMENT, ''), printed.replaceAll(DOC_COMMENT, ''))
}

const DOC_COMMENT = /^[ \t]*\/\*\*[^]*?\*\//gm

/** Formatters add and remove `;`, `,` and a leading `|`. */
const TOKEN =
  /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{ID_Continue}$]+|[^\s;,|]/gu

/** Comments, except doc comments and the one that names the map. */
const IGNORED = /^\/[/*](?![*#])/

function listTokens(text: string): string {
  const tokens = Array.from(text.matchAll(TOKEN), ([token]) => token)
  return listSorted(tokens.filter((token) => !IGNORED.test(token)))
}

/** Lists tokens with the members in braces in one order: some formatters sort them, each with its doc comment. */
function listSorted(tokens: readonly string[]): string {
  const outer: string[][][] = []
  let members: string[][] = [[]]
  for (const token of tokens) {
    const member = members.at(-1) ?? []
    if ('([{'.includes(token)) {
      outer.push(members)
      members = [[]]
    } else if (')]}'.includes(token)) {
      const texts = members.map(listMember)
      members = outer.pop() ?? [[]]
      members.at(-1)?.push([token, ...(token === '}' ? texts.toSorted() : texts)].join('\n'))
    } else if (token === ':') members.push([...member.splice(startOfMember(member)), token])
    else member.push(token)
  }
  return [...outer, members].flat().map(listMember).join('\n')
}

/** Where a member begins that ends with its name. */
function startOfMember(tokens: readonly string[]): number {
  const name = tokens.findLastIndex((token) => token !== '?')
  return (
    tokens.findLastIndex((token, index) => index < name && !/^(?:readonly$|\/\*\*)/.test(token)) + 1
  )
}

function listMember(tokens: readonly string[]): string {
  return tokens
    .map((token) => (token.startsWith('/**') ? joinLines(token) : stripQuotes(token)))
    .join('\n')
}

/** Some formatters break the lines of a doc comment anew, change bullets, and begin it with a capital letter. */
function joinLines(comment: string): string {
  const text = comment.replaceAll(/\n\s*\*(?!\/)\s*(?:[*-]\s)?/g, ' ').replaceAll(/\s+/g, ' ')
  return text.replace(/\p{L}/u, (letter) => letter.toLowerCase())
}

/** Returns the content of a literal without its quotes. Escapes other than those of quotes stay. */
export function stripQuotes(token: string): string {
  if (!/^["']/.test(token)) return token
  return token.slice(1, -1).replaceAll(/\\(["'])|(\\.)/gs, '$1$2')
}
