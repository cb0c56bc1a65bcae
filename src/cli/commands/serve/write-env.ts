import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { usageError } from '../../../errors/prompts-error.ts'
import { planEnv, planIgnore } from '../../../features/init/text-files.ts'
import { readText, writeText } from '../../../fs/files.ts'
import { LOCAL_KEYS } from '../../../local-service/respond.ts'

/**
 * Checks that `.env.local` has no key of another service, which could not be restored.
 *
 * @throws PromptsError USAGE, FILE_UNREADABLE
 */
export async function assertOwnEnv(root: string): Promise<void> {
  const { PROMPTS_API_KEY: key = '' } = parseEnv((await readText(join(root, '.env.local'))) ?? '')
  if (['', LOCAL_KEYS.live, LOCAL_KEYS.test].includes(key)) return
  const problem = '.env.local has the key of another service. Remove it, or omit --write-env.'
  throw usageError(problem, 'serve')
}

/**
 * Writes the address and the live key of the local service to `.env.local`, and first makes sure that
 * git ignores the file.
 *
 * @returns the names of the written files
 * @throws PromptsError FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function writeEnv(root: string, baseUrl: string): Promise<string[]> {
  const access = { baseUrl, apiKey: LOCAL_KEYS.live }
  const parts = [await planIgnore({ root }, true), await planEnv({ root }, access)]
  const changes = parts.flatMap(({ change }) => change ?? [])
  for (const { name, text } of changes) {
    // The key comes after the file that ignores it.
    await writeText(join(root, name), text, root)
  }
  return changes.map(({ name }) => name)
}
