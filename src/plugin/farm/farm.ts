import { resolve } from 'node:path'
import type { UnpluginOptions } from 'unplugin'
import type { Host } from '../host.ts'
import type { ImporterCode } from '../importers.ts'
import { assertNoKey, createManifestFile } from '../output.ts'
import { assertSinglePlugin } from '../single-plugin.ts'

type FarmHooks = Exclude<UnpluginOptions['farm'], undefined>

/** Hooks for Farm only: its configuration. */
export function farmHooks({ ids, setContext }: Pick<Host, 'ids' | 'setContext'>): FarmHooks {
  return {
    configResolved({ root, compilation, envPrefix = [], jsPlugins = [] }) {
      assertSinglePlugin(ids, jsPlugins)
      const { mode, watch, output } = compilation ?? {}
      const { targetEnv = 'browser' } = output ?? {}
      const isClient = targetEnv.startsWith('browser')
      setContext({
        published: { setting: 'envPrefix', prefixes: [envPrefix].flat() },
        // An update reloads a changed importer, but not the module generated for it.
        byUse: mode !== 'development' && !watch,
        clientChain: (importer) => (isClient ? [importer] : undefined),
        ...(root === undefined ? {} : { root }),
      })
    },
  }
}

/**
 * A second plugin for Farm. It runs after all others, when Farm has turned each module into
 * JavaScript, and keeps the code of the modules that import prompts.
 */
export function farmObserver(host: Pick<Host, 'ids' | 'session' | 'setContext'>): UnpluginOptions {
  const { ids, session, setContext } = host
  const importers = new Map<string, Required<Pick<ImporterCode, 'code' | 'resolve'>>>()
  setContext({ readImporter: (importer) => importers.get(importer) })
  return {
    name: `${ids.plugin}/importers`,
    enforce: 'post',
    farm: {
      async configResolved(this: FarmHooks, { root = process.cwd(), compilation = {} }) {
        const { mode, watch, output } = compilation
        if (mode === 'development' || watch) return
        // Without a project the build fails at its start. An error here would make Farm end the
        // process.
        const options = (await session.project().catch(() => undefined))?.options
        // Farm copies every byte of the output for these hooks, so each is added only if it is needed.
        if (options?.manifest) {
          const folder = resolve(root, output?.path ?? 'dist')
          this.finalizeResources = { executor: (each) => addManifest(host, each, folder) }
        }
        const apiKey = options?.apiKey
        if (apiKey === undefined) return
        this.writeResources = {
          // Farm ignores the promise of an asynchronous hook.
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
          // Relative to the working directory, as unplugin resolves an importer.
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
      // Modules that Farm restores from its cache pass no plugin.
      writePluginCache: {
        executor: () => [
          ...Buffer.from(JSON.stringify([...importers].map(([path, { code }]) => [path, code]))),
        ],
      },
      pluginCacheLoaded: {
        executor(bytes) {
          const restored = JSON.parse(Buffer.from(bytes).toString()) as [string, string][]
          // Nothing is known about the other requests of a cached module, so each may lead to
          // prompts.
          const resolveAny = (): Promise<string> => Promise.resolve(ids.entry)
          for (const [path, code] of restored) importers.set(path, { code, resolve: resolveAny })
        },
      },
    },
  }
}

/** Farm's names for the kinds of requests. */
const KINDS = {
  'import-statement': 'import',
  'dynamic-import': 'dynamicImport',
  'require-call': 'require',
} as const

type FinalizeHook = Required<FarmHooks>['finalizeResources']
type FarmResources = Parameters<FinalizeHook['executor']>[0]

async function addManifest(
  host: Pick<Host, 'ids' | 'session'>,
  { resourcesMap }: FarmResources,
  folder: string,
): Promise<FarmResources['resourcesMap']> {
  const files = Object.values(resourcesMap).map(({ name, info }) => ({
    file: name,
    modules: () => info?.moduleIds ?? [],
    read: () => '',
  }))
  const manifest = await createManifestFile(host, { files, folder })
  if (manifest === undefined) return resourcesMap
  const { file: name, text } = manifest
  const origin = { type: 'Module', value: name } as const
  const bytes = [...Buffer.from(text)]
  return { ...resourcesMap, [name]: { name, bytes, emitted: false, resourceType: 'asset', origin } }
}
