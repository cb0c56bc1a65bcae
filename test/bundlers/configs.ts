import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RsbuildConfig } from '@rsbuild/core'
import type { Configuration as RspackConfig } from '@rspack/core'
import type { BuildOptions as EsbuildOptions } from 'esbuild'
import type { InputOptions as RolldownOptions, OutputOptions as RolldownOutput } from 'rolldown'
import type { InputOptions as RollupOptions, OutputOptions as RollupOutput } from 'rollup'
import type { InlineConfig } from 'vite'
import type { Compiler, Configuration as WebpackConfig } from 'webpack'
import type { PluginOptions } from '../../src/config/options.ts'

/** What to build. */
export interface Job {
  /** The app's folder. */
  readonly root: string
  /** The output folder: `<name>.mjs` for each entry. */
  readonly outDir: string
  /** Entries by name: files of the app. */
  readonly entries: Readonly<Record<string, string>>
  readonly minify: boolean
  /** Whether it is client code; it is for Node otherwise. */
  readonly isForBrowser?: boolean
  /** Options of the plugin. */
  readonly options?: PluginOptions | undefined
  /** Options of further calls of it, for further workspaces. */
  readonly others?: readonly PluginOptions[] | undefined
  /** Another plugin of the app. */
  readonly extra?: Extra | undefined
}

/** The job of an app with a `main.js`. */
export function jobIn(root: string, more: Partial<Job> = {}): Job {
  return { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: true, ...more }
}

/** A plugin for every bundler: a file whose default export unplugin made. */
export interface Extra {
  readonly file: string
  /** Whether it is before this package's plugin or after it. */
  readonly at: 'before' | 'after'
}

/** The built package, as users have it. */
export const DIST: string = join(import.meta.dirname, '../../dist')

interface Entries {
  readonly vite: typeof import('../../src/vite.ts')
  readonly rollup: typeof import('../../src/rollup.ts')
  readonly rolldown: typeof import('../../src/rolldown.ts')
  readonly webpack: typeof import('../../src/webpack.ts')
  readonly rspack: typeof import('../../src/rspack.ts')
  readonly rsbuild: typeof import('../../src/rsbuild.ts')
  readonly esbuild: typeof import('../../src/esbuild.ts')
}

type EntryName = keyof Entries
type PluginFactory<Name extends EntryName> = Entries[Name]['default']

/** The entries of a job with their full paths. */
export function pathsOf({ root, entries }: Job): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)]))
}

/** The plugins of a job in their order: this package's, and the app's other one. */
async function pluginsOf<Name extends EntryName>(
  name: Name,
  { options, others = [], extra }: Job,
): Promise<ReturnType<PluginFactory<Name>>[]> {
  type Plugin = ReturnType<PluginFactory<Name>>
  const url = pathToFileURL(join(DIST, `${name}.js`)).href
  const { default: pluginFactory } = (await import(url)) as { default: PluginFactory<Name> }
  const prompts = [options, ...others].map((each) => pluginFactory(each) as Plugin)
  if (extra === undefined) return prompts.flat() as Plugin[]
  const module = (await import(extra.file)) as { default: Record<Name, () => Plugin> }
  const other = module.default[name]()
  return (extra.at === 'before' ? [other, ...prompts] : [...prompts, other]).flat() as Plugin[]
}

/** What Node loads for components: Rollup finds no packages, and webpack takes 3 s to minify them. */
const EXTERNAL = /^(?:vue|svelte)/

/** Vite's configuration of a job. */
export async function viteConfig(job: Job, config: InlineConfig = {}): Promise<InlineConfig> {
  const { mergeConfig } = await import('vite')
  const common: InlineConfig = {
    root: job.root,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins: await pluginsOf('vite', job),
    build: {
      outDir: job.outDir,
      emptyOutDir: false,
      minify: job.minify,
      sourcemap: true,
      target: 'esnext',
      rolldownOptions: {
        input: pathsOf(job),
        external: EXTERNAL,
        output: { entryFileNames: '[name].mjs' },
      },
    },
  }
  return mergeConfig(common, config)
}

/** Rollup's configuration of a job. */
export async function rollupConfig(job: Job): Promise<RollupOptions & { output: RollupOutput }> {
  return {
    input: pathsOf(job),
    external: EXTERNAL,
    plugins: await pluginsOf('rollup', job),
    onwarn({ message }) {
      throw new Error(message)
    },
    output: { dir: job.outDir, entryFileNames: '[name].mjs', sourcemap: true },
  }
}

/** Rolldown's configuration of a job. */
export async function rolldownConfig(
  job: Job,
): Promise<RolldownOptions & { output: RolldownOutput }> {
  return {
    cwd: job.root,
    input: pathsOf(job),
    platform: job.isForBrowser ? 'browser' : 'node',
    plugins: await pluginsOf('rolldown', job),
    output: {
      dir: job.outDir,
      entryFileNames: '[name].mjs',
      sourcemap: true,
      minify: job.minify,
    },
  }
}

const require = createRequire(import.meta.url)

/** webpack's configuration of a job. */
export async function webpackConfig(job: Job): Promise<WebpackConfig> {
  const plugins = await pluginsOf('webpack', job)
  return { ...webpackLike(job), plugins, optimization: { minimizer: [minimizeHere] } }
}

/** webpack's own minimizer, without the thread that takes longer to start than to minimize an app. */
function minimizeHere(compiler: Compiler): void {
  const Minimizer = createRequire(require.resolve('webpack'))('minimizer-webpack-plugin')
  new Minimizer({ parallel: false, minimizerOptions: { compress: { passes: 2 } } }).apply(compiler)
}

/** Rspack's configuration of a job. */
export async function rspackConfig(job: Job): Promise<RspackConfig> {
  return { ...(webpackLike(job) as RspackConfig), plugins: await pluginsOf('rspack', job) }
}

/** webpack and Rspack take the same configuration. */
function webpackLike(job: Job): WebpackConfig {
  return {
    mode: job.minify ? 'production' : 'development',
    target: job.isForBrowser ? 'web' : 'node20',
    context: job.root,
    entry: pathsOf(job),
    devtool: 'source-map',
    externals: EXTERNAL,
    output: {
      path: job.outDir,
      filename: '[name].mjs',
      chunkFilename: '[name].chunk.mjs',
      module: true,
      chunkFormat: 'module',
    },
    experiments: { outputModule: true },
  }
}

/** Rsbuild's configuration of a job. */
export async function rsbuildConfig(job: Job): Promise<RsbuildConfig> {
  return {
    logLevel: 'error',
    mode: job.minify ? 'production' : 'development',
    source: { entry: pathsOf(job) },
    output: {
      target: job.isForBrowser ? 'web' : 'node',
      module: !job.isForBrowser,
      minify: job.minify,
      sourceMap: { js: 'source-map' },
      distPath: { root: job.outDir, js: '' },
      cleanDistPath: false,
      externals: EXTERNAL,
      filename: { js: '[name].mjs' },
    },
    tools: { htmlPlugin: false },
    plugins: await pluginsOf('rsbuild', job),
  }
}

/** esbuild's configuration of a job. */
export async function esbuildConfig(job: Job): Promise<EsbuildOptions> {
  return {
    absWorkingDir: job.root,
    entryPoints: pathsOf(job),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: job.isForBrowser ? 'browser' : 'node',
    outdir: job.outDir,
    outExtension: { '.js': '.mjs' },
    sourcemap: true,
    minify: job.minify,
    logLevel: 'silent',
    plugins: await pluginsOf('esbuild', job),
  }
}
