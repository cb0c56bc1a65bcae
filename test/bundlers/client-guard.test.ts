import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Plugin } from 'esbuild'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Guard } from '../../src/config/options.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { type Files, numberedLock, replace, writeApp } from './app.ts'
import {
  esbuildConfig,
  type Job,
  rolldownConfig,
  rsbuildConfig,
  rspackConfig,
  viteConfig,
  webpackConfig,
} from './configs.ts'
import { SOON } from '../helpers/soon.ts'

interface Stats {
  hasErrors(): boolean
  toString(): string
}

type Done = (error: Error | null, stats?: Stats) => void

function run(compiler: { run(done: Done): void }): Promise<void> {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      if (stats?.hasErrors()) reject(new Error(stats.toString()))
      else if (error === null) resolve()
      else reject(error)
    })
  })
}

type Target = 'browser' | 'node'

const BUILDS: Readonly<Record<string, (job: Job, target: Target) => Promise<unknown>>> = {
  async webpack(job, target) {
    const { default: webpack } = await import('webpack')
    const config = { ...(await webpackConfig(job)), target: target === 'node' ? 'node20' : 'web' }
    return run(webpack(config) as never)
  },
  async Rspack(job, target) {
    const { rspack } = await import('@rspack/core')
    const config = await rspackConfig(job)
    return run(rspack({ ...config, target: target === 'node' ? 'node20' : 'web' }) as never)
  },
  async Rsbuild(job, target) {
    const { createRsbuild } = await import('@rsbuild/core')
    const { output = {}, ...config } = await rsbuildConfig(job)
    const web = { ...output, module: false, target: 'web' as const }
    const rsbuild = await createRsbuild({
      cwd: job.root,
      config: { ...config, output: target === 'node' ? output : web, tools: { htmlPlugin: false } },
    })
    const { close } = await rsbuild.build()
    return close()
  },
  async esbuild(job, platform) {
    const { build } = await import('esbuild')
    return build({ ...(await esbuildConfig(job)), platform })
  },
  async Rolldown(job, platform) {
    const { rolldown } = await import('rolldown')
    const bundle = await rolldown({ ...(await rolldownConfig(job)), platform })
    await bundle.write({ dir: job.outDir })
    return bundle.close()
  },
}

const use = (name: string, module = 'virtual:prompts'): string =>
  `import { prompts } from '${module}'\nconsole.log(prompts.${name}.slug)\n`

const FILES: Files = {
  'main.js': `import './page.js'\nimport './panel.js'\n`,
  'page.js': `import './parts/text.js'\n`,
  'panel.js': use('prompt1'),
  'parts/text.js': use('prompt2'),
}

