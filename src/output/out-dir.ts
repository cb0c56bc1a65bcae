import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasWorkspace } from '../config/config-file.ts'
import { GENERATED_BY, isGenerated } from '../core/generated.ts'
import { parseJsonObject } from '../core/schema.ts'
import { generatedHeader, printModuleDeclarations } from '../codegen/declarations.ts'
import { formatCommand } from '../core/workspace-name.ts'
import { type LockPlan, planStaged } from '../codegen/plan-module.ts'
import {
  type ModuleFormat,
  printAll,
  printDefinitions,
  printEntry,
  type PrintTarget,
} from '../codegen/print-module.ts'
import { usageError } from '../errors/prompts-error.ts'
import { readForeignText } from '../fs/files.ts'
import { ancestorFolders, outDirFiles } from '../fs/paths.ts'
import runtime from '../runtime/index.ts?text'

export interface GeneratedFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

export interface OutputFiles {
  readonly files: readonly GeneratedFile[]
  /** Files that an older lock had. If this package generated them, they are removed. */
  readonly unneeded: readonly string[]
}

/** The specifiers between the files. */
const TARGET = {
  all: './all.js',
  definitions: () => './definitions.js',
  runtime: './runtime.js',
} as const satisfies PrintTarget

/**
 * Prints `virtual:prompts` as `index.js`, `virtual:prompts/all` as `all.js`, both with declarations, the
 * modules that they import, and a `package.json` with their format. A `package.json` that this package
 * did not generate stays. The folder `staging` has the same of staging: while nothing is staged, only a
 * re-export.
 *
 * @param folder - absolute
 * @param name - of the workspace
 * @param selected - the format. Default: that of the nearest `package.json`, which is the folder's own
 *   after the first time
 */
export async function printOutDir(
  plan: LockPlan,
  folder: string,
  name: string,
  selected?: ModuleFormat,
): Promise<OutputFiles> {
  const { modules, manifest } = outDirFiles(folder)
  const nearest: ModuleFormat = (await isModulePackage(folder)) ? 'esm' : 'cjs'
  const format = selected ?? nearest
  const current = await readForeignText(manifest)
  const isManifestForeign = current !== undefined && !isGenerated(current)
  if (isManifestForeign && format !== nearest) {
    const problem = `Node reads these files as ${nearest}, by \`type\` in ${manifest}.`
    throw usageError(problem, 'generate')
  }
  const target = { ...TARGET, format }
  const file = (path: string, code: string): GeneratedFile => ({
    path,
    text: generatedHeader('generate', name) + code,
  })
  const declarations = printModuleDeclarations(plan, name)
  const files = [
    file(modules.entry, printEntry(plan, target, 'namespace')),
    file(modules.all, printAll(plan, target)),
    file(modules.definitions, printDefinitions(plan, target)),
    file(modules.runtime, format === 'cjs' ? toCommonJs(runtime) : runtime),
    { path: modules.entryDeclarations, text: declarations.entry },
    { path: modules.allDeclarations, text: declarations.all },
    ...printStaging(plan, target).map(([module, code]) => file(modules[module], code)),
    { path: modules.stagingDeclarations, text: declarations.staging },
    ...(isManifestForeign ? [] : [{ path: manifest, text: printManifest(format) }]),
  ]
  const paths = new Set(files.map(({ path }) => path))
  return { files, unneeded: Object.values(modules).filter((path) => !paths.has(path)) }
}

function printStaging(
  plan: LockPlan,
  target: typeof TARGET & { readonly format: ModuleFormat },
): (readonly [module: keyof ReturnType<typeof outDirFiles>['modules'], code: string])[] {
  const staged = planStaged(plan)
  if (staged.prompts.length === 0) {
    const isEsm = target.format === 'esm'
    return [['staging', isEsm ? "export * from '../index.js'\n" : REQUIRE_INDEX]]
  }
  const isStaged = new Set(staged.prompts.map(({ head }) => head))
  const ofStaging: PrintTarget = {
    ...target,
    definitions: ({ head }) => (isStaged.has(head) ? './definitions.js' : '../definitions.js'),
    runtime: '../runtime.js',
  }
  return [
    ['staging', printEntry(plan.staging, ofStaging, 'namespace')],
    ['stagingAll', printAll(plan.staging, ofStaging)],
    ['stagingDefinitions', printDefinitions(staged, ofStaging)],
  ]
}

/** Node finds the names of exports only in such an assignment. */
const REQUIRE_INDEX = "module.exports = require('../index.js')\n"

/**
 * Whether Node reads the `.js` files of a folder as ES modules, by the nearest `package.json`.
 */
async function isModulePackage(folder: string): Promise<boolean> {
  for (const ancestor of ancestorFolders(folder)) {
    const manifest = await readForeignText(join(ancestor, 'package.json'))
    if (manifest !== undefined) return parseJsonObject(manifest)?.['type'] === 'module'
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

/**
 * Finds the folders in an app that {@link printOutDir} made, by their marks, whether git ignores them or not. Those of
 * apps below that have a lock or a configuration are left out.
 *
 * @param root - absolute
 * @param name - of the workspace
 */
export async function findOutDirs(root: string, name: string): Promise<string[]> {
  const search = async (folder: string): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const names = entries.map((entry) => entry.name)
    if (folder !== root && hasWorkspace(names, name)) return []
    if (names.includes('package.json') && (await isOutDir(folder, name))) return [folder]
    const inside = entries
      .filter((entry) => entry.isDirectory() && !/^(?:\..*|node_modules)$/.test(entry.name))
      .map((entry) => search(join(folder, entry.name)))
    return (await Promise.all(inside)).flat()
  }
  return search(root)
}

/** Whether a folder has the marks: a copy that a compiler made of the modules has no `package.json`. */
async function isOutDir(folder: string, name: string): Promise<boolean> {
  const { modules, manifest } = outDirFiles(folder)
  const text = await readForeignText(manifest).catch(() => undefined)
  if (!text?.includes(GENERATED_BY) || !isGenerated(text)) return false
  const entry = (await readForeignText(modules.entry).catch(() => undefined)) ?? ''
  return entry.includes(`\`npx ${formatCommand(name, 'generate')}\``)
}
