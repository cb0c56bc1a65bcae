/**
 * What is generated for an app: the declarations, and the folder `outDir`. Both are printed from the lock
 * that they follow, as values; then they are written, or compared with the files.
 */
import { changeRows } from '../../core/change-row.ts'
import { isOfContract } from '../../core/classify-change.ts'
import { comparePrompts } from '../../core/compare.ts'
import { describeEffects } from '../../core/describe-change.ts'
import type { Lock } from '../../core/prompt.ts'
import { truncateList } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { ModuleFormat } from '../../codegen/print-module.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
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
import { findSourceLock, type SourceLock } from './source-lock.ts'

/** The declarations or the folder `outDir`, as they should be. */
export interface Output extends PrintedFolder {
  readonly kind: 'declarations' | 'files'
  /** Absolute path of the declarations or of the folder. */
  readonly path: string
  readonly source: SourceLock
}

/** What to print. */
export interface OutputTarget extends Pick<ResolvedOptions, 'name' | 'dts' | 'outDir'> {
  /** Whether the declarations get their map. Default: false. */
  readonly map?: boolean | undefined
  /** The format of the modules in the folder. Default: see {@link printOutDir}. */
  readonly format?: ModuleFormat | undefined
}

/**
 * Prints what the options name.
 *
 * @param findSource - the lock that a file follows; without one, it is left alone
 * @throws PromptsError FILE_UNREADABLE, MODULE_REFUSED, USAGE
 */
export async function printOutputs(
  { name, dts, outDir, map = false, format }: OutputTarget,
  findSource: (file: string) => Promise<SourceLock | undefined>,
): Promise<Output[]> {
  const outputs: Output[] = []
  const dtsSource = dts !== false && (await findSource(dts))
  if (dtsSource) {
    const files = await printDeclarationFiles(dtsSource, dts, name, map)
    outputs.push({ kind: 'declarations', path: dts, source: dtsSource, files, unneeded: [] })
  }
  const source = outDir !== undefined && (await findSource(outDirFiles(outDir).modules.entry))
  if (source) {
    const { printOutDir } = await import('./out-dir.ts')
    const folder = await printOutDir(source, outDir, name, format)
    outputs.push({ kind: 'files', path: outDir, source, ...folder })
  }
  return outputs
}

/** Prints what an app has, from the locks that its files follow; see {@link findSourceLock}. */
export function printApp(
  app: ResolvedOptions,
  lock: Lock,
  only: Partial<OutputTarget> = {},
): Promise<Output[]> {
  return printOutputs({ ...app, ...only }, (file) => findSourceLock(app, lock, file))
}

/**
 * Writes what was printed, and removes what is not needed. The map is in no report.
 *
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function writeOutput(
  { path: output, files, unneeded }: Output,
  root: string,
): Promise<FileReport<WriteResult | 'removed'>[]> {
  const reports = await writeGenerated(files, root)
  const removals = await removeGenerated(unneeded, root)
  return [...reports.filter(({ path }) => path !== `${output}.map`), ...removals]
}

/**
 * Compares what was printed with the files.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function outputStates({ files, unneeded }: Output): Promise<FileReport<FileState>[]> {
  const states = await Promise.all(files.map(fileState))
  const generated = await findGenerated(unneeded)
  return [...states, ...generated.map((path) => ({ path, state: 'stale' }) as const)]
}

/**
 * Updates the declarations with their map, and `outDir`, of several apps.
 *
 * @returns the absolute paths of what has changed: the declarations, the folder `outDir`
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateGenerated(
  apps: readonly ResolvedOptions[],
  lock: Lock,
): Promise<string[]> {
  const changed: string[] = []
  for (const app of apps)
    changed.push(...(await writeChanged(await printApp(app, lock, { map: true }), app.root)))
  return changed
}

async function writeChanged(outputs: readonly Output[], root: string): Promise<string[]> {
  const changed: string[] = []
  for (const output of outputs) {
    const reports = await writeOutput(output, root)
    if (reports.some(({ state }) => state !== 'unchanged')) changed.push(output.path)
  }
  return changed
}

/**
 * Updates the declarations of an app that starts.
 *
 * @param warn - called with one line if the app uses a lock with another contract
 * @returns their path if they have changed
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateDeclarations(
  app: ResolvedOptions,
  lock: Lock,
  map: boolean | undefined,
  warn: (message: string) => void,
): Promise<string[]> {
  const outputs = await printApp(app, lock, { map, outDir: undefined })
  const changed = await writeChanged(outputs, app.root)
  for (const output of outputs) warnOfContract(app, output, lock, warn)
  return changed
}

/** More differences are only counted. */
const LISTED = 5

/** Warns of prompts that are missing or need more than the app was compiled for. */
function warnOfContract(
  { root, name, lock: path }: ResolvedOptions,
  { path: dts, source }: Output,
  lock: Lock,
  warn: (message: string) => void,
): void {
  const rows = changeRows(comparePrompts(source.lock.prompts, lock.prompts))
  const breaks = rows.flatMap((row) => {
    // A value too many does not fail.
    const effects = row.effects.filter(
      (effect) => isOfContract(effect) && effect.kind !== 'variable-removed',
    )
    if (effects.length === 0) return []
    return [`${sanitize(row.slug)} ${describeEffects({ ...row, effects }, sanitize)}`]
  })
  if (breaks.length === 0) return
  const [declarations, declared, used] = [dts, source.path, path].map((file) =>
    relativePath(root, file),
  )
  warn(
    `${declarations} matches ${declared}, but ${used} is in use. It differs: ` +
      `${truncateList(breaks, LISTED).join('; ')}. ` +
      `Run \`npx ${formatCommand(name, 'generate --environment test')}\` to use its types.`,
  )
}

/**
 * Fails early if the options name files that this package did not generate, or files that hide each other.
 *
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, OPTIONS_INVALID
 */
export async function assertOwnFiles(options: ResolvedOptions): Promise<void> {
  const { root, name, dts, outDir } = options
  if (dts !== false && dts === `${outDir}.d.ts`) {
    const [file, folder] = [dts, `${outDir}`].map((path) => relativePath(root, path))
    const problem = `dts and outDir: TypeScript would read ${file} for an import of ${folder}; set \`dts: false\` or another path`
    const source = `${name}.config.ts`
    throw new PromptsError('OPTIONS_INVALID', { source, problems: [problem] })
  }
  await Promise.all(generatedPaths(options).map(assertNotForeign))
}

/** The paths of the code and declarations that are generated from the lock, absolute. */
export function generatedPaths({ dts, outDir }: ResolvedOptions): string[] {
  const files = dts === false ? [] : [dts, `${dts}.map`]
  if (outDir !== undefined) files.push(...Object.values(outDirFiles(outDir).modules))
  return files
}
