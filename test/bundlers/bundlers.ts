import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { BuildOptions } from 'esbuild'
import type { Configuration as RspackConfig } from '@rspack/core'
import type { CreateRsbuildOptions } from '@rsbuild/core'
import type { InlineConfig, LibraryOptions } from 'vite'
import type { Configuration as WebpackConfig } from 'webpack'
import { outcome } from '../helpers/service-client.ts'
import { promptsIn, readCode, runBundle } from './app.ts'
import { buildBun } from './bun.ts'
import {
  esbuildConfig,
  type Job,
  pathsOf,
  rolldownConfig,
  rollupConfig,
  rsbuildConfig,
  rspackConfig,
  viteConfig,
  webpackConfig,
} from './configs.ts'

/** Builds an app with one bundler. */
export type Build = (job: Job) => Promise<void>

/** The name of a bundler under test, in the form in which it builds. */
export type BundlerName =
  | 'Vite client'
  | 'Vite SSR'
  | 'Vite library'
  | 'Rollup'
  | 'Rolldown'
  | 'webpack'
  | 'Rspack'
  | 'Rsbuild'
  | 'esbuild'
  | 'Bun'

/** The message that a build fails with, without colours; empty if it does not fail. */
export async function failure(building: Promise<unknown>): Promise<string> {
  const error = await outcome(building)
  return error instanceof Error ? stripVTControlCharacters(error.message) : ''
}

/** Builds the app of a job, and runs its `main.js`. */
export async function buildAndRun(
  bundler: BundlerName,
  job: Job,
): Promise<{ said: unknown; code: string; ships: readonly number[] }> {
  await BUNDLERS[bundler](job)
  const code = await readCode(job.outDir)
  return { said: await runBundle(join(job.outDir, 'main.mjs')), code, ships: promptsIn(code) }
}

type RollupConfig = Awaited<ReturnType<typeof rollupConfig>>
type RolldownConfig = Awaited<ReturnType<typeof rolldownConfig>>

/** The bundlers whose whole configuration is one object. */
interface Configs {
  readonly Rollup: RollupConfig
  readonly Rolldown: RolldownConfig
  readonly webpack: WebpackConfig
  readonly Rspack: RspackConfig
  readonly esbuild: BuildOptions
}

/** The configuration of a job, and what builds it. */
export interface Configured<Config> {
  readonly configure: (job: Job) => Promise<Config>
  readonly build: (config: Config, job: Job) => Promise<void>
}

export const CONFIGURED: { readonly [Name in keyof Configs]: Configured<Configs[Name]> } = {
  Rollup: {
    configure: rollupConfig,
    build: (config, { root }) => within(root, () => buildRollup(config)),
  },
  Rolldown: { configure: rolldownConfig, build: buildRolldown },
  webpack: { configure: webpackConfig, build: buildWebpack },
  Rspack: { configure: rspackConfig, build: buildRspack },
  esbuild: { configure: esbuildConfig, build: buildEsbuild },
}

type Fields<Name extends keyof Configs> = NoInfer<Partial<Configs[Name]>>

/**
 * Builds a job.
 *
 * @param change - fields that replace those of the configuration
 */
export async function buildWith<const Name extends keyof Configs>(
  bundler: Name,
  job: Job,
  change?: Fields<Name> | ((config: Configs[Name]) => Fields<Name>),
): Promise<void> {
  const { configure, build }: Configured<Configs[Name]> = CONFIGURED[bundler]
  const config = await configure(job)
  const fields = typeof change === 'function' ? change(config) : change
  await build({ ...config, ...fields }, job)
}

/** Every bundler under test, each with the configuration that its users write. */
export const BUNDLERS: Readonly<Record<BundlerName, Build>> = {
  'Vite client': async (job) =>
    buildVite(await viteConfig(job, { build: { modulePreload: false } })),
  'Vite SSR': async (job) => buildVite(await viteConfig(job, { build: { ssr: true } })),
  'Vite library': async (job) =>
    buildVite(await viteConfig(job, { build: { lib: libraryOf(job) } })),
  Rollup: (job) => buildWith('Rollup', job),
  Rolldown: (job) => buildWith('Rolldown', job),
  webpack: (job) => buildWith('webpack', job),
  Rspack: (job) => buildWith('Rspack', job),
  Rsbuild: async (job) => buildRsbuild({ cwd: job.root, config: await rsbuildConfig(job) }),
  esbuild: (job) => buildWith('esbuild', job),
  Bun: buildBun,
}

export const BUNDLER_NAMES: readonly BundlerName[] = Object.keys(BUNDLERS) as BundlerName[]

/** One for each entry point that has hooks of its own: for what no configuration of a build changes. */
export const ONE_EACH: readonly BundlerName[] = BUNDLER_NAMES.filter(
  (name) => !['Vite client', 'Vite library', 'Rsbuild'].includes(name),
)

function libraryOf(job: Job): LibraryOptions {
  return { entry: pathsOf(job), formats: ['es'], fileName: (_, name) => `${name}.mjs` }
}

export async function buildVite(config: InlineConfig): Promise<void> {
  const { build } = await import('vite')
  await build(config)
}

async function buildRollup(config: RollupConfig): Promise<void> {
  const { rollup } = await import('rollup')
  const bundle = await rollup(config)
  await bundle.write(config.output)
  await bundle.close()
}

const HOME = process.cwd()
let working = 0

/**
 * Rollup has no folder of its own: it works where its process does. Builds of one folder may run
 * side by side; the last one goes home.
 */
export async function within<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  working++
  process.chdir(folder)
  try {
    return await work()
  } finally {
    if (--working === 0) process.chdir(HOME)
  }
}

async function buildRolldown(config: RolldownConfig): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown(config)
  await bundle.write(config.output)
  await bundle.close()
}

/** Builds an app, or several side by side. */
export async function buildWebpack(config: WebpackConfig | WebpackConfig[]): Promise<void> {
  const { default: webpack } = await import('webpack')
  await runCompiler(webpack(config as WebpackConfig) as Compiler)
}

/** Builds an app, or several side by side. */
export async function buildRspack(config: RspackConfig | RspackConfig[]): Promise<void> {
  const { rspack } = await import('@rspack/core')
  await runCompiler(rspack(config as RspackConfig) as Compiler)
}

interface Stats {
  hasErrors(): boolean
  hasWarnings(): boolean
  toString(): string
}

interface Compiler {
  run(done: (error: Error | null, stats: Stats | undefined) => void): void
  close(done: () => void): void
}

/** Runs a compiler, or several, to the end; warnings count as failures. */
function runCompiler(compiler: Compiler): Promise<void> {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const failed = stats !== undefined && (stats.hasErrors() || stats.hasWarnings())
      const problem = error ?? (failed ? new Error(stats.toString()) : undefined)
      compiler.close(() => (problem === undefined ? resolve() : reject(problem)))
    })
  })
}

export async function buildRsbuild(options: CreateRsbuildOptions): Promise<void> {
  const { createRsbuild } = await import('@rsbuild/core')
  const rsbuild = await createRsbuild(options)
  let errors = ''
  rsbuild.onAfterBuild(({ stats }) => void (errors = stats?.hasErrors() ? String(stats) : ''))
  const result = await rsbuild.build().catch((error: unknown) => {
    // It prints what is wrong with modules, and throws only that something is.
    throw errors === '' ? error : new Error(errors)
  })
  await result.close()
}

async function buildEsbuild(config: BuildOptions): Promise<void> {
  const { build } = await import('esbuild')
  const { warnings } = await build(config)
  if (warnings[0] !== undefined) throw new Error(warnings[0].text)
}
