import { resolve } from 'node:path'
import type { UnpluginOptions } from 'unplugin'
import type { Host } from '../host.ts'
import type { ImporterCode } from '../importers.ts'
import { assertNoKey } from '../output.ts'
import { assertSinglePlugin } from '../single-plugin.ts'

type FarmHooks = Exclude<UnpluginOptions['farm'], undefined>

/** What Farm has for itself: its configuration. */
export function farmHooks({ ids, setContext }: Pick<Host, 'ids' | 'setContext'>): FarmHooks {
  return {
    configResolved({ root, compilation, envPrefix = [], jsPlugins = [] }) {
      assertSinglePlugin(ids, jsPlugins)
      const { mode, watch, output } = compilation ?? {}
      const { targetEnv = 'browser' } = output ?? {}
      const isClient = targetEnv.startsWith('browser')
      setContext({
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
 * itself has made JavaScript of a module, and keeps the code of those that import prompts.
 */
export function farmObserver({
  ids,
  session,
  setContext,
}: Pick<Host, 'ids' | 'session' | 'setContext'>): UnpluginOptions {
  const importers = new Map<string, Required<Pick<ImporterCode, 'code' | 'resolve'>>>()
  setContext({ readImporter: (importer) => importers.get(importer) })
  return {
    name: `${ids.plugin}/importers`,
    enforce: 'post',
    farm: {
      async configResolved(this: FarmHooks, { compilation: { mode, watch } = {} }) {
        // If there is no project, the build fails when it starts: here Farm would end the process.
        const apiKey = (await session.project().catch(() => undefined))?.options.apiKey
        // Farm copies every byte for this hook, so it is added only where it has a purpose.
        if (apiKey === undefined || mode === 'development' || watch) return
        this.writeResources = {
          // The promise of an asynchronous hook would be ignored.
          executor({ resourcesMap }) {
            for (const { name, bytes } of Object.values(resourcesMap)) {
              assertNoKey(apiKey, { file: name, content: Uint8Array.from(bytes) })
            }
          },
        }
      },
      processModule: {
        filters: { moduleTypes: ['js', 'jsx', 'ts', 'tsx'], resolvedPaths: ['.*'] },
        executor({ moduleId, content: code }, context) {
          if (!code.includes(ids.entry)) return null
          const caller = `${ids.plugin}/importers`
          // By the working folder, as unplugin resolves an importer.
          importers.set(resolve(moduleId), {
            code,
            async resolve({ specifier: source, kind }) {
              const asked = { source, importer: moduleId, kind: KINDS[kind] }
              const found = await context?.resolve(asked, { meta: {}, caller })
              return found?.resolvedPath.replace('\\0', '')
            },
          })
          return null
        },
      },
      // A module that Farm restores from its cache goes through no plugin.
      writePluginCache: {
        executor: () => [
          ...Buffer.from(JSON.stringify([...importers].map(([path, { code }]) => [path, code]))),
        ],
      },
      pluginCacheLoaded: {
        executor(bytes) {
          const restored = JSON.parse(Buffer.from(bytes).toString()) as [string, string][]
          // Without a module of its own to ask for, any other request may lead to prompts.
          const resolveAny = (): Promise<string> => Promise.resolve(ids.entry)
          for (const [path, code] of restored) importers.set(path, { code, resolve: resolveAny })
        },
      },
    },
  }
}

/** What Farm calls the kinds of requests. */
const KINDS = {
  'import-statement': 'import',
  'dynamic-import': 'dynamicImport',
  'require-call': 'require',
} as const
