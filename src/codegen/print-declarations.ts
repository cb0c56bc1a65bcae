import {
  ModuleDeclarationKind,
  type ModuleDeclarationStructure,
  Project,
  StructureKind,
  type TypeAliasDeclarationStructure,
  VariableDeclarationKind,
  type VariableStatementStructure,
} from 'ts-morph'
import type { Digest } from '../core/lock/integrity.ts'
import { DEFAULT_WORKSPACE, virtualModuleId } from '../core/workspace-name.ts'
import { literal } from './literal.ts'
import { APP_EXPORTS, type ModulePlan } from './plan-module.ts'
import { printDeclaredExports, printMembers } from './print-members.ts'

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

/** Options of the declarations. */
export interface DeclarationsStyle {
  readonly digest: Digest
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
}

/**
 * Prints the declarations of `virtual:prompts` and `virtual:prompts/all`, without a header.
 *
 * Import this file lazily: it loads ts-morph, which is slow.
 */
export function printDeclarations(
  plan: ModulePlan,
  { digest, name = DEFAULT_WORKSPACE }: DeclarationsStyle,
): string {
  const entry = virtualModuleId(name)
  const modules = [
    ambientModule(entry, entryStatements(plan)),
    ambientModule(`${entry}/all`, printDeclaredExports(plan) === '' ? [] : allStatements(entry)),
  ]
  return printFile(modules, plan, digest)
}

/** Prints the declarations of a real module with the same exports, without a header. */
export function printModuleDeclarations(plan: ModulePlan, { digest }: DeclarationsStyle): string {
  return printFile(entryStatements(plan), plan, digest)
}

/**
 * ts-morph parses everything that it prints, which is slow for thousands of prompts. So it prints a frame
 * with placeholders for the members of `Prompts` and the exports of `virtual:prompts/all`.
 */
function printFile(statements: StatementList, plan: ModulePlan, digest: Digest): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const frame = project.createSourceFile('prompts.d.ts', { statements }).getFullText()
  return frame
    .replace(/^( *)type Prompts = \{\}/m, (_, outer: string) => {
      const members = printMembers(plan, { digest, indentation: `${outer}    ` })
      return `${outer}type Prompts = {\n${members}${outer}}`
    })
    .replace(/^ *EXPORTS;\n/m, () => printDeclaredExports(plan))
}

/**
 * Types are aliases and values have types of the package, instead of re-exports. With re-exports, the
 * declarations of a library that exports prompts would refer to `virtual:prompts`, which its users can't
 * resolve. For the same reason `Prompts` has another name in the module.
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
