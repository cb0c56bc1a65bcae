import { join } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import {
  applyOutputs,
  compareOutput,
  type Output,
  type OutputTarget,
  planOutputs,
} from '../../src/features/generate/generated-files.ts'
import type { WriteResult } from '../../src/fs/files.ts'
import type { FileReport, FileState } from '../../src/fs/generated-file.ts'

interface Declarations extends Pick<Partial<OutputTarget>, 'environment'> {
  readonly dts: string
  /** Absolute path of the lock. With it, the map is written too. */
  readonly lockPath?: string | undefined
}

export async function writeDeclarations(
  lock: Lock,
  { root, ...target }: Declarations & { readonly root: string },
): Promise<WriteResult | 'removed' | undefined> {
  const [report] = await write(await declarationsOf(lock, target, root))
  return report?.state
}

export async function declarationsState(
  lock: Lock,
  target: Declarations,
): Promise<FileReport<FileState> | undefined> {
  const [report] = await compareOutput(await declarationsOf(lock, target))
  return report
}

function declarationsOf(
  lock: Lock,
  { lockPath, ...target }: Declarations,
  root: string = '',
): Promise<Output> {
  const map = lockPath !== undefined
  return printOne(lock, { root, lock: lockPath ?? '', ...target }, map)
}

interface OutDir extends Pick<Partial<OutputTarget>, 'name' | 'format' | 'environment'> {
  readonly folder: string
}

export async function writeOutDir(
  lock: Lock,
  { root, folder, ...target }: OutDir & { readonly root: string },
): Promise<readonly FileReport<WriteResult | 'removed'>[]> {
  return write(await printOne(lock, { root, outDir: folder, ...target }))
}

export async function checkOutDir(
  lock: Lock,
  { folder, ...target }: OutDir,
): Promise<FileReport<FileState>[]> {
  return compareOutput(await printOne(lock, { outDir: folder, ...target }))
}

async function write(output: Output): Promise<readonly FileReport<WriteResult | 'removed'>[]> {
  return (await applyOutputs([output])).files
}

async function printOne(lock: Lock, target: Partial<OutputTarget>, map?: boolean): Promise<Output> {
  const usual = {
    root: '',
    name: 'prompts',
    lock: join(target.root ?? '', 'prompts.lock.json'),
    dts: false,
    outDir: undefined,
    environment: undefined,
  } as const
  const [output] = await planOutputs([{ ...usual, ...target }], lock, { map })
  if (output === undefined) throw new Error('Nothing was printed.')
  return output
}
