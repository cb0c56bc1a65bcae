import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Loader, PluginBuild } from 'esbuild'
import type { UnpluginBuildContext, UnpluginOptions } from 'unplugin'
import { watchEsbuildClient } from './esbuild-client.ts'
import type { Host } from './host.ts'
import { esbuildOutput } from './output.ts'
import { refuseTwin } from './twins.ts'
import { readUntouchedFiles } from './untouched-files.ts'

type EsbuildHooks = Exclude<UnpluginOptions['esbuild'], undefined>

/** What esbuild has for itself: a plugin sees no file of the app that it does not take over. */
export function esbuildHooks(host: Host): EsbuildHooks {
  const { ids, surround } = host
  return {
    onResolveFilter: new RegExp(`^${ids.entry}(?:/|$)`),
    onLoadFilter: new RegExp(`${ids.entry}(?:/|$)`),
    config({ absWorkingDir, plugins = [] }) {
      // The type does not say that unplugin calls this with its build context.
      const context = this as Pick<UnpluginBuildContext, 'getNativeBuildContext'>
      const native = context.getNativeBuildContext?.()
      if (native?.framework !== 'esbuild') return
      const { build } = native
      refuseTwin(ids, plugins)
      esbuildOutput(host, build)
      const read = (path: string): Promise<string> => readAsJavaScript(path, build)
      surround({
        readImporter: readUntouchedFiles({ build, ids, plugins, read }),
        clientChain: watchEsbuildClient(host, build),
        ...(absWorkingDir === undefined ? {} : { root: absWorkingDir }),
      })
    },
  }
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
