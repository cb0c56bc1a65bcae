import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { Interruption } from '../../src/cli/interruption.ts'
import { runCommandLine } from '../../src/cli/main.ts'
import {
  type Call,
  finished,
  INSTALLED,
  type Run,
  type Running,
  startBinary,
  variables,
} from './binary.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Runs `prompts` to its end, off a terminal: from source and in this process. */
export function prompts(args: readonly string[], call: Call): Promise<Run> {
  return finished(start(args, call))
}

/**
 * Starts `prompts` from source and in this process; it is interrupted with the test if it still runs
 * then. Under {@link INSTALLED} the installed binary runs instead.
 */
export function start(args: readonly string[], { cwd, env }: Call): Running {
  if (INSTALLED !== undefined) return startBinary(args, { cwd, env })
  const aborter = new AbortController()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const kill = (signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): void =>
    aborter.abort(new Interruption(signal))
  onTestFinished(() => kill())
  const code = runCommandLine({
    argv: args,
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: variables(env),
    cwd,
    signal: aborter.signal,
  }).finally(() => {
    stdout.end()
    stderr.end()
  })
  return { stdout, stderr, kill, code }
}

/** What a command printed, without what differs from run to run: for snapshots. */
export function transcript(
  { stdout, stderr }: Pick<Run, 'stdout' | 'stderr'>,
  cwd: string,
): string {
  return `${stdout}── stderr ──\n${stderr}`
    .replaceAll(cwd, '<cwd>')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '<host>')
}

/** A folder with these files, by relative path. It is removed after the test. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    // oxlint-disable-next-line no-await-in-loop -- a folder may be made by the one before
    await mkdir(dirname(join(folder, path)), { recursive: true })
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(join(folder, path), content)
  }
  return folder
}

/** Every file of a folder with its content, by path. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true })
  const entries = await Promise.all(
    names.toSorted().map(async (name): Promise<[string, string][]> => {
      const path = join(folder, name)
      return (await stat(path)).isFile() ? [[name, await readFile(path, 'utf8')]] : []
    }),
  )
  return Object.fromEntries(entries.flat())
}
