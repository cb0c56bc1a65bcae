import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Plugin } from 'esbuild'
import { writeFiles } from '../helpers/temporary-folder.ts'
import { newApp, numberedLock, promptsIn, readCode } from './app.ts'
import { buildBun } from './bun.ts'
import { type Build, buildVite, buildWith, failure } from './bundlers.ts'
import { type Job, jobIn, viteConfig } from './configs.ts'

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
  Rollup: (job) => buildWith('Rollup', job, { external }),
  Rolldown: (job) => buildWith('Rolldown', job, { external }),
  webpack: (job) => buildWith('webpack', job, { externals: external }),
  Rspack: (job) => buildWith('Rspack', job, { externals: external }),
  esbuild: (job) =>
    buildWith('esbuild', job, ({ plugins = [] }) => ({ plugins: [leaving, ...plugins] })),
  async Bun(job) {
    const code = `export default { bun: () => ({
      name: 'leaves-packages',
      setup: ({ onResolve }) => onResolve({ filter: ${external} }, ({ path, kind }) =>
        kind.startsWith('entry-point') ? undefined : { path, external: true }),
    }) }`
    await writeFiles(job.root, { 'leaving.mjs': code })
    await buildBun({ ...job, extra: { file: join(job.root, 'leaving.mjs'), at: 'before' } })
  },
}

test.each(Object.entries(TAKING))(
  'a build of %s whose output would import the module, static or dynamic, live or staging, fails and names the setting',
  async (_, build) => {
    for (const code of [STATIC, DYNAMIC, STAGED]) {
      const message = await failure(build(await jobOf(code)))
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
  'webpack with the packages of node_modules': (job) =>
    buildWith('webpack', job, { externals: ['vue', 'svelte', 'unplugin-prompts'] }),
  "esbuild with packages: 'external'": (job) => buildWith('esbuild', job, { packages: 'external' }),
}

test.each(Object.entries(PACKAGES))('%s has the prompts in its output', async (_, build) => {
  const job = await jobOf(STATIC)
  await build(job)
  expect(promptsIn(await readCode(job.outDir))).toEqual([1])
})
