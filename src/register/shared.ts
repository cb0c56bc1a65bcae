import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import type { Sources } from './hooks.ts'

const KEY = 'unplugin-prompts/register'

/**
 * What all threads of an app serve, so that all have one snapshot: what the thread that started
 * this one has, or what `make` gives, which is then handed on to every thread that this one starts.
 */
export async function sharedSources(make: () => Promise<Sources>): Promise<Sources> {
  const inherited = getEnvironmentData(KEY) as unknown as Sources | undefined
  if (inherited !== undefined) return inherited
  const sources = await make()
  setEnvironmentData(KEY, { ...sources })
  return sources
}
