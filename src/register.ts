/**
 * `node --import unplugin-prompts/register app.js`: from then on `virtual:prompts` resolves. The
 * app's first line runs when the snapshot is there, so its faults show before anything else runs.
 */
import * as nodeModule from 'node:module'
import { createLoaderHooks, type LoaderHooks, type Sources } from './register/hooks.ts'
import { sharedSources } from './register/shared.ts'

const sources: Sources = await sharedSources(async () => {
  const { startSources } = await import('./register/start.ts')
  return startSources({
    root: process.cwd(),
    env: process.env,
    // Standard output is the app's.
    print: (line) => console.error(line),
  })
})

/** In Node from 22.15 and 23.5 on; the types of Node 20 do not have it. */
interface NewerModule {
  readonly registerHooks?: (hooks: LoaderHooks) => void
}

const { registerHooks } = nodeModule as NewerModule
// Where there are both, `register` is on its way out (DEP0205), and asks a thread at every import.
if (registerHooks === undefined) {
  nodeModule.register('./register-thread.js', { parentURL: import.meta.url, data: sources })
} else {
  registerHooks(createLoaderHooks(sources))
}
