import { readFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import type { Loader, PluginBuild } from 'esbuild'
import type { UnpluginBuildContext, UnpluginOptions } from 'unplugin'
import { watchEsbuildClient } from './esbuild-client.ts'
import type { Host } from '../host.ts'
import { esbuildOutput } from './esbuild-output.ts'
import { assertSinglePlugin } from '../single-plugin.ts'
import { readUnclaimedFiles, type ResolveRequest } from '../unclaimed-files.ts'

type EsbuildHooks = Exclude<UnpluginOptions['esbuild'], undefined>

/** Hooks for esbuild only. An esbuild plugin sees only the files that it loads itself. */
export function esbuildHooks(host: Host): EsbuildHooks {
  const { ids, setContext } = host
  return {
    onResolveFilter: new RegExp(`^${ids.entry}(?:/|$)`),
    onLoadFilter: new RegExp(`${ids.entry}(?:/|$)`),
    config({ absWorkingDir, plugins = [] }) {
      // unplugin calls this hook with its build context. The type doesn't say so.
      const context = this as Pick<UnpluginBuildContext, 'getNativeBuildContext'>
      const native = context.getNativeBuildContext?.()
      if (native?.framework !== 'esbuild') return
      const { build } = native
      assertSinglePlugin(ids, plugins)
      esbuildOutput(host, build)
      readBeforeLoading(host, build)
      const read = (path: string): Promise<string> => readAsJavaScript(path, build)
      setContext({
        readImporter: readUnclaimedFiles({ build, ids, plugins, read, resolve: resolver(build) }),
        clientChain: watchEsbuildClient(host, build),
        ...(absWorkingDir === undefined ? {} : { root: absWorkingDir }),
      })
    },
  }
}

function resolver({ resolve }: PluginBuild): ResolveRequest {
  return async ({ specifier, kind }, importer) => {
    const place = { importer, resolveDir: dirname(importer), namespace: 'file' }
    return (await resolve(specifier, { kind, ...place })).path
  }
}

/**
 * Adds the lock and the configuration files to the watched files. This happens while resolving,
 * since a module that fails to load adds none.
 *
 * @param context - `this` of the resolve hook
 */
export async function addSourcesToWatch(
  { session }: Pick<Host, 'session'>,
  context: Pick<UnpluginBuildContext, 'addWatchFile'>,
): Promise<void> {
  for (const path of await session.sources()) context.addWatchFile(path)
}

/**
 * Reads the lock again before a build loads its first module. esbuild detects changes from the
 * moment a file is added to the watched files, so it would miss a change between the start of the
 * build and that moment.
 */
function readBeforeLoading({ ids, session }: Host, build: PluginBuild): void {
  let fresh: Promise<unknown> | undefined
  build.onStart(() => {
    fresh = undefined
  })
  build.onLoad({ filter: /.*/, namespace: ids.plugin }, async () => {
    // The load hook fails with the same error and reports it.
    await (fresh ??= session.refresh().catch(() => undefined))
    return undefined
  })
}

const LOADERS: Readonly<Record<string, Loader>> = {
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
}

/** Reads a file as esbuild bundles it: types removed, `define` applied. */
async function readAsJavaScript(
  path: string,
  { esbuild, initialOptions }: PluginBuild,
): Promise<string> {
  const source = await readFile(path, 'utf8')
  const { loader: loaders, define, jsx, jsxFactory, jsxFragment } = initialOptions
  const extension = extname(path)
  const loader = loaders?.[extension] ?? LOADERS[extension] ?? 'js'
  const options = { define, jsx, jsxFactory, jsxFragment }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value != null))
  const { code } = await esbuild.transform(source, { ...given, loader, logLevel: 'silent' })
  return code
}
