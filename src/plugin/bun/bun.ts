import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { relativePath } from '../../fs/paths.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { refuseKey } from '../output.ts'
import type { PluginFactory, SetupPlugin } from '../plugin-factory.ts'
import {
  createSetupPlugin,
  languageOf,
  readUnclaimedFiles,
  serveModules,
  type SetupBuild,
} from '../setup-build.ts'

/** The part of Bun's global object that the plugin uses. Only Bun defines it. */
interface BunRuntime {
  readonly Transpiler: new (options: { loader: string; define: Record<string, string> }) => {
    transformSync(code: string): string
  }
}

/** The part of a Bun build that the plugin uses. Nothing is imported from Bun. */
interface BunBuild extends SetupBuild {
  readonly config: {
    readonly plugins?: readonly { readonly name: string }[]
    readonly target?: string
    readonly format?: string
    readonly define?: Record<string, string>
    readonly loader?: Readonly<Record<string, string>>
    /** Unset if the output stays in memory. */
    readonly outdir?: string
  }
  /** Old versions don't have it. */
  onEnd?(ended: (result: BunResult) => Promise<void>): void
}

interface BunResult {
  readonly outputs: readonly { readonly path: string; arrayBuffer(): Promise<ArrayBuffer> }[]
}

/**
 * The plugin for Bun, without unplugin. unplugin 3.7 adds a resolver for every import of the app,
 * and Bun 1.4 then drops bare imports of files that only a plugin can load, such as `import
 * './App.svelte'`.
 */
export const bunPlugin: PluginFactory<SetupPlugin> = createSetupPlugin(setup)

function setup(build: BunBuild, host: Host): void {
  const { plugins = [], target = 'browser', format } = build.config
  assertSinglePlugin(host.ids, plugins)
  const read = async (path: string): Promise<{ code: string }> => ({
    code: await readAsJavaScript(path, build),
  })
  host.setContext({
    readImporter: readUnclaimedFiles(build, host.ids, plugins, read),
    isClient: () => target === 'browser' || format === 'iife',
  })
  build.onStart(async () => void (await host.start()))
  searchOutput(host, build)
  // Bun's builds watch nothing.
  serveModules(build, host)
}

/** Reads a file as Bun bundles it: types removed, `define` applied. */
async function readAsJavaScript(path: string, { config }: BunBuild): Promise<string> {
  const { Transpiler } = (globalThis as unknown as { Bun: BunRuntime }).Bun
  // Bun takes JSX in `.js`.
  const loader = config.loader?.[extname(path)] ?? languageOf(path).replace(/^js$/, 'jsx')
  const { define = {} } = config
  return new Transpiler({ loader, define }).transformSync(await readFile(path, 'utf8'))
}

/** Searches the output of Bun for the key. */
function searchOutput(host: Host, build: BunBuild): void {
  const folder = resolve(build.config.outdir ?? '.')
  build.onEnd?.(async ({ outputs }) => {
    const files = outputs.map((output) => ({
      file: relativePath(folder, resolve(folder, output.path)),
      read: async () => new Uint8Array(await output.arrayBuffer()),
    }))
    await refuseKey(host, files)
  })
}
