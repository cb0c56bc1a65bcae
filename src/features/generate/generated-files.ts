/**
 * What is generated for an app: the declarations, and the folder `outDir`. Both are printed from a lock
 * in hand, as values; then they are written, or compared with the files.
 */
import type { Lock } from '../../core/prompt.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { haveSameCode } from '../../codegen/declarations.ts'
import { planModule } from '../../codegen/plan-module.ts'
import type { ModuleFormat } from '../../codegen/print-module.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { WriteResult } from '../../fs/files.ts'
import {
  assertNotForeign,
  type FileReport,
  type FileState,
  fileState,
  findGenerated,
  outDirFiles,
  removeGenerated,
  writeGenerated,
} from '../../fs/generated-file.ts'
import { relativePath } from '../../fs/paths.ts'
import { printDeclarationFiles } from './declarations.ts'
import type { PrintedFolder } from './out-dir.ts'

/** The declarations or the folder `outDir`, as they should be. */
export interface Output extends PrintedFolder {
  readonly kind: 'declarations' | 'files'
  /** Absolute path of the declarations or of the folder. */
  readonly path: string
  /** The folder of its app, absolute. */
  readonly root: string
}

export interface OutputTarget extends Pick<
  ResolvedOptions,
  'root' | 'name' | 'lock' | 'dts' | 'outDir' | 'environment'
> {
  /** Whether the declarations get their map. Default: false. */
  readonly map?: boolean | undefined
  /** The format of the modules in the folder. Default: see {@link printOutDir}. */
  readonly format?: ModuleFormat | undefined
}

/** Prints what the options of an app name. */
export async function printOutputs(target: OutputTarget, lock: Lock): Promise<Output[]> {
  const { root, dts, outDir, format, environment } = target
  const plan = planModule(lock, environment)
  const outputs: Output[] = []
  if (dts !== false) {
    const files = await printDeclarationFiles({ ...target, dts }, plan, lock)
    outputs.push({ kind: 'declarations', path: dts, root, files, unneeded: [] })
  }
  if (outDir !== undefined) {
    const { printOutDir } = await import('./out-dir.ts')
    const folder = await printOutDir(plan, outDir, target.name, format)
    outputs.push({ kind: 'files', path: outDir, root, ...folder })
  }
  return outputs
}

/** Prints what several apps have of a lock, with the maps of declarations. */
export async function printApps(
  apps: readonly ResolvedOptions[],
  lock: Lock,
): Promise<readonly Output[]> {
  const outputs: Output[] = []
  for (const app of apps) outputs.push(...(await printOutputs({ ...app, map: true }, lock)))
  return outputs
}

/** Writes what was printed, and removes what is not needed. The map is in no report. */
export async function writeOutput({
  path: output,
  root,
  files,
  unneeded,
}: Output): Promise<FileReport<WriteResult | 'removed'>[]> {
  const reports = await writeGenerated(files, root)
  const removals = await removeGenerated(unneeded, root)
  return [...reports.filter(({ path }) => path !== `${output}.map`), ...removals]
}

/**
 * Writes what was printed.
 *
 * @returns the absolute paths of what has changed: the declarations, the folder `outDir`
 */
export async function writeOutputs(outputs: readonly Output[]): Promise<string[]> {
  const changed: string[] = []
  for (const output of outputs) {
    const reports = await writeOutput(output)
    if (reports.some(({ state }) => state !== 'unchanged')) changed.push(output.path)
  }
  return changed
}

/**
 * Compares what was printed with the files. Declarations may have comments of older texts: a dev server
 * writes them only when a contract changes.
 */
export async function outputStates({ files, unneeded }: Output): Promise<FileReport<FileState>[]> {
  const states = await Promise.all(
    files.map((file) => fileState(file, file.path.endsWith('.d.ts') ? haveSameCode : undefined)),
  )
  const generated = await findGenerated(unneeded)
  return [...states, ...generated.map((path) => ({ path, state: 'stale' }) as const)]
}

/**
 * Fails early if the options name files that this package did not generate, or files that hide each other.
 */
export async function assertOwnFiles(options: ResolvedOptions): Promise<void> {
  const { root, name, dts, outDir } = options
  if (dts !== false && dts === `${outDir}.d.ts`) {
    const [file, folder] = [dts, `${outDir}`].map((path) => relativePath(root, path))
    const problem = `dts and outDir: TypeScript would read ${file} for an import of ${folder}; set \`dts: false\` or another path`
    const source = `${name}.config.ts`
    throw new PromptsError('OPTIONS_INVALID', { source, problems: [problem] })
  }
  const files = dts === false ? [] : [dts, `${dts}.map`]
  const modules = outDir === undefined ? [] : Object.values(outDirFiles(outDir).modules)
  await Promise.all([...files, ...modules].map(assertNotForeign))
}
