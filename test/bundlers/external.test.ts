import { expect, test } from 'vitest'
import type { Plugin } from 'esbuild'
import { outcome } from '../helpers/service-client.ts'
import { newApp, numberedLock, promptsIn, readCode } from './app.ts'
import {
  type Build,
  buildEsbuild,
  buildRolldown,
  buildRollup,
  buildRspack,
  buildVite,
  buildWebpack,
  within,
} from './bundlers.ts'
import {
  esbuildConfig,
  type Job,
  jobIn,
  rolldownConfig,
  rollupConfig,
  rspackConfig,
  viteConfig,
  webpackConfig,
} from './configs.ts'

/** What libraries often write: all that is no path. */
const external = /^[^./]/

const STATIC = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.prompt1.slug)\n`
const DYNAMIC = `import('virtual:prompts').then(({ prompts }) => console.log(prompts.prompt1.slug))\n`
const STAGED = STATIC.replace("prompts'", "prompts/staging'")

async function jobOf(code: string): Promise<Job> {
  return jobIn(await newApp({ 'main.js': code }, numberedLock(3)))
}

const leaving: Plugin = {
  name: 'leaves-packages',
  setup({ onResolve }) {
    onResolve({ filter: external }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path, external: true },
    )
  },
}

const TAKING: Readonly<Record<string, Build>> = {
  async Vite(job) {
    const lib = { entry: `${job.root}/main.js`, formats: ['es' as const] }
    await buildVite(await viteConfig(job, { build: { lib, rolldownOptions: { external } } }))
  },
  Rollup: (job) =>
    within(job.root, async () => buildRollup({ ...(await rollupConfig(job)), external })),
  async Rolldown(job) {
    await buildRolldown({ ...(await rolldownConfig(job)), external })
  },
  async webpack(job) {
    await buildWebpack({ ...(await webpackConfig(job)), externals: external })
  },
  async Rspack(job) {
    await buildRspack({ ...(await rspackConfig(job)), externals: external })
  },
  async esbuild(job) {
    const { plugins = [], ...config } = await esbuildConfig(job)
    await buildEsbuild({ ...config, plugins: [leaving, ...plugins] })
  },
}

test.each(Object.entries(TAKING))(
  'a build of %s whose output would import the module, static or dynamic, live or staging, fails and names the setting',
  async (_, build) => {
    for (const code of [STATIC, DYNAMIC, STAGED]) {
      const { message } = (await outcome(build(await jobOf(code)))) as Error
      expect(message).toContain('[MODULE_EXTERNAL]')
      expect(message).toContain('external')
    }
  },
)

/** Settings that leave packages to Node. The module is none. */
const PACKAGES: Readonly<Record<string, Build>> = {
  async 'Vite with ssr.external'(job) {
    await buildVite(await viteConfig(job, { ssr: { external: true }, build: { ssr: true } }))
  },
  async 'webpack with the packages of node_modules'(job) {
    const externals = ['vue', 'svelte', 'unplugin-prompts']
    await buildWebpack({ ...(await webpackConfig(job)), externals })
  },
  async "esbuild with packages: 'external'"(job) {
    await buildEsbuild({ ...(await esbuildConfig(job)), packages: 'external' })
  },
}

test.each(Object.entries(PACKAGES))('%s has the prompts in its output', async (_, build) => {
  const job = await jobOf(STATIC)
  await build(job)
  expect(promptsIn(await readCode(job.outDir))).toEqual([1])
})
