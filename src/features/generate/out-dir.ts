import { hash } from 'node:crypto'
import { GENERATED_BY } from '../../core/generated.ts'
import type { Lock } from '../../core/prompt.ts'
import { generatedHeader, printModuleDeclarations } from '../../codegen/declarations.ts'
import { planModule } from '../../codegen/plan-module.ts'
import {
  printAll,
  printDefinitions,
  printEntry,
  type PrintTarget,
} from '../../codegen/print-module.ts'
import { keepFormatting } from './declarations.ts'
import type { WriteResult } from '../../fs/files.ts'
import {
  type FileReport,
  type FileState,
  fileState,
  type GeneratedFile,
  isForeign,
  writeGenerated,
  outDirFiles,
} from '../../fs/generated-file.ts'
import runtime from '../../runtime/index.ts?text'

/** Where to write the files. */
export interface OutDirTarget {
  /** Absolute path of the project's root. */
  readonly root: string
  /** Name of the workspace. */
  readonly name: string
  /** Absolute path of the folder. It is created if needed. */
  readonly folder: string
}

/**
 * Marks the files as ES modules without side effects, regardless of the app's own package.json. It
 * names no command, so it never changes.
 */
const MANIFEST = `${JSON.stringify(
  { '//': `${GENERATED_BY}.`, type: 'module', sideEffects: false },
  undefined,
  2,
)}\n`

/** The specifiers between the files. */
const TARGET: PrintTarget = {
  all: './all.js',
  definitions: './definitions.js',
  runtime: './runtime.js',
  // By slug, since with positions two branches that pull different prompts would conflict.
  constant: ({ names: [slug = ''] }) => `p${hash('sha256', slug, 'buffer').readBigUInt64BE()}`,
}

/**
 * Writes `virtual:prompts` as `index.js`, `virtual:prompts/all` as `all.js`, both with declarations,
 * the modules that they import, and a `package.json` that marks them as ES modules. A `package.json`
 * that this package did not generate stays.
 *
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE, MODULE_REFUSED
 */
export async function writeOutDir(
  lock: Lock,
  { root, ...target }: OutDirTarget,
): Promise<FileReport<WriteResult>[]> {
  return writeGenerated(await printOutDir(lock, target), root)
}

/**
 * Whether the files match the lock.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function checkOutDir(
  lock: Lock,
  target: Omit<OutDirTarget, 'root'>,
): Promise<FileReport<FileState>[]> {
  return Promise.all((await printOutDir(lock, target)).map(fileState))
}

async function printOutDir(
  lock: Lock,
  { name, folder }: Omit<OutDirTarget, 'root'>,
): Promise<GeneratedFile[]> {
  const plan = planModule(lock)
  const header = { command: 'generate', name, environment: lock.environment } as const
  const { modules, manifest } = outDirFiles(folder)
  const file = (path: string, code: string): GeneratedFile => ({
    path,
    text: `${generatedHeader(header)}/* eslint-disable */\n${code}`,
  })
  const { entry, all } = printModuleDeclarations(plan, name)
  return [
    file(modules.entry, printEntry(plan, TARGET, 'namespace')),
    file(modules.all, printAll(plan, TARGET, 'namespace')),
    file(modules.definitions, printDefinitions(plan, TARGET)),
    file(modules.runtime, runtime),
    await keepFormatting({ path: modules.entryDeclarations, text: entry }),
    await keepFormatting({ path: modules.allDeclarations, text: all }),
    ...((await isForeign(manifest)) ? [] : [{ path: manifest, text: MANIFEST }]),
  ]
}
