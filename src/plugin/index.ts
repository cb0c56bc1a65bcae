import {
  createUnplugin,
  type UnpluginContextMeta,
  type UnpluginInstance,
  type UnpluginOptions,
} from 'unplugin'
import { PromptsError } from '../errors.ts'
import type { Options } from '../options.ts'
import { IMPORT_PATTERN, publicId, RESOLVED_PATTERN, resolvedId } from './ids.ts'
import { createSession, type Surroundings } from './session.ts'
import { viteHooks } from './vite.ts'
import { allowVirtualScheme } from './webpack.ts'

/** The plugin for every bundler that unplugin knows; each door of the package takes its own. */
export const plugin: UnpluginInstance<Options | undefined, false> = createUnplugin(createHooks)

function createHooks(options: Options = {}, { framework }: UnpluginContextMeta): UnpluginOptions {
  let surroundings = defaultSurroundings(framework)
  const session = createSession(options, () => surroundings)
  const surround = (known: Partial<Surroundings>): void => {
    surroundings = { ...surroundings, ...known }
  }
  return {
    name: 'unplugin-prompts',
    enforce: 'pre',

    async buildStart() {
      await session.refresh()
    },

    resolveId: {
      filter: { id: IMPORT_PATTERN },
      handler(id) {
        const known = publicId(id)
        if (known === undefined) throw new PromptsError('MODULE_UNKNOWN', { id })
        return resolvedId(known)
      },
    },

    load: {
      filter: { id: RESOLVED_PATTERN },
      async handler(id) {
        const known = publicId(id)
        if (known === undefined) return undefined
        const { code } = await session.snapshot()
        this.addWatchFile((await session.project()).lock.path)
        return code(known)
      },
    },

    vite: viteHooks(session, surround),
    webpack: (compiler) => surround(allowVirtualScheme(compiler, compiler.webpack)),
    rspack: (compiler) => surround(allowVirtualScheme(compiler, compiler.rspack)),
    esbuild: {
      config: ({ absWorkingDir }) =>
        surround(absWorkingDir === undefined ? {} : { root: absWorkingDir }),
    },
    farm: {
      configResolved: ({ root }) => surround(root === undefined ? {} : { root }),
    },
  }
}

/** What holds where a bundler tells nothing. */
function defaultSurroundings(bundler: string): Surroundings {
  const mode = process.env['NODE_ENV'] ?? 'production'
  return {
    bundler,
    root: process.cwd(),
    mode,
    production: mode === 'production',
    notify: (level, message) => console[level](`[unplugin-prompts] ${message}`),
  }
}
