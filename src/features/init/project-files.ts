import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJsonObject } from '../../core/schema.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import { readBytes, readForeignText, readText } from '../../fs/files.ts'

export interface ProjectFiles {
  /** Absolute. */
  readonly root: string
  /** Names of the files and folders in the root. */
  readonly names: ReadonlySet<string>
  /** Its package.json; `undefined` if there is none, or no JSON object in it. */
  readonly manifest: Readonly<Record<string, unknown>> | undefined
  /** Names of all its dependencies, of every kind. */
  readonly dependencies: ReadonlySet<string>
}

const FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

export async function readProjectFiles(root: string): Promise<ProjectFiles> {
  const names = new Set(await readdir(root).catch(() => []))
  const manifest = parseJsonObject((await readForeignText(join(root, 'package.json'))) ?? '')
  const dependencies = FIELDS.flatMap((field) => Object.keys(Object(manifest?.[field])))
  return { root, names, manifest, dependencies: new Set(dependencies) }
}

/** Whether this is the root of a monorepo. */
export function isMonorepo({ names, manifest }: ProjectFiles): boolean {
  return names.has('pnpm-workspace.yaml') || manifest?.['workspaces'] !== undefined
}

export interface FileChange {
  /** Path from the root, such as `../../.gitignore`. */
  readonly name: string
  /** The text that it was planned from; `undefined` if there is no such file. */
  readonly before: string | undefined
  readonly text: string
  readonly what: string
}

export interface ManualStep {
  readonly what: string
  /** Lines to copy, if any. */
  readonly lines: readonly string[]
}

/** The plan of one part of the setup: a change, manual steps, both or nothing. */
export interface PlannedPart {
  readonly change?: FileChange
  readonly manual?: ManualStep | readonly ManualStep[]
  /** Whether the first pull waits for the manual step. Default: false. */
  readonly isBeforePull?: boolean
}

interface FileEdit extends Pick<FileChange, 'name' | 'what'> {
  /** Returns the new text; `undefined` if it is left to the user. The text of a missing file is empty. */
  readonly edit: (text: string) => string | undefined
  /** What the user has to do then. */
  readonly byHand?: (text: string) => ManualStep
}

/** Plans an edit of a file, which is created if it is missing; nothing if the text stays. */
export async function planEdit(
  { root }: Pick<ProjectFiles, 'root'>,
  { name, what, edit, byHand }: FileEdit,
): Promise<PlannedPart> {
  const path = join(root, name)
  const before = await readForeignText(path)
  const current = before ?? ''
  const edited = edit(current)
  if (edited === current) return {}
  // Other bytes than UTF-8 would not survive an edit.
  const exact = await readText(path).catch(asPromptsError)
  if (edited === undefined || (byHand && isPromptsError(exact)))
    return byHand === undefined ? {} : { manual: byHand(current) }
  if (isPromptsError(exact)) throw exact
  const text = (await hasByteOrderMark(path)) ? `\uFEFF${edited}` : edited
  return { change: { name, before, text, what } }
}

/** `readText` leaves it out. */
async function hasByteOrderMark(path: string): Promise<boolean> {
  const bytes = await readBytes(path)
  return bytes?.subarray(0, 3).equals(Buffer.from('\uFEFF')) === true
}

/** The function that wraps the configuration of Next. */
export const WRAPPER = 'withPrompts'

export function importLine(binding: string, specifier: string, commonJs: boolean): string {
  return commonJs
    ? `const ${binding} = require('${specifier}').default`
    : `import ${binding} from '${specifier}'`
}

/** Code with the quotes and semicolons of a file. */
export function inStyleOf(like: string, code: string): string {
  const quoted = quotedAs(like, code)
  return /;\s*$/m.test(like) ? quoted.replaceAll(/(?<=[^\s,{])$/gm, ';') : quoted
}

/** Code with the quotes that a file has more often. */
export function quotedAs(like: string, code: string): string {
  const isDouble = like.split('"').length > like.split("'").length
  return isDouble ? code.replaceAll("'", '"') : code
}
