import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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
  Bun: watchBun,
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

/**
 * Bun watches what a process imports: a build script that imports the lock runs again when that
 * changes.
 */
async function watchBun({ root, outDir, entries }: Job): Promise<() => unknown> {
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
  const child = spawn(bun, ['--watch', script], { cwd: root, stdio: 'ignore' })
  return () => child.kill('SIGKILL')
}

/** Watches with Farm. It gives nothing to end that by, so it runs in a process of its own. */
export async function watchFarm({ root, outDir, entries }: Job): Promise<() => unknown> {
  const script = join(root, 'watch.farm.mjs')
  await writeFile(script, FARM_SCRIPT)
  const input = JSON.stringify({
    root,
    outDir,
    entries,
    farm: import.meta.resolve('@farmfe/core'),
    entry: pathToFileURL(join(DIST, 'farm.js')).href,
  })
  const child = spawn(process.execPath, [script, input], { cwd: root, stdio: 'ignore' })
  return () => child.kill('SIGKILL')
}

const FARM_SCRIPT = `
const { root, outDir, entries, farm, entry } = JSON.parse(process.argv[2])
const [{ watch }, { default: prompts }] = await Promise.all([import(farm), import(entry)])
await watch({
  root,
  clearScreen: false,
  compilation: {
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, root + '/' + file])),
    output: { path: outDir, targetEnv: 'node', format: 'esm', entryFilename: '[entryName].mjs' },
    persistentCache: false,
    presetEnv: false,
    lazyCompilation: false,
  },
  plugins: prompts(),
})
`
