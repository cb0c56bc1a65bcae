import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { within } from './bundlers.ts'
import {
  DIST,
  esbuildConfig,
  type Job,
  rolldownConfig,
  rollupConfig,
  rsbuildConfig,
  rspackConfig,
  viteConfig,
  webpackConfig,
} from './configs.ts'

/**
 * Builds an app and builds it again when a file changes.
 *
 * @param onFailed - called after each build that fails
 * @returns what ends that
 */
export type Watch = (job: Job, onFailed: () => void) => Promise<() => unknown>

/** The bundlers that watch. */
export const WATCHERS: Readonly<Record<string, Watch>> = {
  Vite: watchVite,
  Rollup: watchRollup,
  Rolldown: watchRolldown,
  webpack: watchWebpack,
  Rspack: watchRspack,
  Rsbuild: watchRsbuild,
  esbuild: watchEsbuild,
  Bun: watchBun,
}

async function watchVite(job: Job, onFailed: () => void): Promise<() => unknown> {
  const { build } = await import('vite')
  const watcher = await build(await viteConfig(job, { build: { ssr: true, watch: {} } }))
  if (!('close' in watcher)) throw new Error('Vite does not watch.')
  watcher.on('event', ({ code }) => {
    if (code === 'ERROR') onFailed()
  })
  return () => watcher.close()
}

async function watchRollup(job: Job, onFailed: () => void): Promise<() => unknown> {
  const { watch } = await import('rollup')
  return within(job.root, async () => {
    const watcher = watch(await rollupConfig(job))
    await new Promise<void>((resolve) => {
      watcher.on('event', ({ code }) => {
        if (code === 'END') resolve()
        if (code === 'ERROR') onFailed()
      })
    })
    return () => watcher.close()
  })
}

async function watchRolldown(job: Job, onFailed: () => void): Promise<() => unknown> {
  const { watch } = await import('rolldown')
  const watcher = watch(await rolldownConfig(job))
  watcher.on('event', ({ code }) => {
    if (code === 'ERROR') onFailed()
  })
  return () => watcher.close()
}

/** What webpack and Rspack call after each build. */
function handler(
  onFailed: () => void,
): (error: Error | null, stats: { hasErrors(): boolean } | undefined) => void {
  return (error, stats) => {
    if (error !== null || stats?.hasErrors() === true) onFailed()
  }
}

async function watchWebpack(job: Job, onFailed: () => void): Promise<() => unknown> {
  const { default: webpack } = await import('webpack')
  const compiler = webpack(await webpackConfig(job))
  compiler?.watch({}, handler(onFailed))
  return () => new Promise((resolve) => compiler?.close(resolve))
}

async function watchRspack(job: Job, onFailed: () => void): Promise<() => unknown> {
  const { rspack } = await import('@rspack/core')
  const compiler = rspack(await rspackConfig(job))
  compiler.watch({}, handler(onFailed))
  return () => new Promise((resolve) => compiler.close(resolve))
}

async function watchRsbuild(job: Job, onFailed: () => void): Promise<() => unknown> {
  const { createRsbuild } = await import('@rsbuild/core')
  const rsbuild = await createRsbuild({ cwd: job.root, config: await rsbuildConfig(job) })
  rsbuild.onAfterBuild(({ stats }) => {
    if (stats?.hasErrors() === true) onFailed()
  })
  const { close } = await rsbuild.build({ watch: true })
  return close
}

export async function watchEsbuild(job: Job, onFailed: () => void): Promise<() => unknown> {
  const { context } = await import('esbuild')
  const { plugins = [], ...config } = await esbuildConfig(job)
  const observer: Plugin = {
    name: 'observer',
    setup: ({ onEnd }) => onEnd(({ errors }) => (errors.length > 0 ? onFailed() : undefined)),
  }
  // First, since the plugin reads importers only if it is the last one.
  const build = await context({ ...config, plugins: [observer, ...plugins] })
  await build.watch()
  return () => build.dispose()
}

/**
 * Bun watches what a process imports: a build script that imports the lock runs again when that
 * changes.
 */
async function watchBun(
  { root, outDir, entries }: Job,
  onFailed: () => void,
): Promise<() => unknown> {
  const script = join(root, 'watch.bun.mjs')
  const entry = JSON.stringify(join(DIST, 'bun.js'))
  const build = {
    entrypoints: Object.values(entries).map((file) => join(root, file)),
    outdir: outDir,
    naming: '[name].mjs',
    target: 'node',
  }
  await writeFile(
    script,
    `import prompts from ${entry}\nimport './prompts.lock.json'\nawait Bun.build({ ...${JSON.stringify(build)}, plugins: [prompts()] })\n`,
  )
  const bun = join(import.meta.dirname, '../../node_modules/.bin/bun')
  const child = spawn(bun, ['--watch', script], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('error')) onFailed()
  })
  return () => child.kill('SIGKILL')
}
