import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import type { PluginOptions } from '../../config/options.ts'
import { createInstance } from '../instance.ts'
import { createHost, type Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { languageOf, readUnclaimedFiles, type ObservedBuild } from '../unclaimed-files.ts'
import { writeGenerated } from '../../fs/generated-file.ts'
import { relativePath } from '../../fs/paths.ts'
import { type EmittedFile, inspectOutput, type Metafile, modulesByPath } from '../output.ts'

/** The part of Bun's global object that the plugin uses. Only Bun defines it. */
interface BunRuntime {
  readonly Transpiler: new (options: { loader: string; define: Record<string, string> }) => {
    transformSync(code: string): string
  }
}

/** A plugin as `Bun.build` takes it. */
export interface BunPlugin {
  readonly name: string
  setup(build: BunBuild): void
}

/** The part of a Bun build that the plugin uses. */
export interface BunBuild extends ObservedBuild, OutputBuild {
  readonly config: OutputBuild['config'] & {
    readonly plugins?: readonly { readonly name: string }[]
    readonly target?: string
    readonly define?: Record<string, string>
    readonly loader?: Readonly<Record<string, string>>
  }
  onStart(started: () => Promise<void>): void
  onResolve(
    filter: { filter: RegExp },
    callback: (
      request: BunImport,
    ) => Promise<{ path: string; namespace: string } | undefined> | undefined,
  ): void
  onLoad(
    filter: { filter: RegExp; namespace: string },
    callback: (file: { path: string }) => Promise<{ contents: string; loader: 'js' }> | undefined,
  ): void
}

interface BunImport {
  readonly path: string
  readonly importer: string
  readonly namespace: string
}

/**
 * The plugin for Bun, without unplugin. unplugin 3.7 adds a resolver for every import of the app,
 * and Bun 1.4 then drops bare imports of files that only a plugin can load, such as `import
 * './App.svelte'`.
 */
export function createBunPlugin(options?: PluginOptions): BunPlugin {
  const instance = createInstance(options)
  return {
    name: instance.ids.plugin,
    setup(build) {
      const host = createHost(instance)
      const { plugins = [] } = build.config
      assertSinglePlugin(host.ids, plugins)
      const read = (path: string): Promise<string> => readAsJavaScript(path, build)
      const isClient = (build.config.target ?? 'browser') === 'browser'
      host.setContext({
        readImporter: readUnclaimedFiles({ build, ids: host.ids, plugins, read }),
        clientChain: (importer) => (isClient ? [importer] : undefined),
      })
      serve(build, host)
    },
  }
}

function serve(build: BunBuild, host: Host): void {
  const { entry, plugin } = host.ids
  const namespace = plugin.replace(':', '-')
  build.onStart(async () => {
    await host.session().refresh()
  })
  bunOutput(host, build)
  build.onResolve({ filter: new RegExp(`^${entry}(?:/|$)`) }, async ({ path, importer }) => {
    const resolved = await host.resolve(path, importer, {})
    return resolved === undefined ? undefined : { path: resolved, namespace }
  })
  build.onLoad({ filter: /.*/, namespace }, async ({ path }) => ({
    // Bun's builds watch nothing.
    contents: await host.load(path, { addWatchFile: () => undefined }),
    loader: 'js',
  }))
}

/** Reads a file as Bun bundles it: types removed, `define` applied. */
async function readAsJavaScript(path: string, { config }: BunBuild): Promise<string> {
  const { Transpiler } = (globalThis as unknown as { Bun: BunRuntime }).Bun
  const loader = config.loader?.[extname(path)] ?? languageOf(path)
  const { define = {} } = config
  return new Transpiler({ loader, define }).transformSync(await readFile(path, 'utf8'))
}

/** The part of a Bun build that is used here. */
interface OutputBuild {
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
function bunOutput(host: Pick<Host, 'ids' | 'session'>, build: OutputBuild): void {
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
