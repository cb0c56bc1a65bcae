import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testService } from '../helpers/local-service.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { promptsIn, readCode, runBundle, writeApp } from './app.ts'
import { buildEsbuild, buildRollup, buildRspack, buildWebpack, BUNDLERS } from './bundlers.ts'
import {
  esbuildConfig,
  type Job,
  jobIn,
  rollupConfig,
  rspackConfig,
  webpackConfig,
} from './configs.ts'

const PROMPTS = [0, 1, 2].map((number) => ({
  slug: `prompt-${number}`,
  version: 'v1',
  system: `Text number <${number}>`,
}))

const NAMES = ['client', 'server', 'worker']

/** Builds several jobs side by side. */
type BuildAll = (jobs: readonly Job[]) => Promise<unknown>

/** An app of three builds without a lock, and what runs them and looks at what each ships. */
async function appOfThree(buildAll: BuildAll) {
  const service = await testService(PROMPTS, { latency: 20 })
  const { PROMPTS_BASE_URL: baseUrl = '', PROMPTS_API_KEY: apiKey = '' } = service.live
  const root = await temporaryFolder()
  const code = (number: number): string =>
    `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.prompt${number}.slug))\n`
  const files = NAMES.map((name, number) => [`${name}.js`, code(number)])
  await writeApp(root, Object.fromEntries(files))
  const build = async (options: Job['options']): Promise<void> => {
    const shared = { lock: join(root, 'prompts.lock.json'), baseUrl, apiKey, ...options }
    await buildAll(
      NAMES.map((name) => ({
        ...jobIn(root, { entries: { [name]: `${name}.js` }, options: shared }),
        outDir: join(root, name),
      })),
    )
    for (const [number, name] of NAMES.entries()) {
      expect(await runBundle(join(root, name, `${name}.mjs`))).toBe(`prompt-${number}`)
      expect(promptsIn(await readCode(join(root, name)))).toEqual([number])
    }
  }
  return { service, root, build }
}

// One bundler of each kind: they share who pulls.
test.each(['Vite SSR', 'webpack', 'esbuild'] as const)(
  'three builds of %s that start together without a lock pull once, and each ships what it uses',
  async (bundler) => {
    const { service, root, build } = await appOfThree((jobs) =>
      Promise.all(jobs.map(BUNDLERS[bundler])),
    )
    await build({ pull: 'missing' })
    expect(service.asked().toSorted()).toEqual([
      'GET /api/v1/prompts 200',
      'GET /api/v1/prompts 200',
      ...PROMPTS.map(({ slug }) => `GET /api/v1/prompts/${slug} 200`),
    ])
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain('"prompt-2"')
  },
)

/** Builds with the plugin that a single call of `prompts()` made. */
function withOnePlugin<Config extends { plugins?: unknown }>(
  config: (job: Job) => Promise<Config>,
  buildAll: (configs: Config[]) => Promise<unknown>,
): BuildAll {
  return async (jobs) => {
    const configs = await Promise.all(jobs.map(config))
    const plugins = configs[0]?.plugins
    await buildAll(configs.map((each) => ({ ...each, plugins })))
  }
}

const named = <Config>(configs: Config[]): Config[] =>
  configs.map((config, index) => ({ ...config, name: NAMES[index] }))

const WITH_ONE_PLUGIN: Readonly<Record<string, BuildAll>> = {
  webpack: withOnePlugin(webpackConfig, (configs) => buildWebpack(named(configs))),
  Rspack: withOnePlugin(rspackConfig, (configs) => buildRspack(named(configs))),
  esbuild: withOnePlugin(esbuildConfig, (configs) => Promise.all(configs.map(buildEsbuild))),
  Rollup: withOnePlugin(rollupConfig, (configs) => Promise.all(configs.map(buildRollup))),
}

test.each(Object.entries(WITH_ONE_PLUGIN))(
  'three compilers of %s with one plugin pull once, and ship what each uses',
  async (_, buildAll) => {
    const { service, build } = await appOfThree(buildAll)
    await build({ pull: 'always', dts: false })
    const reads = service.asked().filter((line) => line.endsWith('/prompt-1 200'))
    expect(reads).toHaveLength(1)
  },
)
