import { isAbsolute } from 'node:path'
import type { Metafile, PluginBuild } from 'esbuild'
import { relativePath } from '../../fs/paths.ts'
import { importChain } from '../client-guard.ts'
import type { Host } from '../host.ts'
import type { BuildContext } from '../session.ts'

/**
 * Guards the client code of one esbuild build. The import chain is known only at the end of the
 * build, so a warning is printed then. An error is thrown immediately.
 */
export function watchEsbuildClient(
  { guard }: Pick<Host, 'guard'>,
  { initialOptions, onStart, onEnd }: PluginBuild,
): BuildContext['clientChain'] {
  const { platform = 'browser', absWorkingDir = process.cwd() } = initialOptions
  if (platform !== 'browser') return () => undefined
  const importers = new Set<string>()
  onStart(() => importers.clear())
  onEnd(async ({ errors, metafile }) => {
    if (errors.length > 0 || metafile === undefined) return
    const [importer] = importers
    if (importer !== undefined)
      await guard.check(chainIn(metafile, nameIn(absWorkingDir, importer)))
  })
  return async (importer) => {
    if ((await guard.strictness()) === 'error') return [importer]
    importers.add(importer)
    return undefined
  }
}

/** The name of a file in a metafile. */
function nameIn(folder: string, path: string): string {
  return isAbsolute(path) ? relativePath(folder, path) : path
}

function chainIn({ inputs }: Metafile, importer: string): readonly string[] {
  const importers = new Map<string, string[]>()
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file])
  }
  return importChain(importer, (file) => ({ importers: importers.get(file) ?? [] }))
}
