import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const SRC = join(import.meta.dirname, '../../src')

/** `nobody`: a user without special permissions. */
const NOBODY = 65_534

/** Whether this process may do everything, so that permissions have to be tried as another user. */
const isRoot: boolean = process.getuid?.() === 0

/** A program of a few lines that runs in a process of its own. */
export interface Program {
  /** TypeScript; imports from `src/…`. */
  readonly code: string
  /** `process.argv` from 2 on. */
  readonly args?: readonly string[]
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether it may read what this process may, such as packages in a private clone. */
  readonly asThisUser?: boolean
}

/** Starts a program; it is killed when the test ends, if it still runs then. */
export async function start({
  code,
  args = [],
  env = {},
  asThisUser = false,
}: Program): Promise<ChildProcess> {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  const file = join(folder, 'program.mjs')
  if (!bundles.has(code)) bundles.set(code, await bundle(code))
  await writeFile(file, bundles.get(code) ?? '')
  const user = isRoot && !asThisUser ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(process.execPath, [file, ...args], {
    ...user,
    // For packages that are loaded when they are used.
    env: { ...process.env, NODE_PATH: join(SRC, '../node_modules'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The programs as they are run, by their code. */
const bundles = new Map<string, Uint8Array>()

async function bundle(code: string): Promise<Uint8Array> {
  const stdin = { contents: code, loader: 'ts', resolveDir: join(SRC, '..') } as const
  const options = { bundle: true, platform: 'node', format: 'esm', write: false } as const
  const { outputFiles } = await build({ stdin, ...options, alias: { src: SRC } })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

/** Runs a program, without special permissions by default, and returns its output. */
export async function run(program: Program): Promise<string> {
  const child = await start(program)
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  return output
}

/** Lets programs of this file do what they like in a folder. */
export async function giveAway(folder: string): Promise<void> {
  if (isRoot) await chown(folder, NOBODY, NOBODY)
}
