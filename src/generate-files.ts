import { join } from 'node:path'
import type { Lock } from './core/prompt.ts'
import { commandOf } from './core/workspace-command.ts'
import { planModule } from './emit/plan-module.ts'
import { printStandalone } from './emit/print-standalone.ts'
import { PromptsError } from './errors.ts'
import { type FileState, fileState } from './generate.ts'
import { makeFolder, readBeginning, type WriteOutcome, writeText } from './io/files.ts'
import runtime from './runtime/index.ts?text'

/** Where generated files go. */
export interface FilesTarget {
  /** The project's folder, absolute. */
  readonly root: string
  /** Of the workspace. */
  readonly name: string
  /** The folder for the files, absolute; it is made where it is missing. */
  readonly folder: string
}

/** A generated file and what is to be said of it. */
export interface FileReport<State> {
  /** Absolute. */
  readonly path: string
  readonly state: State
}

const MADE_BY = 'Made by unplugin-prompts from the lock of pinned prompts.'

/**
 * Says that the files are ES modules, whatever the app is, and that to import them does nothing. It
 * names no command, so that it never changes.
 */
const MANIFEST = `${JSON.stringify(
  { '//': MADE_BY, type: 'module', sideEffects: false },
  undefined,
  2,
)}\n`

function headerOf(name: string): string {
  const command = commandOf(name, 'generate')
  return `// ${MADE_BY} Do not edit: \`npx ${command}\` writes it.\n/* eslint-disable */\n`
}

/**
 * Writes `index.js` and `index.d.ts`: the content of `virtual:prompts` as real files. A
 * `package.json` beside them says that they are ES modules, where there is none of someone else.
 *
 * @throws PromptsError FILE_UNREADABLE; FILE_UNWRITABLE, also for a file that someone else made
 */
export async function writeFiles(
  lock: Lock,
  { root, ...target }: FilesTarget,
): Promise<FileReport<WriteOutcome>[]> {
  const files = await printFiles(lock, target)
  await Promise.all(files.map(({ path }) => refuseForeign(path)))
  await makeFolder(target.folder, root)
  return Promise.all(
    files.map(async ({ path, text }) => ({ path, state: await writeText(path, text, root) })),
  )
}

/**
 * Whether the files are what the lock says, to the letter.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function checkFiles(
  lock: Lock,
  target: Omit<FilesTarget, 'root'>,
): Promise<FileReport<FileState>[]> {
  const files = await printFiles(lock, target)
  return Promise.all(
    files.map(async ({ path, text }) => ({ path, state: await fileState(path, text) })),
  )
}

interface PrintedFile {
  readonly path: string
  readonly text: string
}

async function printFiles(
  lock: Lock,
  { name, folder }: Omit<FilesTarget, 'root'>,
): Promise<PrintedFile[]> {
  const { printModuleDeclarations } = await import('./emit/print-declarations.ts')
  const plan = planModule(lock)
  const header = headerOf(name)
  const manifest = join(folder, 'package.json')
  const isTheirs = (await madeBy(manifest)) === 'someone else'
  return [
    { path: join(folder, 'index.js'), text: header + printStandalone(plan, runtime) },
    { path: join(folder, 'index.d.ts'), text: printModuleDeclarations(plan, header) },
    ...(isTheirs ? [] : [{ path: manifest, text: MANIFEST }]),
  ]
}

async function madeBy(path: string): Promise<'nobody' | 'us' | 'someone else'> {
  const text = await readBeginning(path)
  if (text === undefined) return 'nobody'
  return text.includes(MADE_BY) ? 'us' : 'someone else'
}

/** An `index.js` that a person wrote may stand in the folder that was named by mistake. */
async function refuseForeign(path: string): Promise<void> {
  if ((await madeBy(path)) !== 'someone else') return
  const reason = 'it is not a file that `prompts generate` made'
  throw new PromptsError('FILE_UNWRITABLE', { path, reason })
}
