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

type FoundIn = readonly [
  dependencies: readonly string[],
  files: readonly string[],
  want: readonly string[],
  manifest?: ProjectFiles['manifest'],
]

const WITH_VITEST = ['vite', 'vitest']
const BOTH_FILES = ['vite.config.ts', 'vitest.config.ts']
const VITE = ['vite vite.config.ts']

describe('detectBundlers', () => {
  const projects: readonly FoundIn[] = [
    [['vite'], ['vite.config.ts'], ['vite vite.config.ts']],
    [['webpack'], ['webpack.config.cjs'], ['webpack webpack.config.cjs']],
    [['@rspack/core'], ['rspack.config.js'], ['rspack rspack.config.js']],
    [['@rsbuild/core', '@rspack/core'], [], ['rsbuild', 'rspack']],
    [['rollup'], ['rollup.config.mjs'], ['rollup rollup.config.mjs']],
    [['rolldown'], ['rolldown.config.ts'], ['rolldown rolldown.config.ts']],
    [['esbuild'], ['build.mjs'], ['esbuild']],
    [['next', 'react'], ['next.config.ts'], ['next next.config.ts']],
    [['nuxt', 'vite'], ['nuxt.config.ts'], ['nuxt nuxt.config.ts', 'vite']],
    [['astro'], ['astro.config.mjs'], ['astro astro.config.mjs']],
    [
      ['@sveltejs/kit', 'vite'],
      ['vite.config.ts'],
      ['sveltekit vite.config.ts', 'vite vite.config.ts'],
    ],
    [['vitest', 'vite', 'next'], [], ['next', 'vite']],
    [['vite', 'vitest'], ['vitest.config.ts'], ['vitest vitest.config.ts', 'vite']],
    [['vite', 'vitest'], ['vite.config.ts', 'vitest.config.ts'], ['vite vite.config.ts']],
    [['vite', 'rollup'], ['rollup.config.js'], ['rollup rollup.config.js', 'vite']],
    [[], ['vite.config.ts'], []],
    ...LIBRARIES.map((manifest): FoundIn => [WITH_VITEST, BOTH_FILES, [], manifest]),
    ...APPS.map((manifest): FoundIn => [WITH_VITEST, BOTH_FILES.slice(0, 1), VITE, manifest]),
  ]

  for (const [dependencies, files, want, manifest = {}] of projects) {
    const project = JSON.stringify({ dependencies, files, manifest })
    test(`finds ${want.join(' and ') || 'none'} in ${project}`, () => {
      const packages = new Set(dependencies)
      const found = detectBundlers({ dependencies: packages, names: new Set(files), manifest })
      expect(found.map(({ bundler, file = '' }) => `${bundler.name} ${file}`.trim())).toEqual(want)
    })
  }
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
