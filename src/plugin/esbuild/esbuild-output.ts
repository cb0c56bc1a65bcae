import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BuildResult, OutputFile, PluginBuild } from 'esbuild'
import { sha256 } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { writeGenerated } from '../../fs/generated-file.ts'
import type { Host } from '../host.ts'
import { type EmittedFile, inspectOutput, modulesByPath } from '../output.ts'

/**
 * Inspects the output of esbuild. The manifest is written next to the output files, or added to the
 * output files in memory.
 */
export function esbuildOutput(host: Pick<Host, 'ids' | 'session'>, build: PluginBuild): void {
  const { initialOptions } = build
  const { absWorkingDir = process.cwd(), outdir, outfile = 'out.js' } = initialOptions
  const folder = resolve(absWorkingDir, outdir ?? dirname(outfile))
  // Only the metafile lists the written files, and the modules in each.
  initialOptions.metafile = true
  build.onEnd(async (result) => {
    if (result.errors.length > 0) return
    const isWritten = result.outputFiles === undefined
    const manifest = await inspectOutput(host, {
      files: filesOf(result, { absWorkingDir, folder }),
      folder: isWritten ? folder : undefined,
    })
    if (manifest === undefined) return
    const { file, text } = manifest
    const path = join(folder, file)
    if (isWritten) await writeGenerated([{ path, text }], absWorkingDir)
    else result.outputFiles?.push(inMemory(path, text))
  })
}

function inMemory(path: string, text: string): OutputFile {
  return { path, text, contents: new TextEncoder().encode(text), hash: sha256(text) }
}

function filesOf(
  { outputFiles, metafile }: BuildResult,
  { absWorkingDir, folder }: { readonly absWorkingDir: string; readonly folder: string },
): EmittedFile[] {
  const modules = modulesByPath(metafile, absWorkingDir)
  const emitted = (path: string, read: EmittedFile['read']): EmittedFile => ({
    file: relativePath(folder, path),
    modules: modules.get(resolve(absWorkingDir, path)),
    read,
  })
  return outputFiles === undefined
    ? [...modules.keys()].map((path) => emitted(path, () => readFile(path)))
    : outputFiles.map(({ path, contents }) => emitted(path, () => contents))
}
