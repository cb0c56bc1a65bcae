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
import type { Moment } from './plugins/at-moment.ts'

/**
 * Builds an app and builds it again when a file changes.
 *
 * @param onBuilt - called after each build with why it failed; empty if it did not
 * @returns what ends that
 */
export type Watch = (job: Job, onBuilt: (failure: string) => void) => Promise<() => unknown>

/** The bundlers that watch. */
export const WATCHERS: Readonly<Record<string, Watch>> = {
  async Vite(job, onBuilt) {
    const { build } = await import('vite')
    const config = { build: { ssr: !job.isForBrowser, watch: {} }, logLevel: 'silent' as const }
    return followEvents((await build(await viteConfig(job, config))) as RollupWatcher, onBuilt)
  },
  async Rollup(job, onBuilt) {
    const { watch } = await import('rollup')
    return within(job.root, async () => {
      const watcher = watch(await rollupConfig(job))
      const close = followEvents(watcher as RollupWatcher, onBuilt)
      await new Promise<void>((resolve) => {
        watcher.on('event', ({ code }) => (code === 'END' ? resolve() : undefined))
      })
      return close
    })
  },
  async Rolldown(job, onBuilt) {
    const { watch } = await import('rolldown')
    return followEvents(watch(await rolldownConfig(job)) as RollupWatcher, onBuilt)
  },
  async webpack(job, onBuilt) {
    const { default: webpack } = await import('webpack')
    return followStats(webpack(await webpackConfig(job)) as WebpackCompiler, onBuilt)
  },
  async Rspack(job, onBuilt) {
    const { rspack } = await import('@rspack/core')
    return followStats(rspack(await rspackConfig(job)) as WebpackCompiler, onBuilt)
  },
  async Rsbuild(job, onBuilt) {
    const { createRsbuild } = await import('@rsbuild/core')
    const rsbuild = await createRsbuild({ cwd: job.root, config: await rsbuildConfig(job) })
    rsbuild.onAfterBuild(({ stats }) => onBuilt(stats?.hasErrors() ? String(stats) : ''))
    const { close } = await rsbuild.build({ watch: true })
    return close
  },
  async esbuild(job, onBuilt) {
    const { context } = await import('esbuild')
    const { plugins = [], ...config } = await esbuildConfig(job)
    const observer: Plugin = {
      name: 'observer',
      setup: ({ onEnd }) => onEnd(({ errors }) => onBuilt(errors.map(({ text }) => text).join())),
    }
    // First, since the plugin reads importers only if it is the last one.
    const build = await context({ ...config, plugins: [observer, ...plugins] })
    await build.watch()
    return () => build.dispose()
  },
  Bun: watchBun,
}

/** By day one of each kind of hooks: Rollup and Rolldown have those of Vite, and Rspack those of webpack. */
const BY_DAY = new Set(['Vite', 'webpack', 'esbuild'])
const isNight = process.env['ALL_WATCHERS'] !== undefined

export const FOLLOWED: readonly (readonly [name: string, watch: Watch])[] = Object.entries(
  WATCHERS,
).filter(([name]) => isNight || BY_DAY.has(name))

/** When a lock changes during a first build: by day once before and once after modules are read. */
export const MOMENTS: readonly Moment[] = isNight
  ? ['buildStart', 'transform', 'buildEnd', 'writeBundle']
  : ['buildStart', 'writeBundle']

interface RollupWatcher {
  on(name: 'event', told: (event: { code: string; error?: unknown }) => void): unknown
  close(): unknown
}

function followEvents(watcher: RollupWatcher, onBuilt: (failure: string) => void): () => unknown {
  watcher.on('event', ({ code, error }) => {
    if (code === 'ERROR') onBuilt(String(error))
    if (code === 'BUNDLE_END') onBuilt('')
  })
  return () => watcher.close()
}

interface WebpackCompiler {
  watch(
    options: object,
    done: (error: Error | null, stats?: { hasErrors(): boolean }) => void,
  ): unknown
  close(done: () => void): void
}

function followStats(compiler: WebpackCompiler, onBuilt: (failure: string) => void): () => unknown {
  compiler.watch({}, (error, stats) => {
    onBuilt(error?.message ?? (stats?.hasErrors() ? String(stats) : ''))
  })
  return () => new Promise<void>((resolve) => compiler.close(resolve))
}

/**
 * Bun watches what a process imports: a build script that imports the lock runs again when that
 * changes.
 */
async function watchBun(
  { root, outDir, entries }: Job,
  onBuilt: (failure: string) => void,
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
    if (text.includes('error')) onBuilt(text)
  })
  return () => child.kill('SIGKILL')
}
