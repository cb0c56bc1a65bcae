import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import type { Sources } from './hooks.ts'

const KEY = 'unplugin-prompts/register'

/**
 * The modules that all threads of an app share: those of the parent thread, or the result of
 * `make`, which is passed on to the threads that this one starts.
 */
export async function sharedSources(make: () => Promise<Sources>): Promise<Sources> {
  const inherited = getEnvironmentData(KEY) as unknown as Sources | undefined
  if (inherited !== undefined) return inherited
  const sources = await make()
  setEnvironmentData(KEY, { ...sources })
  return sources
}
