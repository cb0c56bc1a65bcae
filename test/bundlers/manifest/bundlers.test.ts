import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build as esbuild } from 'esbuild'
import { rspack } from '@rspack/core'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build as vite } from 'vite'
import { describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { sha256 } from '../../../src/fs/digest.ts'
import { plugin } from '../../../src/plugin/unplugin.ts'
import type { PromptsManifest } from '../../../src/codegen/print-manifest.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const lock = liveLock({ slug: 'idle' }, { slug: 'lazy' }, { slug: 'used', version: 'v9' })

type Build = (root: string, manifest: boolean) => Promise<unknown>

const bundlers: Readonly<Record<string, Build>> = {
  Vite: (root, manifest) =>
    vite({
      root,
      logLevel: 'error',
      configFile: false,
      plugins: [plugin.vite({ manifest })],
      build: { outDir: 'out', rollupOptions: { input: join(root, 'main.js') } },
    }),
  async Rollup(root, manifest) {
    const plugins = [inRoot(root, () => plugin.rollup({ manifest }))]
    const bundle = await rollup({ input: join(root, 'main.js'), plugins })
    await bundle.write({ dir: join(root, 'out') })
  },
  async Rolldown(root, manifest) {
    const plugins = [plugin.rolldown({ manifest })]
    const bundle = await rolldown({ cwd: root, input: join(root, 'main.js'), plugins })
    await bundle.write({ dir: join(root, 'out'), minify: true })
  },
  webpack: (root, manifest) =>
    new Promise((done, fail) =>
      webpack(
        {
          context: root,
          entry: './main.js',
          mode: 'production',
          output: { path: join(root, 'out') },
          plugins: [plugin.webpack({ manifest })],
        },
        (error) => (error ? fail(error) : done(undefined)),
      ),
    ),
  Rspack: (root, manifest) =>
    new Promise((done, fail) =>
      rspack(
        {
          context: root,
          entry: './main.js',
          mode: 'production',
          output: { path: join(root, 'out') },
          plugins: [plugin.rspack({ manifest })],
        },
        (error) => (error ? fail(error) : done(undefined)),
      ),
    ),
  esbuild: (root, manifest) =>
    esbuild({
      absWorkingDir: root,
      entryPoints: ['main.js'],
      outdir: 'out',
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      plugins: [plugin.esbuild({ manifest })],
    }),
}

describe.each(Object.entries(bundlers))('the manifest of %s', (name, build) => {
  test('replaces an older one, and never a foreign file', async () => {
    const root = await writeApp()
    await build(root, true)
    await build(root, true)
    // Vite empties the output folder and copies `public` into it.
    const folder = join(root, name === 'Vite' ? 'public' : 'out')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'prompts-manifest.json'), '{ "mine": true }')
    await expect(build(root, true)).rejects.toThrow('FILE_FOREIGN')
    expect(await readFile(join(root, 'out/prompts-manifest.json'), 'utf8')).toBe('{ "mine": true }')
  })

  test('names the prompts of the bundle, by chunk', async () => {
    const root = await writeApp()
    await build(root, true)
    const text = await readFile(join(root, 'out/prompts-manifest.json'), 'utf8')
    const { environment, chunks }: PromptsManifest = JSON.parse(text)
    expect(environment).toBe('live')
    expect(
      chunks.flatMap(({ prompts }) => prompts.map(({ slug, version }) => `${slug} ${version}`)),
    ).toSatisfy((found: string[]) => found.toSorted().join() === 'lazy v22,used v9')
    for (const { file } of chunks) await readFile(join(root, 'out', file))
    expect(chunks.length).toBe(2)
  })

  test('is only written if the option is set', async () => {
    const root = await writeApp()
    await build(root, false)
    await expect(readFile(join(root, 'out/prompts-manifest.json'))).rejects.toThrow('ENOENT')
  })
})

async function writeApp(): Promise<string> {
  const root = await temporaryFolder()
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  await writeFile(join(root, 'prompts.lock.json'), printLock(lock, sha256))
  await writeFile(join(root, 'prompts.config.js'), `export default { dts: false, client: 'allow' }`)
  const read = (name: string): string =>
    `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.${name}.render().text)\n`
  await writeFile(join(root, 'main.js'), `${read('used')}import('./lazy.js')\n`)
  await writeFile(join(root, 'lazy.js'), read('lazy'))
  await mkdir(join(root, 'out'))
  return root
}

/** Rollup knows no folder but the working one. */
function inRoot<Plugin>(root: string, make: () => Plugin): Plugin {
  const before = process.cwd
  process.cwd = () => root
  try {
    return make()
  } finally {
    process.cwd = before
  }
}
