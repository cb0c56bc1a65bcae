import { readFile, rm } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { relativePath } from '../../fs/paths.ts'
import type { Host } from '../host.ts'
import type { ImporterCode } from '../importers.ts'
import type { PluginInstance } from '../instance.ts'
import { assertSinglePlugin } from '../ids.ts'
import { type EmittedFile, refuseExternal, refuseKey } from '../output.ts'
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
  readonly Transpiler: new (options: {
    readonly loader: string
    readonly define?: Readonly<Record<string, string>>
    readonly deadCodeElimination?: boolean
  }) => {
    transformSync(code: string): string
    scanImports(code: Uint8Array): readonly { readonly path: string }[]
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

async function setup(build: BunBuild, instance: PluginInstance): Promise<void> {
  const { ids } = instance
  const { plugins = [], target = 'browser', format } = build.config
  assertSinglePlugin(ids, plugins)
  const read = async (path: string): Promise<ImporterCode | undefined> => {
    // Bun itself reports a syntax error. Macros are not read here.
    const code = await readAsJavaScript(path, build).catch(() => undefined)
    return code === undefined ? undefined : { code }
  }
  const host = await instance.build({
    watched: false,
    readImporter: readUnclaimedFiles(build, ids, plugins, read),
    isClient: () => target === 'browser' || format === 'iife',
  })()
  build.onStart(async () => void (await host.start()))
  searchOutput(host, build)
  // Bun's builds watch nothing.
  serveModules(build, host)
}

/**
 * Reads a file with types removed and `define` applied. Both branches of each condition stay: which one Bun drops
 * depends on `target` and `features` of the build.
 */
async function readAsJavaScript(path: string, { config }: BunBuild): Promise<string> {
  const { Transpiler } = (globalThis as unknown as { Bun: BunRuntime }).Bun
  // Bun takes JSX in `.js`.
  const loader = config.loader?.[extname(path)] ?? languageOf(path).replace(/^js$/, 'jsx')
  const { define = {} } = config
  const transpiler = new Transpiler({ loader, define, deadCodeElimination: false })
  return transpiler.transformSync(await readFile(path, 'utf8'))
}

/** Searches the output of Bun for imports of these modules and the key. What has the key is removed. */
function searchOutput(host: Host, { config: { outdir }, onEnd }: BunBuild): void {
  const folder = resolve(outdir ?? '.')
  onEnd?.(async ({ outputs }) => {
    // No result of Bun lists imports.
    const { Transpiler } = (globalThis as unknown as { Bun: BunRuntime }).Bun
    const transpiler = new Transpiler({ loader: 'js' })
    for (const output of outputs.filter(({ path }) => /\.[cm]?js$/.test(path))) {
      const imports = transpiler.scanImports(new Uint8Array(await output.arrayBuffer()))
      refuseExternal(
        host.context.ids,
        imports.map(({ path }) => path),
      )
    }
    const files = outputs.map((output): EmittedFile => {
      const path = resolve(folder, output.path)
      return {
        file: relativePath(folder, path),
        read: async () => new Uint8Array(await output.arrayBuffer()),
        remove: outdir === undefined ? undefined : () => rm(path),
      }
    })
    await refuseKey(host, files)
  })
}
