import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import type { Configuration as RspackConfig } from '@rspack/core'
import type { CreateRsbuildOptions } from '@rsbuild/core'
import type { InlineConfig, LibraryOptions } from 'vite'
import type { Configuration as WebpackConfig } from 'webpack'
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

/** Builds the app of a job, and runs its `main.js`. */
export async function buildAndRun(
  bundler: BundlerName,
  job: Job,
): Promise<{ said: unknown; code: string; ships: readonly number[] }> {
  await BUNDLERS[bundler](job)
  const code = await readCode(job.outDir)
  return { said: await runBundle(join(job.outDir, 'main.mjs')), code, ships: promptsIn(code) }
}

/** Every bundler under test, each with the configuration that its users write. */
export const BUNDLERS: Readonly<Record<BundlerName, Build>> = {
  'Vite client': async (job) =>
    buildVite(await viteConfig(job, { build: { modulePreload: false } })),
  'Vite SSR': async (job) => buildVite(await viteConfig(job, { build: { ssr: true } })),
  'Vite library': async (job) =>
    buildVite(await viteConfig(job, { build: { lib: libraryOf(job) } })),
  Rollup: (job) => within(job.root, async () => buildRollup(await rollupConfig(job))),
  Rolldown: async (job) => buildRolldown(await rolldownConfig(job)),
  webpack: async (job) => buildWebpack(await webpackConfig(job)),
  Rspack: async (job) => buildRspack(await rspackConfig(job)),
  Rsbuild: async (job) => buildRsbuild({ cwd: job.root, config: await rsbuildConfig(job) }),
  esbuild: async (job) => buildEsbuild(await esbuildConfig(job)),
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

export async function buildRollup(config: Awaited<ReturnType<typeof rollupConfig>>): Promise<void> {
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

export async function buildRolldown(
  config: Awaited<ReturnType<typeof rolldownConfig>>,
): Promise<void> {
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

export async function buildEsbuild(config: BuildOptions): Promise<void> {
  const { build } = await import('esbuild')
  const { warnings } = await build(config)
  if (warnings[0] !== undefined) throw new Error(warnings[0].text)
}
