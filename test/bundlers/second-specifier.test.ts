import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newApp, numberedLock, runBundle } from './app.ts'
import { type Build, buildVite, buildWith, BUNDLERS } from './bundlers.ts'
import { type Job, jobIn, viteConfig } from './configs.ts'

const ENTRY = 'virtual:prompts'
const alias = { aliased: ENTRY }

/** What each entry of the app does to reach `prompt2` by a second specifier. */
const CASES = {
  mapped: `import { prompts as other } from 'mapped'\nsaid.push(other.prompt2.slug)`,
  returned: `import { prompts as other } from 'returned'\nsaid.push(other.prompt2.slug)`,
  namespace: `import * as other from 'mapped'\nsaid.push(other.prompts.prompt2.slug)`,
  dynamic: `const other = await import('mapped')\nsaid.push(other.prompts.prompt2.slug)`,
  required: `const other = require('mapped')\nsaid.push(other.prompts.prompt2.slug)`,
  aliased: `import { prompts as other } from 'aliased'\nsaid.push(other.prompt2.slug)`,
}

/** The same file also uses `prompt1` by the usual specifier. */
const CODE = Object.entries(CASES).map(([name, code]) => [
  `${name}.js`,
  `import { prompts } from '${ENTRY}'\nconst said = [prompts.prompt1.slug]\n${code}\nconsole.log(JSON.stringify(said))\n`,
])

/** A plugin of Rollup, Rolldown and Vite. */
const rollupPlugin = {
  name: 'second-name',
  async resolveId(this: Resolver, source: string, importer?: string, options?: object) {
    if (source === 'returned') return ENTRY
    return source === 'mapped' ? this.resolve(ENTRY, importer, options) : null
  },
}

interface Resolver {
  resolve(id: string, importer?: string, options?: object): Promise<{ id: string } | null>
}

const NAMES = /^(?:mapped|returned)$/

const BUILDS: Readonly<Record<string, Build>> = {
  async Vite(job) {
    const config = await viteConfig(job, { build: { ssr: true }, resolve: { alias } })
    await buildVite({ ...config, plugins: [rollupPlugin as never, config.plugins] })
  },
  Rollup: (job) =>
    buildWith('Rollup', job, ({ plugins }) => ({
      plugins: [rollupPlugin as never, plugins],
      onwarn: () => undefined,
    })),
  Rolldown: (job) =>
    buildWith('Rolldown', job, ({ plugins }) => ({
      plugins: [rollupPlugin as never, plugins],
      resolve: { alias },
    })),
  async webpack(job) {
    const { default: webpack } = await import('webpack')
    const replace = new webpack.NormalModuleReplacementPlugin(NAMES, ENTRY)
    await buildWith('webpack', job, ({ plugins = [] }) => ({
      resolve: { alias },
      plugins: [replace, ...plugins],
    }))
  },
  async Rspack(job) {
    const { rspack } = await import('@rspack/core')
    const replace = new rspack.NormalModuleReplacementPlugin(NAMES, ENTRY)
    await buildWith('Rspack', job, ({ plugins = [] }) => ({
      resolve: { alias },
      plugins: [replace, ...plugins],
    }))
  },
  esbuild: (job) =>
    buildWith('esbuild', job, ({ plugins = [] }) => ({
      alias,
      plugins: [
        {
          name: 'second-name',
          setup: ({ onResolve, resolve }) =>
            onResolve({ filter: NAMES }, ({ importer, namespace, resolveDir, kind }) =>
              resolve(ENTRY, { importer, namespace, resolveDir, kind }),
            ),
        },
        ...plugins,
      ],
    })),
  Bun(job) {
    const file = join(import.meta.dirname, 'plugins/second-name.ts')
    return BUNDLERS.Bun({ ...job, extra: { file, at: 'before' } })
  },
}

/** Where the app itself can't be built or run. */
const IMPOSSIBLE: Readonly<Record<string, readonly (keyof typeof CASES)[]>> = {
  Vite: [],
  Rollup: ['required', 'aliased'],
  webpack: ['required', 'aliased'],
  Rspack: ['required', 'aliased'],
  // Bun 1.4 names a chunk after the module that is loaded, and can't write a NUL into a file name.
  Bun: ['dynamic', 'aliased'],
}

async function jobOf(names: readonly string[]): Promise<Job> {
  const root = await newApp(Object.fromEntries(CODE), numberedLock(4))
  const entries = Object.fromEntries(names.map((name) => [name, `${name}.js`]))
  return jobIn(root, { entries })
}

test.each(Object.entries(BUILDS))(
  '%s keeps the prompts that a module uses by a second specifier',
  async (bundler, build) => {
    const impossible: readonly string[] = IMPOSSIBLE[bundler] ?? ['aliased']
    const names = Object.keys(CASES).filter((name) => !impossible.includes(name))
    const job = await jobOf(names)
    await build(job)
    const said = names.map((name) => runBundle(join(job.outDir, `${name}.mjs`)))
    expect(await Promise.all(said)).toEqual(names.map(() => ['prompt-1', 'prompt-2']))
  },
)

test.each(['Rolldown', 'webpack', 'Rspack', 'esbuild'])(
  '%s resolves aliases without plugins, so it fails instead of dropping prompts',
  async (bundler) => {
    const job = await jobOf(['aliased'])
    await expect(BUILDS[bundler]?.(job)).rejects.toThrow('aliased')
  },
)
