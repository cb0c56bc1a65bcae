import { hash } from 'node:crypto'
import { join } from 'node:path'
import { GENERATED_BY } from '../../core/generated.ts'
import { generatedHeader, printModuleDeclarations } from '../../codegen/declarations.ts'
import { isDefinedIn, planDifferent, planModule } from '../../codegen/plan-module.ts'
import {
  type ModuleFormat,
  printAll,
  printDefinitions,
  printEntry,
  type PrintTarget,
} from '../../codegen/print-module.ts'
import { usageError } from '../../errors/prompts-error.ts'
import { keepFormatting } from './declarations.ts'
import { readText } from '../../fs/files.ts'
import { type GeneratedFile, isForeign, outDirFiles } from '../../fs/generated-file.ts'
import { ancestorFolders } from '../../fs/paths.ts'
import type { SourceLock } from './source-lock.ts'
import runtime from '../../runtime/index.ts?text'

/** The files of a folder. */
export interface PrintedFolder {
  readonly files: readonly GeneratedFile[]
  /** Files that an older lock had. If this package generated them, they are removed. */
  readonly unneeded: readonly string[]
}

/** The specifiers between the files. */
const TARGET = {
  all: './all.js',
  definitions: () => './definitions.js',
  runtime: './runtime.js',
  // By slug, since with positions two branches that pull different prompts would conflict.
  constant: ({ names: [slug = ''] }) => `p${hash('sha256', slug, 'buffer').readBigUInt64BE()}`,
} as const satisfies PrintTarget

/**
 * Prints `virtual:prompts` as `index.js`, `virtual:prompts/all` as `all.js`, both with declarations,
 * the modules that they import, and a `package.json` with their format. A `package.json` that this
 * package did not generate stays. With a test lock, the folder `staging` has the same of that; without
 * one, its files are not needed.
 *
 * @param folder - absolute
 * @param name - of the workspace
 * @param selected - the format. Default: that of the nearest `package.json`, which is the folder's own
 *   after the first time
 * @throws PromptsError FILE_UNREADABLE, MODULE_REFUSED, USAGE
 */
export async function printOutDir(
  { lock, staging }: SourceLock,
  folder: string,
  name: string,
  selected?: ModuleFormat,
): Promise<PrintedFolder> {
  const { modules, manifest } = outDirFiles(folder)
  const nearest: ModuleFormat = (await isModulePackage(folder)) ? 'esm' : 'cjs'
  const format = selected ?? nearest
  const isManifestForeign = await isForeign(manifest)
  if (isManifestForeign && format !== nearest) {
    const problem = `Node reads these files as ${nearest}, by \`type\` in ${manifest}.`
    throw usageError(problem, 'generate')
  }
  const plan = planModule(lock, staging?.lock)
  const target = { ...TARGET, format }
  const header = generatedHeader('generate', name, lock.environment)
  const file = (path: string, code: string): GeneratedFile => ({
    path,
    text: `${header}${code}`,
  })
  const declarations = printModuleDeclarations(plan, name)
  const ofStaging: PrintTarget = {
    ...target,
    definitions: (prompt) => (isDefinedIn(plan, prompt) ? '../definitions.js' : './definitions.js'),
    runtime: '../runtime.js',
  }
  const stagingFiles = plan.staging && [
    file(modules.staging, printEntry(plan.staging, ofStaging, 'namespace')),
    file(modules.stagingAll, printAll(plan.staging, ofStaging, 'namespace')),
    file(modules.stagingDefinitions, printDefinitions(planDifferent(plan), ofStaging)),
    await keepFormatting({ path: modules.stagingDeclarations, text: declarations.staging }),
  ]
  const files = [
    file(modules.entry, printEntry(plan, target, 'namespace')),
    file(modules.all, printAll(plan, target, 'namespace')),
    file(modules.definitions, printDefinitions(plan, target)),
    file(modules.runtime, format === 'cjs' ? toCommonJs(runtime) : runtime),
    await keepFormatting({ path: modules.entryDeclarations, text: declarations.entry }),
    await keepFormatting({ path: modules.allDeclarations, text: declarations.all }),
    ...(stagingFiles ?? []),
    ...(isManifestForeign ? [] : [{ path: manifest, text: printManifest(format) }]),
  ]
  const paths = new Set(files.map(({ path }) => path))
  // Beside a folder of the test lock, that of the live lock may be in use.
  const isAlone = lock.environment === 'test'
  return {
    files,
    unneeded: isAlone ? [] : Object.values(modules).filter((path) => !paths.has(path)),
  }
}

/**
 * Whether Node reads the `.js` files of a folder as ES modules, by the nearest `package.json`.
 */
async function isModulePackage(folder: string): Promise<boolean> {
  for (const ancestor of ancestorFolders(folder)) {
    const manifest = await readText(join(ancestor, 'package.json'))
    if (manifest !== undefined) return /"type"\s*:\s*"module"/.test(manifest)
  }
  return false
}

/** The runtime has no imports, and its exports are one list at its end. */
function toCommonJs(code: string): string {
  return code.replace(/^export (\{[^}]*\});$/m, 'module.exports = $1;')
}

/** Says what Node and TypeScript read the files as. It names no command, so it never changes. */
function printManifest(format: ModuleFormat): string {
  const type = format === 'esm' ? 'module' : 'commonjs'
  const fields = { '//': `${GENERATED_BY}.`, type, sideEffects: false }
  return `${JSON.stringify(fields, undefined, 2)}\n`
}
