import { readFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import type { Loader, PluginBuild } from 'esbuild'
import type { UnpluginBuildContext, UnpluginOptions } from 'unplugin'
import type { Host } from '../host.ts'
import { createHooks } from '../index.ts'
import { watchEsbuildClient } from './esbuild-client.ts'
import { esbuildOutput } from './esbuild-output.ts'
import { createEsbuildStart, type EsbuildStart } from './esbuild-start.ts'
import { assertSinglePlugin } from '../ids.ts'
import { languageOf, readUnclaimedFiles, type ResolveRequest } from '../unclaimed-files.ts'

type EsbuildHooks = Exclude<UnpluginOptions['esbuild'], undefined>

/** The hooks for esbuild. */
export function esbuildHooks(host: Host): UnpluginOptions {
  const hooks = createHooks(host)
  const start = createEsbuildStart(host)
  return {
    ...hooks,
    resolveId: {
      ...hooks.resolveId,
      async handler(id, importer) {
        await start.watch(this)
        return host.resolve(id, importer, this)
      },
    },
    esbuild: buildHooks(host, start),
  }
}

/** An esbuild plugin sees only the files that it loads itself. */
function buildHooks(host: Host, start: EsbuildStart): EsbuildHooks {
  const { ids, setContext } = host
  return {
    onResolveFilter: new RegExp(`^${ids.entry}(?:/|$)`),
    onLoadFilter: new RegExp(`${ids.entry}(?:/|$)`),
    config({ absWorkingDir, plugins = [] }) {
      // unplugin calls this hook with its build context, which the type lacks.
      const context = this as Pick<UnpluginBuildContext, 'getNativeBuildContext'>
      const native = context.getNativeBuildContext?.()
      if (native?.framework !== 'esbuild') return
      const { build } = native
      assertSinglePlugin(ids, plugins)
      esbuildOutput(host, build)
      start.follow(build)
      const read = (path: string): Promise<string> => readAsJavaScript(path, build)
      setContext({
        shape: 'object',
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

/** Reads a file as esbuild bundles it: types removed, `define` applied. */
async function readAsJavaScript(
  path: string,
  { esbuild, initialOptions }: PluginBuild,
): Promise<string> {
  const source = await readFile(path, 'utf8')
  const { loader: loaders, define, jsx, jsxFactory, jsxFragment } = initialOptions
  const loader = loaders?.[extname(path)] ?? (languageOf(path) as Loader)
  const options = { define, jsx, jsxFactory, jsxFragment }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value != null))
  const { code } = await esbuild.transform(source, { ...given, loader, logLevel: 'silent' })
  return code
}
