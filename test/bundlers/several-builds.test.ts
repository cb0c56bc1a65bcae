import { join } from 'node:path'
import type { WatchOptions } from 'rolldown'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testService } from '../helpers/local-service.ts'
import { lockOf } from '../helpers/pinned.ts'
import { writeFiles } from '../helpers/temporary-folder.ts'
import { newApp, numberedLock, promptsIn, readCode, runBundle, writeLock } from './app.ts'
import { buildAllBun } from './bun.ts'
import {
  buildRspack,
  buildVite,
  buildWebpack,
  CONFIGURED,
  type Configured,
  failure,
} from './bundlers.ts'
import { type Job, jobIn, rollupConfig, viteConfig } from './configs.ts'
import { outsideOfTests } from './vite-server.ts'

/** A build with what is its own. */
interface OwnJob extends Job {
  /** Variables of the process while it starts; `null` removes one. */
  readonly env?: Readonly<Record<string, string | null>>
  /** What replaces `WHICH` in its code. */
  readonly which?: string
}

/**
 * Builds with the plugin of a single call of `prompts()`, whose options are those of the first job, side by side or in
 * turn.
 *
 * @returns why each build has failed; empty if it has not
 */
type BuildAll = (jobs: readonly OwnJob[], isInTurn: boolean) => Promise<string[]>

function withOnePlugin<Config extends { plugins?: unknown }>(
  { configure, build }: Configured<Config>,
  replace: (config: Config, which: string) => Config | Promise<Config>,
): BuildAll {
  return async (jobs, isInTurn) => {
    const configs = await Promise.all(jobs.map(configure))
    const plugins = configs[0]?.plugins
    const start = async (config: Config, index: number): Promise<string> => {
      const job = jobs[index] as OwnJob
      for (const [name, value] of Object.entries(job.env ?? {}))
        vi.stubEnv(name, value ?? undefined)
      const own = await replace({ ...config, plugins }, job.which ?? '')
      return failure(build(own, job))
    }
    if (!isInTurn) return Promise.all(configs.map(start))
    const failures: string[] = []
    for (const [index, config] of configs.entries()) failures.push(await start(config, index))
    return failures
  }
}

/** A plugin of Rollup, Rolldown and Vite before the one under test: none sees what `define` would replace later. */
function replacing<Config extends { plugins?: unknown }>(config: Config, which: string): Config {
  const plugin = {
    name: 'replaces',
    transform: (code: string, id: string) =>
      id.endsWith('main.js') ? { code: code.replace('WHICH', which), map: null } : null,
  }
  return { ...config, plugins: [plugin, config.plugins] }
}

/** Each takes plugins that are made for its compiler. */
function defining<Config extends { plugins?: unknown }>(
  { DefinePlugin }: { DefinePlugin: new (values: Record<string, string>) => object },
  config: Config,
  which: string,
): Config {
  return { ...config, plugins: [new DefinePlugin({ WHICH: which }), config.plugins].flat() }
}

const BUILDS: Readonly<Record<string, BuildAll>> = {
  Vite: withOnePlugin(
    {
      configure: (job) => viteConfig(job, { build: { ssr: job.isForBrowser !== true } }),
      build: buildVite,
    },
    replacing,
  ),
  Rollup: withOnePlugin(
    {
      ...CONFIGURED.Rollup,
      async configure(job) {
        const { output, ...config } = await rollupConfig(job)
        // In a configuration file, the format says that it is for browsers.
        const format = job.isForBrowser ? { format: 'iife' as const, name: 'app' } : {}
        return { ...config, output: { ...output, ...format } }
      },
    },
    replacing,
  ),
  Rolldown: withOnePlugin(CONFIGURED.Rolldown, replacing),
  webpack: withOnePlugin(CONFIGURED.webpack, async (config, which) =>
    defining((await import('webpack')).default, config, which),
  ),
  Rspack: withOnePlugin(CONFIGURED.Rspack, async (config, which) =>
    defining(await import('@rspack/core'), config, which),
  ),
  esbuild: withOnePlugin(CONFIGURED.esbuild, (config, which) => ({
    ...config,
    define: { WHICH: which },
  })),
  Bun: async (jobs, isInTurn) => {
    const builds = jobs.map((job) => ({ ...job, define: { WHICH: job.which ?? '""' } }))
    return (await buildAllBun(builds, { isInTurn })).map((error) => error ?? '')
  },
}

const MAIN = `import { prompts } from 'virtual:prompts'\nconst { slug, version } = prompts[WHICH]\nconsole.log(JSON.stringify(slug === 'a' ? version : slug))\n`

const ALL = [0, 1, 2, 3]

function saidBy({ outDir }: Job): Promise<unknown> {
  return runBundle(join(outDir, 'main.mjs'))
}

/** Rollup and Bun have no folder of their own: they work where their process does. */
const WITHOUT_FOLDER = new Set(['Rollup', 'Bun'])

