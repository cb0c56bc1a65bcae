/**
 * Makes `virtual:prompts` available to `import` and `require`:
 * `node --import unplugin-prompts/register app.js`. The app starts after the prompts are loaded, so errors
 * appear before its first line runs.
 */
import Module, * as nodeModule from 'node:module'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { createLoaderHooks, isServed, type LoaderHooks, type Sources } from './register/hooks.ts'

const KEY = 'unplugin-prompts/register'

/** The modules that all threads of an app share: those of the parent thread, or newly started. */
const inherited = getEnvironmentData(KEY) as unknown as Sources | undefined
const sources: Sources = inherited ?? (await start())
setEnvironmentData(KEY, { ...sources })

async function start(): Promise<Sources> {
  const { startSources } = await import('./register/start.ts')
  return startSources({
    folder: process.cwd(),
    env: process.env,
    // Stdout belongs to the app.
    print: (line) => console.error(line),
  })
}

/** Available in Node 22.15 and 23.5. The types of Node 20 don't have it. */
interface NewerModule {
  readonly registerHooks?: (hooks: LoaderHooks) => void
}

const { registerHooks } = nodeModule as NewerModule
// If both exist, `register` is deprecated (DEP0205), and it calls a thread for every import.
if (registerHooks === undefined) {
  nodeModule.register('./register-thread.js', { parentURL: import.meta.url, data: sources })
} else {
  registerHooks(createLoaderHooks(sources))
}

/**
 * Node calls `_load` for every `require`, in each version and also with the hooks of tsx. `registerHooks` alone
 * would do only from Node 24 on: with it, `require` of these modules finds nothing in Node 22.15, and fails with
 * ERR_INTERNAL_ASSERTION in 22.23.
 */
const { _load: loadOther } = Module as unknown as {
  _load(id: string, ...rest: readonly unknown[]): unknown
}
const modules = new Map<string, unknown>()
for (const id of Object.keys(sources)) modules.set(id, await import(id))
Object.assign(Module, {
  _load: (id: string, ...rest: readonly unknown[]) =>
    isServed(id, sources) ? modules.get(id) : loadOther(id, ...rest),
})
