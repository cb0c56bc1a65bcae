import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { EnvSource } from '../core/env.ts'
import { readText } from './files.ts'

/**
 * The environment in order of precedence: the process, then `.env.<mode>.local`, `.env.<mode>`,
 * `.env.local` and `.env` of a folder, as Vite reads them. Values are taken as they stand: `$`
 * in a key is no reference to another variable.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function readEnvironment(
  folder: string,
  mode: string,
  processEnv: EnvSource['values'],
): Promise<EnvSource[]> {
  const names = [`.env.${mode}.local`, `.env.${mode}`, '.env.local', '.env']
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readEnvFile(join(folder, name)) })),
  )
  return [
    { name: 'the environment', values: processEnv },
    ...files.flatMap(({ name, text }) =>
      text === undefined ? [] : [{ name, values: parseEnv(text) }],
    ),
  ]
}

/** A folder called `.env` is often Python's virtual environment: Vite passes it over too. */
async function readEnvFile(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isDirectory() ? undefined : readText(path)
}
