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

/** What esbuild has for itself: a plugin sees no file of the app that it does not take over. */
export function esbuildHooks(host: Host): EsbuildHooks {
  const { ids, setContext } = host
  return {
    onResolveFilter: new RegExp(`^${ids.entry}(?:/|$)`),
    onLoadFilter: new RegExp(`${ids.entry}(?:/|$)`),
    config({ absWorkingDir, plugins = [] }) {
      // The type does not say that unplugin calls this with its build context.
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
 * Names the lock and the files of the options as those to watch. That is where the module is found,
 * since one that fails to load names none.
 *
 * @param context - `this` of the hook that resolves
 */
export async function addSourcesToWatch(
  { session }: Pick<Host, 'session'>,
  context: Pick<UnpluginBuildContext, 'addWatchFile'>,
): Promise<void> {
  for (const path of await session.sources()) context.addWatchFile(path)
}

/**
 * Reads the lock again before the first module of a build is loaded. esbuild compares with what the
 * files hold when they are named: a change between the start of the build and that would be lost.
 */
function readBeforeLoading({ ids, session }: Host, build: PluginBuild): void {
  let fresh: Promise<unknown> | undefined
  build.onStart(() => {
    fresh = undefined
  })
  build.onLoad({ filter: /.*/, namespace: ids.plugin }, async () => {
    // What fails here fails in the hook that loads too, which reports it.
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

/** A file as esbuild bundles it: without its types and with the app's own replacements. */
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
