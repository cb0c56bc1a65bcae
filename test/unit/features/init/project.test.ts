import { describe, expect, test } from 'vitest'
import { detectBundlers } from '../../../../src/features/init/bundlers.ts'
import type { ProjectFiles } from '../../../../src/features/init/project-files.ts'
import {
  addExampleVariables,
  appendLines,
  ignores,
} from '../../../../src/features/init/text-files.ts'

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

describe('detectBundlers', () => {
  test.each([
    { dependencies: ['vite'], files: ['vite.config.ts'], want: ['vite vite.config.ts'] },
    {
      dependencies: ['webpack'],
      files: ['webpack.config.cjs'],
      want: ['webpack webpack.config.cjs'],
    },
    {
      dependencies: ['@rspack/core'],
      files: ['rspack.config.js'],
      want: ['rspack rspack.config.js'],
    },
    { dependencies: ['@rsbuild/core', '@rspack/core'], files: [], want: ['rsbuild', 'rspack'] },
    { dependencies: ['rollup'], files: ['rollup.config.mjs'], want: ['rollup rollup.config.mjs'] },
    {
      dependencies: ['rolldown'],
      files: ['rolldown.config.ts'],
      want: ['rolldown rolldown.config.ts'],
    },
    { dependencies: ['esbuild'], files: ['build.mjs'], want: ['esbuild'] },
    { dependencies: ['next', 'react'], files: ['next.config.ts'], want: ['next next.config.ts'] },
    {
      dependencies: ['nuxt', 'vite'],
      files: ['nuxt.config.ts'],
      want: ['nuxt nuxt.config.ts', 'vite'],
    },
    { dependencies: ['astro'], files: ['astro.config.mjs'], want: ['astro astro.config.mjs'] },
    {
      dependencies: ['@sveltejs/kit', 'vite'],
      files: ['vite.config.ts'],
      want: ['sveltekit vite.config.ts', 'vite vite.config.ts'],
    },
    { dependencies: ['vitest', 'vite', 'next'], files: [], want: ['next', 'vite'] },
    {
      dependencies: ['vite', 'vitest'],
      files: ['vitest.config.ts'],
      want: ['vitest vitest.config.ts', 'vite'],
    },
    {
      dependencies: ['vite', 'vitest'],
      files: ['vite.config.ts', 'vitest.config.ts'],
      want: ['vite vite.config.ts'],
    },
    {
      dependencies: ['vite', 'rollup'],
      files: ['rollup.config.js'],
      want: ['rollup rollup.config.js', 'vite'],
    },
    { dependencies: [], files: ['vite.config.ts'], want: [] },
    ...LIBRARIES.map((manifest) => ({
      dependencies: ['vite', 'vitest'],
      files: ['vite.config.ts', 'vitest.config.ts'],
      manifest,
      want: [],
    })),
    ...APPS.map((manifest) => ({
      dependencies: ['vite', 'vitest'],
      files: ['vite.config.ts'],
      manifest,
      want: ['vite vite.config.ts'],
    })),
  ])('finds $want for $dependencies with $files and $manifest', (project) => {
    const { dependencies, files, want } = project
    const found = detectBundlers({
      dependencies: new Set(dependencies),
      names: new Set(files),
      manifest: 'manifest' in project ? project.manifest : {},
    })
    expect(found.map(({ bundler, file = '' }) => `${bundler.name} ${file}`.trim())).toStrictEqual(
      want,
    )
  })
})

/** The files that git should ignore, and does not. */
function missingIgnores(gitignore: string): string[] {
  return ['.env.local', 'prompts.d.ts.map'].filter((name) => !ignores(gitignore, name))
}

describe('addExampleVariables', () => {
  test('names address and key, empty, and keeps what is there', () => {
    const text = addExampleVariables('OTHER=1')
    expect(text).toMatch(/^OTHER=1\n\n# .*\nPROMPTS_BASE_URL=\n# .*\nPROMPTS_API_KEY=\n$/)
    expect(addExampleVariables(text)).toBe(text)
    expect(addExampleVariables('PROMPTS_BASE_URL=x\n# PROMPTS_API_KEY=\n')).not.toContain(
      '\nPROMPTS_API_KEY=',
    )
  })
})

describe('what git ignores', () => {
  test.each([
    '.env.local',
    '/.env.local',
    '*.local',
    '.env*',
    '.env.*',
    '.env*.local',
    '**/.env.local',
  ])('covers .env.local by %s', (line) => {
    expect(missingIgnores(`dist\n${line}\n`)).toEqual(['prompts.d.ts.map'])
  })

  test.each(['prompts.d.ts.map', '**/prompts.d.ts.map', '*.d.ts.map', '*.map', '/**/*.map'])(
    'covers the declaration map by %s',
    (line) => {
      expect(missingIgnores(`dist\r\n${line}\r\n`)).toEqual(['.env.local'])
    },
  )

  test.each(['!.env.local', '*.js.map', 'dist/*.map', '.env.{local,test}', '.env.@(local)'])(
    'is not changed by %s',
    (line) => {
      expect(missingIgnores(line)).toEqual(['.env.local', 'prompts.d.ts.map'])
    },
  )

  test('is read to its last pattern for a file', () => {
    expect(missingIgnores('.env*\n!.env.local\n*.map\n')).toEqual(['.env.local'])
    expect(missingIgnores('!.env.local\n.env*\n*.map\n')).toEqual([])
  })

  test.each([
    ['dist', 'dist\n.env.local\n'],
    ['dist\n', 'dist\n.env.local\n'],
    ['', '.env.local\n'],
  ])('is extended at the end of %j', (given, want) => {
    expect(appendLines(given, ['.env.local'])).toBe(want)
  })
})

describe('.env.example', () => {
  test.each(['.env*', '/.env*', '.env.*', '**/.env.example', '!.env.example\n.env*'])(
    'is ignored by git with %j',
    (text) => {
      expect(ignores(`dist\r\n${text}\r\n`, '.env.example')).toBe(true)
    },
  )

  test.each(['', '.env', '.env.local', '.env*.local', '*.local', '.env*\n!.env.example'])(
    'is not ignored by git with %j',
    (text) => {
      expect(ignores(text, '.env.example')).toBe(false)
    },
  )
})
