import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import { liveLock, lockText } from '../helpers/pinned.ts'
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts'
import { responder } from './responder.ts'

/** Source files by their path in the app. */
export type Files = Readonly<Record<string, string>>

/** A new app with these files and, if given, its lock. */
export async function newApp(files: Files, lock?: Lock): Promise<string> {
  const root = await temporaryFolder()
  await writeApp(root, files, lock)
  return root
}

/** Writes an app's files and, if given, its lock. */
export async function writeApp(root: string, files: Files, lock?: Lock): Promise<void> {
  await writeFiles(root, { 'package.json': '{ "type": "module" }\n', ...files })
  if (lock !== undefined) await writeLock(root, lock)
}

/**
 * Writes the lock of a workspace in an app. In place: `bun --watch` misses a lock that was replaced, if
 * the build before it wrote the declarations (Bun 1.4.5).
 */
export async function writeLock(root: string, lock: Lock, name = 'prompts'): Promise<void> {
  await writeFile(join(root, `${name}.lock.json`), lockText(lock))
}

/** Replaces a file in one step: a bundler that watches it must not read half of it. */
export async function replace(path: string, text: string): Promise<void> {
  // Next to the app, since a file in it would be an event of its own.
  const folder = await temporaryFolder({ new: text })
  await rename(join(folder, 'new'), path)
}

/** A lock of `prompt-0`, `prompt-1` and so on, each with a text that no other one has. */
export function numberedLock(count: number): Lock {
  return liveLock(
    ...Array.from({ length: count }, (_, index) => ({
      slug: `prompt-${index}`,
      system: `Text number <${index}> for {{ name }}.`,
    })),
  )
}

/**
 * The output of a bundle in Node, without a key and an address of a service.
 *
 * @param atOnce - rejects if it has printed nothing when it is loaded, as half of a file that is being written
 */
export async function runBundle(file: string, atOnce = false): Promise<unknown> {
  return JSON.parse((await ask({ file, atOnce })) as string)
}

const ask = responder(() =>
  spawn(process.execPath, ['--enable-source-maps', '--eval', RUN_EACH], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  }),
)

/**
 * Runs bundles one after the other, and takes the first line that each prints. CommonJS, since a worker
 * of an app inherits `--input-type`. A file that was built again is another module.
 */
const RUN_EACH = `
const { createInterface } = require('node:readline')
const { pathToFileURL } = require('node:url')
const runs = new Map()
const run = (file, atOnce) => new Promise((resolve, reject) => {
  const url = pathToFileURL(file)
  const times = runs.get(file) ?? 0
  runs.set(file, times + 1)
  if (times > 0) url.search = times
  process.argv[1] = file
  console.log = resolve
  import(url).then(() => atOnce && reject(new Error('It printed nothing.')), reject)
})
let last
createInterface(process.stdin).on('line', (line) => {
  const { id, file, atOnce } = JSON.parse(line)
  const answer = (more) => process.stdout.write(JSON.stringify({ id, error: null, ...more }) + '\\n')
  last = Promise.resolve(last).then(() => run(file, atOnce)).then(
    (result) => answer({ result }),
    (error) => answer({ error: String(error?.stack) }),
  )
})
`

/** The code of some files of a build, and of the files that they import. */
export async function reachableCode(files: readonly string[]): Promise<string> {
  const codes = new Map<string, string>()
  const add = async (file: string): Promise<void> => {
    if (codes.has(file)) return
    codes.set(file, '')
    const code = await readFile(file, 'utf8')
    codes.set(file, code)
    const imports = [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+\.m?js)["'`]/g)]
    await Promise.all(imports.map(([, path = '']) => add(resolve(dirname(file), path))))
  }
  await Promise.all(files.map(add))
  return [...codes.values()].join('\n')
}

/** The code of all files of a build. */
export async function readCode(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const code = names.filter((name) => /\.[cm]?js$/.test(name)).toSorted()
  const texts = await Promise.all(code.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('\n')
}

/** The numbers of the prompts of {@link numberedLock} whose text is in the code. */
export function promptsIn(code: string): number[] {
  const found = [...code.matchAll(/Text number (?:<|\\u003c|\\x3C)(\d+)>/gi)]
  return [...new Set(found.map(([, number]) => Number(number)))].toSorted((a, b) => a - b)
}

/** Installs what components are made of, as links: pnpm and workspaces do so too. */
export async function linkPackages(root: string): Promise<void> {
  const installed = resolve(import.meta.dirname, '../../node_modules')
  await mkdir(join(root, 'node_modules'), { recursive: true })
  const targets = {
    svelte: join(installed, 'svelte'),
    vue: join(installed, 'vue'),
    shared: join(root, 'packages/shared'),
  }
  for (const [name, target] of Object.entries(targets)) {
    await symlink(target, join(root, 'node_modules', name))
  }
}
