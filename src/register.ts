/**
 * Makes `virtual:prompts` importable: `node --import unplugin-prompts/register app.js`. The app
 * starts after the prompts are loaded, so errors appear before its first line runs.
 */
import * as nodeModule from 'node:module'
import { createLoaderHooks, type LoaderHooks, type Sources } from './register/hooks.ts'
import { sharedSources } from './register/shared.ts'

const sources: Sources = await sharedSources(async () => {
  const { startSources } = await import('./register/start.ts')
  return startSources({
    root: process.cwd(),
    env: process.env,
    // Stdout belongs to the app.
    print: (line) => console.error(line),
  })
})

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
