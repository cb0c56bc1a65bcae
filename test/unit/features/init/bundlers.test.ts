import { expect, test } from 'vitest'
import { bundlers, detectBundlers, findVitest } from '../../../../src/features/init/bundlers.ts'
import type { ProjectFiles } from '../../../../src/features/init/project-files.ts'

/** Packages that a compiler builds, and Vitest only tests. */
const LIBRARIES: ProjectFiles['manifest'][] = [
  { scripts: { build: 'tsc --build', test: 'vitest run' } },
  { scripts: { prepare: 'tsup src/index.ts', start: 'vite-node src/main.ts' } },
  { scripts: { build: 'node ../../scripts/build_package.js' }, main: 'dist/index.js' },
  { exports: { '.': { types: './dist/index.d.ts', import: './dist/index.js' } } },
]
/** What Vite builds, with or without Vitest. */
const APPS: ProjectFiles['manifest'][] = [
  { scripts: { build: 'tsc -b && vite build' }, main: 'dist/index.js' },
  { scripts: { build: 'electron-vite build', typecheck: 'tsc' }, main: './out/main/index.js' },
  { scripts: { build: 'react-router build', typecheck: 'react-router typegen && tsc' } },
  { scripts: { lint: 'tsc --noEmit' }, main: 'index.js' },
]

test.each<[string, string, string, ProjectFiles['manifest']?]>([
  ['vite', 'vite.config.ts', 'vite vite.config.ts'],
  ['webpack', 'webpack.config.cjs', 'webpack webpack.config.cjs'],
  ['@rspack/core', 'rspack.config.js', 'rspack rspack.config.js'],
  ['@rsbuild/core @rspack/core', '', 'rsbuild, rspack'],
  ['rollup', 'rollup.config.mjs', 'rollup rollup.config.mjs'],
  ['rolldown', 'rolldown.config.ts', 'rolldown rolldown.config.ts'],
  ['esbuild', 'build.mjs', 'esbuild'],
  ['next react', 'next.config.ts', 'next next.config.ts'],
  ['nuxt vite', 'nuxt.config.ts', 'nuxt nuxt.config.ts, vite'],
  ['astro', 'astro.config.mjs', 'astro astro.config.mjs'],
  ['@sveltejs/kit vite', 'vite.config.ts', 'sveltekit vite.config.ts'],
  ['', 'wrangler.jsonc', 'wrangler wrangler.jsonc'],
  ['wrangler esbuild', 'wrangler.toml', 'wrangler wrangler.toml, esbuild'],
  ['wrangler vitest vite', 'vitest.config.ts', 'wrangler, vite'],
  ['wrangler vite', 'vite.config.ts wrangler.json', 'vite vite.config.ts, wrangler wrangler.json'],
  ['wrangler vite @cloudflare/vite-plugin', 'vite.config.ts wrangler.json', 'vite vite.config.ts'],
  ['wrangler next', 'wrangler.jsonc', 'next'],
  ['vitest vite next', '', 'next, vite'],
  ['vite vitest', 'vitest.config.ts', 'vitest vitest.config.ts, vite'],
  ['vite vitest', 'vite.config.ts vitest.config.ts', 'vite vite.config.ts'],
  ['vite rollup', 'rollup.config.js', 'rollup rollup.config.js, vite'],
  ['', 'vite.config.ts', 'vite vite.config.ts'],
  ['', 'vite.config.mts vitest.config.ts', 'vite vite.config.mts'],
  ['vitest', 'vite.config.ts', 'vite vite.config.ts'],
  ['', 'svelte.config.js', ''],
  ...LIBRARIES.map((manifest): [string, string, string, typeof manifest] => [
    'vite vitest',
    'vite.config.ts vitest.config.ts',
    '',
    manifest,
  ]),
  ...APPS.map((manifest): [string, string, string, typeof manifest] => [
    'vite vitest',
    'vite.config.ts',
    'vite vite.config.ts',
    manifest,
  ]),
])('detectBundlers finds with %j and the files %j: %j %j', (packages, files, want, manifest) => {
  const dependencies = new Set(packages.split(' '))
  const names = new Set(files.split(' '))
  const found = detectBundlers({ dependencies, names, manifest })
  expect(found.map(({ bundler, file = '' }) => `${bundler.name} ${file}`.trim()).join(', ')).toBe(
    want,
  )
})

test('finds the configuration that Vitest reads, where Vite reads another one', () => {
  const files = (...names: string[]): { names: Set<string>; dependencies: Set<string> } => {
    return { names: new Set(names), dependencies: new Set(['vite', 'vitest']) }
  }
  const vite = bundlers.find(({ name }) => name === 'vite')
  expect(findVitest(files('vite.config.js', 'vite.config.ts'), vite)?.file).toBe('vite.config.ts')
  expect(findVitest(files('vite.config.ts', 'vitest.config.js'), vite)?.file).toBe(
    'vitest.config.js',
  )
  expect(findVitest(files('vite.config.ts'), vite)).toBeUndefined()
})
