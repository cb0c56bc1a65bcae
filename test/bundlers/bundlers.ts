import type { InlineConfig, LibraryOptions } from 'vite'
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

/** Every bundler under test, each with the configuration that its users write. */
export const BUNDLERS: Readonly<Record<BundlerName, Build>> = {
  'Vite client': (job) => buildVite(job, { build: { modulePreload: false } }),
  'Vite SSR': (job) => buildVite(job, { build: { ssr: true } }),
  'Vite library': (job) => buildVite(job, { build: { lib: libraryOf(job) } }),
  Rollup: buildRollup,
  Rolldown: buildRolldown,
  webpack: buildWebpack,
  Rspack: buildRspack,
  Rsbuild: buildRsbuild,
  esbuild: buildEsbuild,
  Bun: buildBun,
}

function libraryOf(job: Job): LibraryOptions {
  return { entry: pathsOf(job), formats: ['es'], fileName: (_, name) => `${name}.mjs` }
}

async function buildVite(job: Job, config: InlineConfig): Promise<void> {
  const { build } = await import('vite')
  await build(await viteConfig(job, config))
}

async function buildRollup(job: Job): Promise<void> {
  const { rollup } = await import('rollup')
  await within(job.root, async () => {
    const config = await rollupConfig(job)
    const bundle = await rollup(config)
    await bundle.write(config.output)
    await bundle.close()
  })
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

async function buildRolldown(job: Job): Promise<void> {
  const { rolldown } = await import('rolldown')
  const config = await rolldownConfig(job)
  const bundle = await rolldown(config)
  await bundle.write(config.output)
  await bundle.close()
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
export function runCompiler(compiler: Compiler): Promise<void> {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const failed = stats !== undefined && (stats.hasErrors() || stats.hasWarnings())
      const problem = error ?? (failed ? new Error(stats.toString()) : undefined)
      compiler.close(() => (problem === undefined ? resolve() : reject(problem)))
    })
  })
}

async function buildWebpack(job: Job): Promise<void> {
  const { default: webpack } = await import('webpack')
  await runCompiler(webpack(await webpackConfig(job)) as Compiler)
}

async function buildRspack(job: Job): Promise<void> {
  const { rspack } = await import('@rspack/core')
  await runCompiler(rspack(await rspackConfig(job)) as Compiler)
}

async function buildRsbuild(job: Job): Promise<void> {
  const { createRsbuild } = await import('@rsbuild/core')
  const rsbuild = await createRsbuild({ cwd: job.root, config: await rsbuildConfig(job) })
  const result = await rsbuild.build()
  await result.close()
}

async function buildEsbuild(job: Job): Promise<void> {
  const { build } = await import('esbuild')
  const result = await build(await esbuildConfig(job))
  const [warning] = result.warnings
  if (warning !== undefined) throw new Error(warning.text)
}