async function guarded(
  bundler: string,
  target: Target,
  client: Guard,
  files: Files = FILES,
): Promise<string[]> {
  const root = await temporaryFolder()
  await writeApp(root, files, numberedLock(3))
  const said: string[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((line) => void said.push(String(line)))
  onTestFinished(() => spy.mockRestore())
  const job = { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: true }
  await BUILDS[bundler]?.({ ...job, options: { client } }, target)
  return said.filter((line) => line.includes('unplugin-prompts'))
}

/** What the build fails with, as text alone: Rspack colors its errors on a terminal. */
async function failure(building: Promise<unknown>): Promise<string> {
  const why = await building.then(() => 'the build passed', String)
  return stripVTControlCharacters(why)
}

/** From the module that imports prompts to the entry. Rspack draws a line next to it. */
const CHAIN = /\n[ │]+- (?:panel\.js|parts\/text\.js\n[ │]+- page\.js)\n[ │]+- main\.js\n/

describe.each(Object.keys(BUILDS))('%s, building for the browser,', (bundler) => {
  test('warns once of prompts, with the chain of imports that leads to them', async () => {
    const said = await guarded(bundler, 'browser', 'warn')
    expect(said).toEqual([expect.stringMatching(CHAIN)])
  })

  test('fails for prompts of staging too', async () => {
    const files = { 'main.js': use('prompt1', 'virtual:prompts/staging') }
    const failed = await failure(guarded(bundler, 'browser', 'error', files))
    expect(failed).toContain('PROMPTS_IN_CLIENT')
  })

  test('fails if the option says so', async () => {
    const why = await failure(guarded(bundler, 'browser', 'error'))
    expect(why).toContain('PROMPTS_IN_CLIENT')
    expect(why).toMatch(bundler === 'esbuild' ? /read them: (?:panel|parts\/text)\.js/ : CHAIN)
  })

  test('does not warn if client prompts are allowed, nor for Node', async () => {
    expect(await guarded(bundler, 'browser', 'allow')).toEqual([])
    expect(await guarded(bundler, 'node', 'error')).toEqual([])
  })
})

/** Tells of each build why it failed, or nothing. */
type Tell = (why: string) => void

interface RollupLike {
  on(name: 'event', told: (event: { code: string; error?: unknown }) => void): unknown
  close(): unknown
}

function tellEvents(watcher: RollupLike, tell: Tell): () => unknown {
  watcher.on('event', ({ code, error }) => {
    if (code === 'ERROR') tell(String(error))
    if (code === 'BUNDLE_END') tell('')
  })
  return () => watcher.close()
}

interface WebpackLike {
  watch(options: object, done: Done): unknown
  close(done: () => void): void
}

function tellStats(compiler: WebpackLike, tell: Tell): () => unknown {
  compiler.watch({}, (error, stats) => {
    tell(error === null ? (stats?.hasErrors() ? stats.toString() : '') : error.message)
  })
  return () => new Promise<void>((resolve) => compiler.close(resolve))
}

const WATCHES: Readonly<Record<string, (job: Job, tell: Tell) => Promise<() => unknown>>> = {
  async Vite(job, tell) {
    const { build } = await import('vite')
    const config = await viteConfig(job, { build: { watch: {} }, logLevel: 'silent' })
    return tellEvents((await build(config)) as RollupLike, tell)
  },
  async Rolldown(job, tell) {
    const { watch } = await import('rolldown')
    const watcher = watch({ ...(await rolldownConfig(job)), platform: 'browser' })
    return tellEvents(watcher as RollupLike, tell)
  },
  async webpack(job, tell) {
    const { default: webpack } = await import('webpack')
    return tellStats(webpack({ ...(await webpackConfig(job)), target: 'web' }) as never, tell)
  },
  async Rspack(job, tell) {
    const { rspack } = await import('@rspack/core')
    return tellStats(rspack({ ...(await rspackConfig(job)), target: 'web' }) as never, tell)
  },
  async esbuild(job, tell) {
    const { context } = await import('esbuild')
    const { plugins = [], ...config } = await esbuildConfig(job)
    const end: Plugin = {
      name: 'end',
      setup: ({ onEnd }) => onEnd(({ errors }) => tell(errors.map(({ text }) => text).join())),
    }
    const build = await context({ ...config, platform: 'browser', plugins: [end, ...plugins] })
    await build.watch()
    return () => build.dispose()
  },
}

test.each(Object.entries(WATCHES))(
  'a watch of %s fails while client code imports prompts, and only then',
  async (_, watch) => {
    vi.stubEnv('VITEST', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const root = await temporaryFolder()
    await writeApp(root, { 'main.js': use('prompt1') }, numberedLock(3))
    const job = { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: false }
    let last: string | undefined
    const close = await watch({ ...job, options: { client: 'error' } }, (why) => (last = why))
    onTestFinished(async () => void (await close()))
    const isRefused = (): void => expect(last).toContain('PROMPTS_IN_CLIENT')
    await vi.waitFor(isRefused, SOON)
    await replace(join(root, 'main.js'), 'console.log(1)\n')
    await vi.waitFor(() => expect(last).toBe(''), SOON)
    await replace(join(root, 'main.js'), use('prompt2'))
    await vi.waitFor(isRefused, SOON)
  },
)
