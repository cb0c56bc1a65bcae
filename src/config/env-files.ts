import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readForeignText } from '../fs/files.ts'
import { relativePath } from '../fs/paths.ts'

/** A source of environment variables, with its name for messages. */
export interface EnvSource {
  /** Such as `.env.local`. */
  readonly name: string
  /** Of a file, absolute. */
  readonly path?: string
  readonly values: Readonly<Record<string, string | undefined>>
}

/** Returns the possible paths of the `.env` files of folders, in order of precedence. */
export function envPaths(folders: readonly string[], mode: string): string[] {
  const names = [`.env.${mode}.local`, `.env.${mode}`, '.env.local', '.env']
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

/**
 * Reads the environment in order of precedence: the process, then `.env.<mode>.local`, `.env.<mode>`,
 * `.env.local` and `.env` of a folder, as Vite does, and of the next one. Values are not expanded: `$`
 * in a key is not a reference to another variable.
 *
 * @param folders - the names of sources are relative to the first one
 */
export async function readEnvironment(
  folders: readonly [string, ...string[]],
  mode: string,
  processEnv: EnvSource['values'],
): Promise<EnvSource[]> {
  const files = envPaths(folders, mode).map(async (path) => {
    // A folder called `.env` is often a virtual environment of Python. Vite ignores it too.
    const isFolder = existsSync(path) && statSync(path).isDirectory()
    const values = isFolder ? undefined : await readEnvFile(path)
    return values === undefined ? [] : [{ name: relativePath(folders[0], path), path, values }]
  })
  const process = { name: 'the environment', values: processEnv }
  return [process, ...(await Promise.all(files)).flat()]
}

/** @returns `undefined` if there is no such file */
export async function readEnvFile(path: string): Promise<EnvSource['values'] | undefined> {
  const text = await readForeignText(path)
  if (text === undefined) return undefined
  // Node 20 takes lines without `=` for the beginning of the next name.
  const nameOf = (key: string): string => key.replace(/^[^]*\n\s*(?:export\s+)?/, '').trim()
  return Object.fromEntries(
    Object.entries(parseEnv(text)).map(([key, value]) => [nameOf(key), value]),
  )
}
