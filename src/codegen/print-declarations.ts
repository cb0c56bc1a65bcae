import { createRequire } from 'node:module'
import type * as TsMorph from 'ts-morph'
import type {
  ModuleDeclarationStructure,
  TypeAliasDeclarationStructure,
  VariableStatementStructure,
} from 'ts-morph'
import type { Digest } from '../core/lock/integrity.ts'
import { DEFAULT_WORKSPACE, virtualModuleId } from '../core/workspace-name.ts'
import { literal } from './literal.ts'
import { APP_EXPORTS, type ModulePlan } from './plan-module.ts'
import { printExports, printMembers } from './print-members.ts'

/** By `require`: at an `import` Node reads all of TypeScript for names of exports before it runs it. */
const tsMorph: typeof TsMorph = createRequire(import.meta.url)('ts-morph')
const { ModuleDeclarationKind, Project, StructureKind, VariableDeclarationKind } = tsMorph

const RUNTIME_PACKAGE = 'unplugin-prompts/runtime'

/** The types that an app can import from `virtual:prompts`, with their parameters. */
const APP_TYPES: Readonly<Record<string, readonly string[]>> = {
  AnyPrompt: [],
  OpenAIChat: [],
  OpenAIResponses: [],
  Prompt: ['Slug', 'Version', 'Variables'].map((name) => `${name} extends string = string`),
  PromptMessage: [],
  PromptValue: [],
  PromptVariableError: [],
  PromptVariables: ['Variables extends string'],
  RenderArguments: ['Variables extends string'],
  RenderedPrompt: [],
  SystemAndMessages: [],
  VariablesOf: ['Any extends AnyPrompt'],
}

/** What declarations are printed with. */
export interface DeclarationsStyle {
  readonly digest: Digest
  /** Of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
}

/**
 * The declarations of `virtual:prompts` and `virtual:prompts/all` for a plan, without a header.
 *
 * This file is the only door to ts-morph, which is slow to load: import it lazily.
 */
export function printDeclarations(
  plan: ModulePlan,
  { digest, name = DEFAULT_WORKSPACE }: DeclarationsStyle,
): string {
  const entry = virtualModuleId(name)
  const modules = [
    ambientModule(entry, entryStatements(plan)),
    ambientModule(`${entry}/all`, printExports(plan) === '' ? [] : allStatements(entry)),
  ]
  return printFile(modules, plan, digest)
}

/** The declarations of a real module with the same exports, for a file beside it, without a header. */
export function printModuleDeclarations(plan: ModulePlan, { digest }: DeclarationsStyle): string {
  return printFile(entryStatements(plan), plan, digest)
}

/**
 * ts-morph parses everything it prints, and thousands of prompts would be nearly all of that. So it
 * prints a frame with one placeholder for the members of `Prompts` and one for the exports of
 * `virtual:prompts/all`.
 */
function printFile(statements: StatementList, plan: ModulePlan, digest: Digest): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const frame = project.createSourceFile('prompts.d.ts', { statements }).getFullText()
  return frame
    .replace(/^( *)type Prompts = \{\}/m, (_, outer: string) => {
      const members = printMembers(plan, { digest, indentation: `${outer}    ` })
      return `${outer}type Prompts = {\n${members}${outer}}`
    })
    .replace(/^ *EXPORTS;\n/m, () => printExports(plan))
}

/**
 * Every type is an alias, every value has the type of the package's own, and the type of `prompts`
 * has another name outside. By a re-export, TypeScript would name `virtual:prompts` in the
 * declarations of a library that exports prompts, where nobody who installs it can resolve that.
 */
function entryStatements({ prompts }: ModulePlan): StatementList {
  return [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      namespaceImport: 'runtime',
      moduleSpecifier: RUNTIME_PACKAGE,
    },
    ...APP_EXPORTS.map((name) => constant(name, `typeof runtime.${name}`)),
    ...Object.entries(APP_TYPES).map(([name, parameters]) => appType(name, parameters)),
    {
      kind: StructureKind.TypeAlias,
      name: 'Prompts',
      // `{}` is the type of every value, and lint rules forbid it.
      type: prompts.length === 0 ? 'Record<never, AnyPrompt>' : '{}',
      docs: ['Every pinned prompt, under its slug and under its identifier.'],
    },
    constant('prompts', 'Prompts'),
    { kind: StructureKind.TypeAlias, name: 'PinnedPrompts', type: 'typeof prompts' },
    {
      kind: StructureKind.ExportDeclaration,
      isTypeOnly: true,
      namedExports: [{ name: 'PinnedPrompts', alias: 'Prompts' }],
    },
  ]
}

function appType(name: string, parameters: readonly string[]): TypeAliasDeclarationStructure {
  const names = parameters.map((parameter) => parameter.replace(/ .*/, ''))
  const given = names.length === 0 ? '' : `<${names.join(', ')}>`
  return {
    kind: StructureKind.TypeAlias,
    isExported: true,
    name,
    typeParameters: [...parameters],
    type: `runtime.${name}${given}`,
  }
}

function allStatements(entry: string): StatementList {
  return [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      namedImports: ['Prompts'],
      moduleSpecifier: entry,
    },
    'EXPORTS;',
  ]
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

function constant(name: string, type: string): VariableStatementStructure {
  return {
    kind: StructureKind.VariableStatement,
    declarationKind: VariableDeclarationKind.Const,
    isExported: true,
    declarations: [{ name, type }],
  }
}
