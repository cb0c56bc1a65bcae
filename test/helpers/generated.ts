import type { Lock } from '../../src/core/prompt.ts'
import type { ModuleFormat } from '../../src/codegen/print-module.ts'
import {
  type Output,
  type OutputTarget,
  outputStates,
  printOutputs,
  writeOutput,
} from '../../src/features/generate/generated-files.ts'
import type { LocatedLock } from '../../src/features/generate/source-lock.ts'
import type { WriteResult } from '../../src/fs/files.ts'
import type { FileReport, FileState } from '../../src/fs/generated-file.ts'

interface Declarations {
  readonly dts: string
  /** Absolute path of the lock. With it, the map is written too. */
  readonly lockPath?: string | undefined
  readonly staging?: LocatedLock | undefined
}

/** Writes the declarations of a lock. */
export async function writeDeclarations(
  lock: Lock,
  { root, ...target }: Declarations & { readonly root: string },
): Promise<WriteResult | 'removed' | undefined> {
  const [report] = await writeOutput(await declarationsOf(lock, target), root)
  return report?.state
}

/** Compares declarations with a lock. */
export async function declarationsState(
  lock: Lock,
  target: Declarations,
): Promise<FileReport<FileState> | undefined> {
  const [report] = await outputStates(await declarationsOf(lock, target))
  return report
}

function declarationsOf(lock: Lock, { dts, lockPath, staging }: Declarations): Promise<Output> {
  const target = { name: 'prompts', dts, outDir: undefined, map: lockPath !== undefined }
  return printOne(target, { lock, path: lockPath ?? '', staging })
}

interface OutDir {
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string
  readonly folder: string
  readonly format?: ModuleFormat | undefined
  readonly testLock?: Lock | undefined
}

/** Writes the folder of a lock. */
export async function writeOutDir(
  lock: Lock,
  { root, ...target }: OutDir & { readonly root: string },
): Promise<FileReport<WriteResult | 'removed'>[]> {
  return writeOutput(await folderOf(lock, target), root)
}

/** Compares a folder with a lock. */
export async function checkOutDir(lock: Lock, target: OutDir): Promise<FileReport<FileState>[]> {
  return outputStates(await folderOf(lock, target))
}

function folderOf(
  lock: Lock,
  { name = 'prompts', folder: outDir, format, testLock }: OutDir,
): Promise<Output> {
  const staging = testLock && { lock: testLock, path: '' }
  return printOne({ name, dts: false, outDir, format }, { lock, path: '', staging })
}

async function printOne(
  target: OutputTarget,
  source: LocatedLock & Pick<Declarations, 'staging'>,
): Promise<Output> {
  const [output] = await printOutputs(target, async () => source)
  if (output === undefined) throw new Error('Nothing was printed.')
  return output
}
