import {
  ModuleDeclarationKind,
  type ModuleDeclarationStructure,
  type OptionalKind,
  Project,
  type PropertySignatureStructure,
  StructureKind,
  VariableDeclarationKind,
} from 'ts-morph'
import { sanitize } from '../core/sanitize.ts'
import { APP_EXPORTS } from './app-exports.ts'
import { literal } from './literal.ts'
import type { ModulePlan, PlannedPrompt } from './plan-module.ts'

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
 * This file is the only door to ts-morph and costs half a second to load: import it lazily. The
 * whole is one structure, since additions one by one are quadratic, and every name is quoted,
 * since ts-morph escapes nothing (DESIGN section 6).
 */
export function printDeclarations(plan: ModulePlan, header: string): string {
  const entry = ambientModule('virtual:prompts', entryStatements(plan, { declared: false }))
  return printFile([header, entry, allModule()])
}

/** The declarations of a real module with the same exports, for a file beside it. */
export function printModuleDeclarations(plan: ModulePlan, header: string): string {
  return printFile([header, ...entryStatements(plan, { declared: true })])
}

function printFile(statements: Exclude<Statements, string | Function>): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  return project.createSourceFile('prompts.d.ts', { statements }).getFullText()
}

/** @param declared - whether `declare` must be said, as it must where no `declare module` is around */
function entryStatements(
  plan: ModulePlan,
  { declared }: { readonly declared: boolean },
): Exclude<Statements, string | Function> {
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
      properties: plan.prompts.flatMap(propertiesOf),
    },
    { ...constant({ exported: true, type: 'Prompts' }), hasDeclareKeyword: declared },
  ]
}

/** `export =` gives `import * as prompts` the interface's members; a namespace would cost thrice. */
function allModule(): ModuleDeclarationStructure {
  return ambientModule('virtual:prompts/all', [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      namedImports: ['Prompts'],
      moduleSpecifier: 'virtual:prompts',
    },
    constant({ exported: false, type: 'Prompts' }),
    { kind: StructureKind.ExportAssignment, isExportEquals: true, expression: 'prompts' },
  ])
}

type Statements = Exclude<ModuleDeclarationStructure['statements'], undefined>

function ambientModule(id: string, statements: Statements): ModuleDeclarationStructure {
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
}): Extract<
  Exclude<Statements, string | Function>[number],
  { kind: StructureKind.VariableStatement }
> {
  return {
    kind: StructureKind.VariableStatement,
    declarationKind: VariableDeclarationKind.Const,
    isExported: exported,
    declarations: [{ name: 'prompts', type }],
  }
}

function propertiesOf(planned: PlannedPrompt): OptionalKind<PropertySignatureStructure>[] {
  const { slug, version } = planned.prompt
  const variables = [...new Set(planned.slots.map(({ name }) => typeLiteral(name)))]
  const union = variables.length === 0 ? 'never' : variables.join(' | ')
  const type = `Prompt<${typeLiteral(slug)}, ${typeLiteral(version)}, ${union}>`
  const docs = [describePrompt(planned)]
  return planned.names.map((name) => ({ name: typeLiteral(name), isReadonly: true, type, docs }))
}

/** ts-morph's writer takes the quote behind `\\` for an escaped one, and loses its way from there. */
function typeLiteral(text: string): string {
  return literal(text).replaceAll('\\\\', '\\u005c')
}

/** The beginning is enough: the full text costs the type checker another quarter. */
const SHOWN_LINES = 3
const SHOWN_COLUMNS = 96

/** What an editor shows on hover: where the prompt lives, and how its text begins. */
function describePrompt({ prompt }: PlannedPrompt): string {
  const { folder, model, version } = prompt
  const text = prompt.system === '' ? prompt.user : prompt.system
  const lines = text
    .slice(0, 1000)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines.slice(0, SHOWN_LINES).map((line) => neutral(line.slice(0, SHOWN_COLUMNS)))
  const place = [folder, model, version].map(neutral).filter((part) => part !== '')
  return [place.join(' · '), '', '```text', ...shown, '```'].join('\n')
}

/**
 * Remote text as the inside of a doc comment: nothing in it ends the comment, is a tag or a link,
 * or ends the code block (FAULTS 35). It is a look-alike for reading, never read back.
 */
function neutral(text: string): string {
  return sanitize(text).replaceAll('*/', '*∕').replaceAll('@', '＠').replaceAll('`', 'ˋ').trimEnd()
}
