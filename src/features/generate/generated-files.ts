/**
 * What is generated for an app: the declarations, and the folder `outDir`. Both are printed from a lock
 * in hand, as values; then they are applied, or compared with the files.
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
  /** The format of the modules in the folder. Default: see {@link printOutDir}. */
  readonly format?: ModuleFormat | undefined
}

/**
 * Plans what the options of apps name.
 *
 * @param map - whether declarations get their map
 */
export async function planOutputs(
  targets: readonly OutputTarget[],
  lock: Lock,
  { map = false }: { readonly map?: boolean | undefined } = {},
): Promise<Output[]> {
  const outputs: Output[] = []
  for (const target of targets) {
    const { root, dts, outDir, format, environment } = target
    const plan = planModule(lock, environment)
    if (dts !== false) {
      const files = await printDeclarationFiles(target, { dts, map }, plan, lock)
      outputs.push({ kind: 'declarations', path: dts, root, files, unneeded: [] })
    }
    if (outDir !== undefined) {
      const { printOutDir } = await import('./out-dir.ts')
      const folder = await printOutDir(plan, outDir, target.name, format)
      outputs.push({ kind: 'files', path: outDir, root, ...folder })
    }
  }
  return outputs
}

/** What was done with each file but the map, and the paths of the outputs of which one has changed. */
interface AppliedOutputs {
  readonly files: readonly FileReport<WriteResult | 'removed'>[]
  readonly changed: readonly string[]
}

/** Writes what was planned, and removes what is not needed. */
export async function applyOutputs(outputs: readonly Output[]): Promise<AppliedOutputs> {
  const [applied, changed]: [FileReport<WriteResult | 'removed'>[], string[]] = [[], []]
  for (const { path: output, root, files, unneeded } of outputs) {
    const written = await writeGenerated(files, root)
    const reports = [
      ...written.filter(({ path }) => path !== `${output}.map`),
      ...(await removeGenerated(unneeded, root)),
    ]
    applied.push(...reports)
    if (reports.some(({ state }) => state !== 'unchanged')) changed.push(output)
  }
  return { files: applied, changed }
}

/**
 * Compares what was planned with the files. Declarations may have comments of older texts: a dev server
 * writes them only when a contract changes.
 */
export async function compareOutput({ files, unneeded }: Output): Promise<FileReport<FileState>[]> {
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
