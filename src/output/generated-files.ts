/**
 * What is generated for an app: the declarations, and the folder `outDir`. Both are printed from a lock
 * in hand, as values; then they are applied, or compared with the files.
 */
import { rm, rmdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isGenerated } from '../core/generated.ts'
import { locateParts } from '../core/lock/lock-lines.ts'
import type { Lock } from '../core/prompt.ts'
import { PACKAGE_NAME } from '../core/workspace-name.ts'
import type { ResolvedOptions } from '../config/resolve-options.ts'
import {
  haveSameCode,
  haveSameTokens,
  printDeclarations,
  sourceMapComment,
} from '../codegen/declarations.ts'
import { type LockPlan, planModule } from '../codegen/plan-module.ts'
import type { ModuleFormat } from '../codegen/print-module.ts'
import { failWriting, PromptsError } from '../errors/prompts-error.ts'
import { readForeignText, readText } from '../fs/files.ts'
import { createFolderOf, resolveWritable, type WriteState, writeText } from '../fs/write-file.ts'
import { findsPackage } from '../fs/installed-version.ts'
import { outDirFiles, relativePath } from '../fs/paths.ts'
import type { GeneratedFile, OutputFiles } from './out-dir.ts'

/** The declarations or the folder `outDir`, as they should be. */
export interface Output extends OutputFiles {
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
 * @param lockText - the lock as it is printed, for the map of declarations. Default: they get no map
 */
export async function planOutputs(
  targets: readonly OutputTarget[],
  lock: Lock,
  lockText?: string,
): Promise<Output[]> {
  const outputs: Output[] = []
  for (const target of targets) {
    const { root, dts, outDir, format, environment } = target
    const plan = planModule(lock, environment)
    if (dts !== false) {
      const files = await printDeclarationFiles(target, dts, plan, lockText)
      outputs.push({ kind: 'declarations', path: dts, root, files, unneeded: [] })
    }
    if (outDir !== undefined) {
      const { printOutDir } = await import('./out-dir.ts')
      const folder = await printOutDir(plan, outDir, target.name, format)
      const files = await Promise.all(folder.files.map(keepFormatting))
      outputs.push({ kind: 'files', path: outDir, root, ...folder, files })
    }
  }
  return outputs
}

/**
 * Prints the declarations of `virtual:prompts`, then their map if it is wanted, with which editors jump
 * from a prompt's name to its text in the lock.
 */
async function printDeclarationFiles(
  { name, lock: lockPath }: Pick<ResolvedOptions, 'name' | 'lock'>,
  path: string,
  plan: LockPlan,
  lockText: string | undefined,
): Promise<GeneratedFile[]> {
  const file = basename(path)
  const text = printDeclarations(plan, name) + sourceMapComment(file)
  const declarations = await keepFormatting({ path, text })
  if (lockText === undefined) return [declarations]
  const { printDeclarationMap } = await import('../codegen/print-declaration-map.ts')
  const source = {
    plan,
    path: relativePath(dirname(path), lockPath),
    lineOf: locateParts(lockText),
  }
  const printed = printDeclarationMap(declarations.text, file, source)
  return [declarations, { path: `${path}.map`, text: printed }]
}

/** Declarations as a formatter may have left them: the text of the file if it is current. */
async function keepFormatting({ path, text }: GeneratedFile): Promise<GeneratedFile> {
  if (!path.endsWith('.d.ts')) return { path, text }
  const current = (await readText(path))?.replaceAll('\r\n', '\n')
  const isCurrent = current !== undefined && haveSameTokens(current, text)
  return { path, text: isCurrent ? current : text }
}

/** What was done with a file, or whether it matches the lock, without regard to line ends. */
export interface FileReport<State> {
  /** Absolute. */
  readonly path: string
  readonly state: State
}

/** What was done with a file of an output. */
export interface AppliedFile extends FileReport<WriteState | 'removed'> {
  /** The path of its output. */
  readonly output: string
}

/**
 * Writes what was planned, and removes what is not needed, file by file. Every generated file is written
 * here, so no other file is ever replaced. All paths are checked before the first file is written.
 */
export async function* applyOutputs(outputs: readonly Output[]): AsyncGenerator<AppliedFile> {
  await assertReplaceable(outputs)
  for (const { path: output, root, files, unneeded } of outputs) {
    for (const { path, text } of files) {
      await createFolderOf(path, root)
      yield { output, path, state: await writeText(path, text, root) }
    }
    for (const path of await findGenerated(unneeded)) {
      await resolveWritable(path, root)
      await rm(path).catch(failWriting(path))
      await rmdir(dirname(path)).catch(() => undefined)
      yield { output, path, state: 'removed' }
    }
  }
}

/**
 * Writes what the options of apps name.
 *
 * @param lockText - as for {@link planOutputs}
 * @returns the paths of the outputs that have changed
 */
export async function writeOutputs(
  targets: readonly OutputTarget[],
  lock: Lock,
  lockText: string | undefined,
  warn: (message: string) => void,
): Promise<string[]> {
  const files: AppliedFile[] = []
  for await (const file of applyOutputs(await planOutputs(targets, lock, lockText)))
    files.push(file)
  warnOfMissingTypes(targets, warn)
  return changedOutputs(files)
}

/** Warns of declarations that do not find the types of this package from their folder: their prompts are `any`. */
export function warnOfMissingTypes(
  targets: readonly Pick<OutputTarget, 'root' | 'dts' | 'outDir'>[],
  warn: (message: string) => void,
): void {
  for (const { root, dts, outDir } of targets) {
    const paths = [...(dts === false ? [] : [dts]), ...(outDir === undefined ? [] : [outDir])]
    for (const path of paths) {
      const folder = path === dts ? dirname(path) : path
      if (findsPackage(folder, PACKAGE_NAME, root) !== false) continue
      const { why, fix } = new PromptsError('TYPES_NOT_FOUND', { path, folder })
      warn(`${why} ${fix}`)
    }
  }
}

/** Checks that every file of outputs can be read, and that this package generated it. */
export async function assertReplaceable(outputs: readonly Output[]): Promise<void> {
  const files = outputs.flatMap((output) => output.files)
  await Promise.all(files.map(({ path }) => assertNotForeign(path)))
}

/** The paths of the outputs that have changed, without regard to maps. */
export function changedOutputs(files: readonly AppliedFile[]): string[] {
  const changed = files.filter((file) => file.state !== 'unchanged' && !isMap(file))
  return [...new Set(changed.map(({ output }) => output))]
}

/** The paths of the outputs that {@link applyOutputs} would change; they are planned without a map. */
export async function staleOutputs(outputs: readonly Output[]): Promise<string[]> {
  const reports = await Promise.all(outputs.map((output) => compareOutput(output, true)))
  const isStale = reports.map((files) => files.some(({ state }) => state !== 'current'))
  return outputs.filter((_, index) => isStale[index]).map(({ path }) => path)
}

/** Whether a file is the map of declarations, which changes with every line of the lock. */
export function isMap({ output, path }: Pick<AppliedFile, 'output' | 'path'>): boolean {
  return path === `${output}.map`
}

/** Selects the files that exist and that this package generated. */
async function findGenerated(paths: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(paths.map(readText))
  // An empty file may be replaced, but nothing shows who wrote it.
  return paths.filter((_, index) => texts[index]?.trim() && isGenerated(texts[index]))
}

/**
 * Compares what was planned with the files.
 *
 * @param isExact - whether declarations with comments of older texts are stale: a dev server writes them only when a
 *   contract changes. Default: false
 */
export async function compareOutput(
  { files, unneeded }: Output,
  isExact: boolean = false,
): Promise<FileReport<'current' | 'stale' | 'missing'>[]> {
  const reports = files.map(async ({ path, text }) => {
    const current = (await readText(path))?.replaceAll('\r\n', '\n')
    if (current === undefined) return { path, state: 'missing' } as const
    const isCurrent =
      current === text || (!isExact && path.endsWith('.d.ts') && haveSameCode(current, text))
    return { path, state: isCurrent ? 'current' : 'stale' } as const
  })
  const generated = await findGenerated(unneeded)
  return [
    ...(await Promise.all(reports)),
    ...generated.map((path) => ({ path, state: 'stale' }) as const),
  ]
}

/** Fails early if the options name files that this package did not generate. */
export async function assertOwnFiles({
  dts,
  outDir,
}: Pick<ResolvedOptions, 'dts' | 'outDir'>): Promise<void> {
  const files = dts === false ? [] : [dts, `${dts}.map`]
  const modules = outDir === undefined ? [] : Object.values(outDirFiles(outDir).modules)
  await Promise.all([...files, ...modules].map(assertNotForeign))
}

/** Checks that a path has no file that this package did not generate. */
async function assertNotForeign(path: string): Promise<void> {
  const text = await readForeignText(path)
  if (text !== undefined && !isGenerated(text)) throw new PromptsError('FILE_FOREIGN', { path })
}
