import { join } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import {
  type AppliedFile,
  applyOutputs,
  compareOutput,
  type FileReport,
  type Output,
  type OutputTarget,
  planOutputs,
} from '../../src/output/generated-files.ts'
import { type WriteState } from '../../src/fs/write-file.ts'
import { lockText } from './pinned.ts'

type Target = Partial<Pick<OutputTarget, 'root' | 'name' | 'format' | 'environment'>>

interface Declarations extends Target {
  readonly dts: string
  /** Absolute path of the lock. With it, the map is written too. */
  readonly lockPath?: string | undefined
}

export async function writeDeclarations(
  lock: Lock,
  target: Declarations,
): Promise<WriteState | 'removed' | undefined> {
  const [file] = await apply(await declarationsOf(lock, target))
  return file?.state
}

export async function declarationsState(
  lock: Lock,
  target: Declarations,
): Promise<FileReport<string> | undefined> {
  const [report] = await compareOutput(await declarationsOf(lock, target))
  return report
}

function declarationsOf(lock: Lock, { lockPath, ...target }: Declarations): Promise<Output> {
  return printOne(lock, { lock: lockPath ?? '', ...target }, lockPath !== undefined)
}

interface OutDir extends Target {
  readonly folder: string
}

export async function writeOutDir(lock: Lock, target: OutDir): Promise<void> {
  await apply(await outDirOf(lock, target))
}

export async function checkOutDir(lock: Lock, target: OutDir): ReturnType<typeof compareOutput> {
  return compareOutput(await outDirOf(lock, target))
}

function outDirOf(lock: Lock, { folder, ...target }: OutDir): Promise<Output> {
  return printOne(lock, { outDir: folder, ...target })
}

/** Writes an output. */
export async function apply(output: Output): Promise<AppliedFile[]> {
  const files: AppliedFile[] = []
  for await (const file of applyOutputs([output])) files.push(file)
  return files
}

async function printOne(lock: Lock, target: Partial<OutputTarget>, map?: boolean): Promise<Output> {
  const usual = {
    root: '',
    name: 'prompts',
    lock: join(target.root ?? '', 'prompts.lock.json'),
    dts: false,
    outDir: undefined,
    environment: 'live',
  } as const
  const [output] = await planOutputs(
    [{ ...usual, ...target }],
    lock,
    map ? lockText(lock) : undefined,
  )
  if (output === undefined) throw new Error('Nothing was printed.')
  return output
}
