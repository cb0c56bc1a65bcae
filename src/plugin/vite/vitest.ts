import type { Plugin } from 'vite'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { Host } from '../host.ts'

/** Modules that take another import statement; components would need one in their script. */
const SCRIPT = /\.[cm]?[jt]sx?$/

/**
 * Makes modules that import prompts import the lock too, in Vitest only. `vitest --changed` and
 * `vitest related` follow imports from file to file, and a virtual module is not a file
 * (`getTestDependencies` in Vitest 4.1).
 */
export function vitestDependency({ ids, session }: Host): Pick<Plugin, 'transform'> {
  return {
    transform: {
      filter: { code: ids.entry, id: SCRIPT },
      async handler(code, id) {
        const { plugins } = this.environment.config
        if (!plugins.some(({ name }) => name === 'vitest' || name === 'vitest:project'))
          return undefined
        // Vite 6 has no filters.
        if (!SCRIPT.test(id) || !code.includes(ids.entry)) return undefined
        const { lock } = await session.project()
        const path = JSON.stringify(toForwardSlashes(lock.path))
        return { code: `${code}\nimport ${path}\n`, map: null }
      },
    },
  }
}