describe.each(Object.entries(BUILDS))('two builds of %s with one plugin', (name, buildAll) => {
  test.each([false, true].filter((isInTurn) => isInTurn || !WITHOUT_FOLDER.has(name)))(
    'have each the lock of its own root (in turn: %s)',
    async (isInTurn) => {
      const jobs = await Promise.all(
        ['v1', 'v2'].map(async (version) => {
          const root = await newApp({ 'main.js': MAIN }, lockOf({ live: [{ slug: 'a', version }] }))
          return { ...jobIn(root), which: '"a"' }
        }),
      )
      expect(await buildAll(jobs, isInTurn)).toEqual(['', ''])
      expect(await Promise.all(jobs.map(saidBy))).toEqual(['v1', 'v2'])
    },
  )

  test.each([false, true])(
    'ship each the prompts of its own code (in turn: %s)',
    async (isInTurn) => {
      const root = await newApp({ 'main.js': MAIN }, numberedLock(ALL.length))
      const jobs = [1, 2].map((number) => ({
        ...jobIn(root, { outDir: join(root, `out-${number}`) }),
        which: `"prompt-${number}"`,
      }))
      expect(await buildAll(jobs, isInTurn)).toEqual(['', ''])
      const codes = await Promise.all(jobs.map(({ outDir }) => readCode(outDir)))
      // The tree shaking of these follows no name in brackets that is replaced.
      const ships = ['webpack', 'Rspack'].includes(name) ? [ALL, ALL] : [[1], [2]]
      expect(codes.map(promptsIn)).toEqual(ships)
      expect(await Promise.all(jobs.map(saidBy))).toEqual(['prompt-1', 'prompt-2'])
    },
  )

  test('pull once if they start together', async () => {
    const service = await testService([{ slug: 'a', version: 'v1' }])
    const { PROMPTS_BASE_URL: baseUrl = '', PROMPTS_API_KEY: apiKey = '' } = service.live
    const root = await newApp({ 'main.js': MAIN })
    const options = { baseUrl, apiKey, pull: 'always', dts: false } as const
    const jobs = ALL.map((number) => ({
      ...jobIn(root, { outDir: join(root, `out-${number}`), options }),
      which: '"a"',
    }))
    expect(await buildAll(jobs, false)).toEqual(ALL.map(() => ''))
    expect(service.asked().filter((line) => line.endsWith('/a 200'))).toHaveLength(1)
  })

  test.each([false, true])('guard each its own client code (in turn: %s)', async (isInTurn) => {
    outsideOfTests()
    const root = await newApp({ 'main.js': MAIN }, numberedLock(2))
    const jobs = [true, false, true].map((isForBrowser, index) => {
      const outDir = join(root, `out-${index}`)
      return {
        ...jobIn(root, { outDir, isForBrowser, options: { client: 'error' } }),
        which: '"prompt-1"',
      }
    })
    const failures = await buildAll(jobs, isInTurn)
    const refused = failures.map((message) => message.includes('PROMPTS_IN_CLIENT'))
    expect(refused).toEqual([true, false, true])
    expect(failures[1]).toBe('')
  })

  test('serve each the view that the variable, or a configuration that reads one, names at its start', async () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    const root = await newApp({ 'main.js': MAIN })
    const staged = { live: [{ slug: 'a' }], staging: [{ slug: 'a', version: 'v23' }] }
    await writeLock(root, lockOf(staged))
    const build = async (envs: readonly OwnJob['env'][], said: readonly string[]) => {
      const jobs = envs.map((env = {}, index) => {
        const outDir = join(root, `out-${said.join('')}-${index}`)
        return { ...jobIn(root, { outDir }), env, which: '"a"' }
      })
      expect(await buildAll(jobs, true)).toEqual(jobs.map(() => ''))
      expect(await Promise.all(jobs.map(saidBy))).toEqual(said)
    }
    const views = ['test', null, 'live', 'test'] as const
    const served = ['v23', 'v22', 'v22', 'v23']
    await build(
      views.map((view) => ({ PROMPTS_ENVIRONMENT: view })),
      served,
    )
    const code = `export default { environment: process.env.STAGE === 'preview' ? 'test' : 'live' }\n`
    await writeFiles(root, { 'prompts.config.mjs': code })
    const stages = ['preview', null] as const
    await build(
      stages.map((stage) => ({ PROMPTS_ENVIRONMENT: null, STAGE: stage })),
      ['v23', 'v22'],
    )
  })
})

test.each([
  ['a configuration of webpack', 'webpack', buildWebpack],
  ['a configuration of Rspack', 'Rspack', buildRspack],
  ['a watch of Rolldown', 'Rolldown', watchRolldown],
] as const)(
  '%s for two folders, which share their plugins, has the lock of each',
  async (_, name, build) => {
    const files = { 'main.js': MAIN.replace('WHICH', '"a"') }
    const roots = await Promise.all(
      ['v1', 'v2'].map((version) => newApp(files, lockOf({ live: [{ slug: 'a', version }] }))),
    )
    const jobs = roots.map((root) => jobIn(root))
    const configs = await Promise.all(jobs.map((job) => CONFIGURED[name].configure(job)))
    const plugins = configs[0]?.plugins
    await build(configs.map((config) => ({ ...config, plugins })) as never)
    expect(await Promise.all(jobs.map(saidBy))).toEqual(['v1', 'v2'])
  },
)

async function watchRolldown(configs: WatchOptions[]): Promise<void> {
  const { watch } = await import('rolldown')
  const watcher = watch(configs)
  onTestFinished(() => watcher.close())
  await new Promise<void>((done) => {
    watcher.on('event', ({ code }) => (code === 'END' ? done() : undefined))
  })
}
