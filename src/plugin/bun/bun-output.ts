import { join, resolve } from 'node:path'
import { writeGenerated } from '../../fs/generated-file.ts'
import { relativePath } from '../../fs/paths.ts'
import type { Host } from '../host.ts'
import { type EmittedFile, inspectOutput, type Metafile, modulesByPath } from '../output.ts'

/** The part of a Bun build that is used here. */
export interface OutputBuild {
  readonly config: {
    /** Unset if the output stays in memory. */
    readonly outdir?: string
    metafile?: unknown
  }
  /** Old versions don't have it. */
  onEnd?(ended: (result: BunResult) => Promise<void>): void
}

interface BunResult {
  readonly outputs: readonly { readonly path: string; arrayBuffer(): Promise<ArrayBuffer> }[]
  /** Its paths are relative to the output folder. Old versions don't have it. */
  readonly metafile?: Metafile
}

/** Inspects the output of Bun, and writes the manifest next to it. */
export function bunOutput(host: Pick<Host, 'ids' | 'session'>, build: OutputBuild): void {
  const { config } = build
  config.metafile ||= true
  build.onEnd?.(async (result) => {
    const folder = config.outdir === undefined ? undefined : resolve(config.outdir)
    const manifest = await inspectOutput(host, { files: filesOf(result, folder), folder })
    const isComplete = folder !== undefined && result.metafile !== undefined
    if (manifest === undefined || !isComplete) return
    const { root } = (await host.session().project()).options
    await writeGenerated([{ path: join(folder, manifest.file), text: manifest.text }], root)
  })
}

function filesOf({ outputs, metafile }: BunResult, folder = process.cwd()): EmittedFile[] {
  const modules = modulesByPath(metafile, folder)
  return outputs.map((output) => ({
    file: relativePath(folder, resolve(folder, output.path)),
    modules: modules.get(resolve(folder, output.path)),
    read: async () => new Uint8Array(await output.arrayBuffer()),
  }))
}
