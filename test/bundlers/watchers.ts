import { within } from './bundlers.ts'
import {
  esbuildConfig,
  type Job,
  rolldownConfig,
  rollupConfig,
  rsbuildConfig,
  rspackConfig,
  viteConfig,
  webpackConfig,
} from './configs.ts'

/** Builds an app and builds it again when a file changes; gives what ends that. */
export type Watch = (job: Job) => Promise<() => unknown>

/** The bundlers that watch. */
export const WATCHERS: Readonly<Record<string, Watch>> = {
  Vite: watchVite,
  Rollup: watchRollup,
  Rolldown: watchRolldown,
  webpack: watchWebpack,
  Rspack: watchRspack,
  Rsbuild: watchRsbuild,
  esbuild: watchEsbuild,
}

async function watchVite(job: Job): Promise<() => unknown> {
  const { build } = await import('vite')
  const watcher = await build(await viteConfig(job, { build: { ssr: true, watch: {} } }))
  return () => ('close' in watcher ? watcher.close() : undefined)
}

async function watchRollup(job: Job): Promise<() => unknown> {
  const { watch } = await import('rollup')
  return within(job.root, async () => {
    const watcher = watch(await rollupConfig(job))
    await new Promise<void>((resolve) => {
      watcher.on('event', ({ code }) => {
        if (code === 'END') resolve()
      })
    })
    return () => watcher.close()
  })
}

async function watchRolldown(job: Job): Promise<() => unknown> {
  const { watch } = await import('rolldown')
  const watcher = watch(await rolldownConfig(job))
  return () => watcher.close()
}

async function watchWebpack(job: Job): Promise<() => unknown> {
  const { default: webpack } = await import('webpack')
  const compiler = webpack(await webpackConfig(job))
  compiler?.watch({}, () => {})
  return () => new Promise((resolve) => compiler?.close(resolve))
}

async function watchRspack(job: Job): Promise<() => unknown> {
  const { rspack } = await import('@rspack/core')
  const compiler = rspack(await rspackConfig(job))
  compiler.watch({}, () => {})
  return () => new Promise((resolve) => compiler.close(resolve))
}

async function watchRsbuild(job: Job): Promise<() => unknown> {
  const { createRsbuild } = await import('@rsbuild/core')
  const rsbuild = await createRsbuild({ cwd: job.root, config: await rsbuildConfig(job) })
  const { close } = await rsbuild.build({ watch: true })
  return close
}

async function watchEsbuild(job: Job): Promise<() => unknown> {
  const { context } = await import('esbuild')
  const build = await context(await esbuildConfig(job))
  await build.watch()
  return () => build.dispose()
}
