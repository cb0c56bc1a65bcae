import { resolve } from 'node:path'
import type { UnpluginOptions } from 'unplugin'
import type { Host } from './host.ts'
import { refuseTwin } from './twins.ts'

type FarmHooks = Exclude<UnpluginOptions['farm'], undefined>

/** What Farm has for itself: its configuration. */
export function farmHooks({ ids, surround }: Pick<Host, 'ids' | 'surround'>): FarmHooks {
  return {
    configResolved({ root, compilation, envPrefix = [], jsPlugins = [] }) {
      refuseTwin(ids, jsPlugins)
      const { mode, watch, output } = compilation ?? {}
      const { targetEnv = 'browser' } = output ?? {}
      const isClient = targetEnv.startsWith('browser')
      surround({
        published: { setting: 'envPrefix', prefixes: [envPrefix].flat() },
        // An update loads a changed importer again, but not the module that was made for it.
        byUse: mode !== 'development' && !watch,
        clientChain: (importer) => (isClient ? [importer] : undefined),
        ...(root === undefined ? {} : { root }),
      })
    },
  }
}

/**
 * Farm's own plugin beside the one for all bundlers. It is asked after all others, and after Farm
 * itself has made JavaScript of a module, and tells the code of those that import prompts.
 */
export function farmObserver({ ids, surround }: Pick<Host, 'ids' | 'surround'>): UnpluginOptions {
  const codes = new Map<string, string>()
  surround({
    readImporter: (importer) => {
      const code = codes.get(importer)
      return code === undefined ? undefined : { code }
    },
  })
  return {
    name: `${ids.plugin}/importers`,
    enforce: 'post',
    farm: {
      processModule: {
        filters: { moduleTypes: ['js', 'jsx', 'ts', 'tsx'], resolvedPaths: ['.*'] },
        executor({ moduleId, content }) {
          // By the working folder, as unplugin resolves an importer.
          if (content.includes(ids.entry)) codes.set(resolve(moduleId), content)
          return null
        },
      },
      // A module that Farm restores from its cache goes through no plugin.
      writePluginCache: { executor: () => [...Buffer.from(JSON.stringify([...codes]))] },
      pluginCacheLoaded: {
        executor(bytes) {
          const restored = JSON.parse(Buffer.from(bytes).toString()) as [string, string][]
          for (const [path, code] of restored) codes.set(path, code)
        },
      },
    },
  }
}
