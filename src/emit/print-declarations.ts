import { createRequire } from 'node:module'
import type * as TsMorph from 'ts-morph'
import type { ModuleDeclarationStructure, VariableStatementStructure } from 'ts-morph'
import { sanitize } from '../core/sanitize.ts'
import { DEFAULT_NAME, moduleOf } from '../core/workspace-name.ts'
import { APP_EXPORTS } from './app-exports.ts'
import { literal } from './literal.ts'
import type { ModulePlan, PlannedPrompt } from './plan-module.ts'

/** By `require`: at an `import` Node reads all of TypeScript for names of exports before it runs it. */
const tsMorph: typeof TsMorph = createRequire(import.meta.url)('ts-morph')
const { ModuleDeclarationKind, Project, StructureKind, SyntaxKind, VariableDeclarationKind } =
  tsMorph

const PACKAGE = 'unplugin-prompts/runtime'
const APP_TYPES = [
  'OpenAIChat',
  'OpenAIResponses',
  'Prompt',
  'PromptMessage',
  'PromptValue',
  'RenderedPrompt',
  'SystemAndMessages',
]

/**
 * The declarations of `virtual:prompts` and `virtual:prompts/all` for a plan.
 *
 * This file is the only door to ts-morph, which is slow to load: import it lazily.
 *
 * @param name - of the workspace
 */
export function printDeclarations(
  plan: ModulePlan,
  header: string,
  name: string = DEFAULT_NAME,
): string {
  const entry = ambientModule(moduleOf(name), entryStatements({ declared: false }))
  return printFile([header, entry, allModule(moduleOf(name))], plan)
}

/** The declarations of a real module with the same exports, for a file beside it. */
export function printModuleDeclarations(plan: ModulePlan, header: string): string {
  return printFile([header, ...entryStatements({ declared: true })], plan)
}

/**
 * ts-morph parses all that it prints, and thousands of prompts would be nearly all of that. So it
 * prints the frame, and tells where in it the members of `Prompts` go.
 */
function printFile(statements: StatementList, { prompts }: ModulePlan): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const file = project.createSourceFile('prompts.d.ts', { statements })
  const frame = file.getFullText()
  const brace = file.getFirstDescendantByKindOrThrow(SyntaxKind.InterfaceDeclaration).getEnd() - 1
  const line = frame.lastIndexOf('\n', brace) + 1
  const indentation = `${frame.slice(line, brace)}    `
  const members = prompts.map((planned) => printMembers(planned, indentation))
  return frame.slice(0, line) + members.join('') + frame.slice(line)
}

/** @param declared - whether `declare` must be said, as it must where no `declare module` is around */
function entryStatements({ declared }: { readonly declared: boolean }): StatementList {
  return [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      namedImports: ['Prompt'],
      moduleSpecifier: PACKAGE,
    },
    {
      kind: StructureKind.ExportDeclaration,
      namedExports: [...APP_EXPORTS],
      moduleSpecifier: PACKAGE,
    },
    {
      kind: StructureKind.ExportDeclaration,
      isTypeOnly: true,
      namedExports: APP_TYPES,
      moduleSpecifier: PACKAGE,
    },
    {
      kind: StructureKind.Interface,
      name: 'Prompts',
      isExported: true,
      docs: ['Every pinned prompt, under its slug and under its identifier.'],
    },
    { ...constant({ exported: true, type: 'Prompts' }), hasDeclareKeyword: declared },
  ]
}

/** TS1203, where an app checks its declarations and both `"type": "module"` and `nodenext` are set. */
const WHY_IGNORED = '// @ts-ignore: an ES module may not, but what is declared here has no form'

/** `export =` gives `import * as prompts` the interface's members; a namespace would cost thrice. */
function allModule(entry: string): ModuleDeclarationStructure {
  return ambientModule(`${entry}/all`, [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      namedImports: ['Prompts'],
      moduleSpecifier: entry,
    },
    constant({ exported: false, type: 'Prompts' }),
    {
      kind: StructureKind.ExportAssignment,
      leadingTrivia: `${WHY_IGNORED}\n`,
      isExportEquals: true,
      expression: 'prompts',
    },
  ])
}

type StatementList = Extract<ModuleDeclarationStructure['statements'], readonly unknown[]>

function ambientModule(id: string, statements: StatementList): ModuleDeclarationStructure {
  return {
    kind: StructureKind.Module,
    declarationKind: ModuleDeclarationKind.Module,
    hasDeclareKeyword: true,
    name: literal(id),
    statements,
  }
}

function constant({
  exported,
  type,
}: {
  exported: boolean
  type: string
}): VariableStatementStructure {
  return {
    kind: StructureKind.VariableStatement,
    declarationKind: VariableDeclarationKind.Const,
    isExported: exported,
    declarations: [{ name: 'prompts', type }],
  }
}

/** A prompt's members, one for each of its names; every name is quoted. */
function printMembers(planned: PlannedPrompt, indentation: string): string {
  const { slug, version } = planned.prompt
  const variables = [...new Set(planned.slots.map(({ name }) => literal(name)))]
  const union = variables.length === 0 ? 'never' : variables.join(' | ')
  const type = `Prompt<${literal(slug)}, ${literal(version)}, ${union}>`
  const doc = printDoc(describePrompt(planned), indentation)
  return planned.names
    .map((name) => `${doc}${indentation}readonly ${literal(name)}: ${type};\n`)
    .join('')
}

function printDoc(lines: readonly string[], indentation: string): string {
  const printed = lines.map((line) => `${indentation} * ${line}`.trimEnd())
  return [`${indentation}/**`, ...printed, `${indentation} */\n`].join('\n')
}

/** The beginning is enough: the full text costs the type checker another quarter. */
const SHOWN_LINES = 3
const SHOWN_COLUMNS = 96

/** What an editor shows on hover: where the prompt lives, and how its text begins. */
function describePrompt({ prompt }: PlannedPrompt): string[] {
  const { folder, model, version } = prompt
  const text = prompt.system === '' ? prompt.user : prompt.system
  const lines = beginningOf(text, 1000)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines.slice(0, SHOWN_LINES).map((line) => neutral(beginningOf(line, SHOWN_COLUMNS)))
  const place = [folder, model, version].map(neutralMarkdown).filter((part) => part !== '')
  return [place.join(' · '), '', '```text', ...shown, '```']
}

/** Cut between two characters: half of one could not be written, and so would never be current. */
function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '')
}

/**
 * Remote text as the inside of a doc comment: nothing in it ends the comment, is a tag or a link,
 * or ends the code block (FAULTS 35). It is a look-alike for reading, never read back.
 */
function neutral(text: string): string {
  return sanitize(text).replaceAll('*/', '*∕').replaceAll('@', '＠').replaceAll('`', 'ˋ').trimEnd()
}

/** The same for text that an editor takes for Markdown: no image is loaded from anywhere. */
function neutralMarkdown(text: string): string {
  return neutral(text).replaceAll('[', '［').replaceAll('<', '＜')
}
