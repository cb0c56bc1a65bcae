import { describe, expect, test } from 'vitest'
import { type FixtureApp, fixtureApp, refusedLines } from '../helpers/compile-fixture.ts'
import {
  ALL_COMPILERS,
  type Compiler,
  EACH_COMPILER,
  linesMarkedWrong,
} from '../helpers/compile-strictly.js'

const FIXTURES = ['all.ts', 'app.ts', 'generic.ts', 'staging.ts']
const PACKAGE_FIXTURES = ['ai-sdk-6.ts', 'anthropic.ts', 'configs.ts', 'langchain.ts', 'openai.ts']
const SDKS = ['@anthropic-ai/sdk', '@langchain/core', 'ai', 'openai']
const BUNDLERS = [
  '@rsbuild/core',
  '@rspack/core',
  'esbuild',
  'rolldown',
  'rollup',
  'vite',
  'vitest',
  'webpack',
]

/** A compiler must refuse what the fixtures mark, and nothing else. */
async function expectMarked(
  fixtures: readonly string[],
  compiler: Compiler,
  packages?: FixtureApp['packages'],
): Promise<void> {
  const app = await fixtureApp({ fixtures, packages })
  expect(await refusedLines(app, compiler)).toEqual(await linesMarkedWrong(app, fixtures))
}

describe.each(ALL_COMPILERS)('under $path, $resolution', (compiler) => {
  test('wrong calls do not compile; correct calls and the declarations do', () =>
    expectMarked(FIXTURES, compiler))
})

describe('the old moduleResolution, which ignores exports', () => {
  const compiler = { path: 'typescript', resolution: 'node10', skipLibCheck: true }

  test('finds the types too: without them every prompt is any, without an error', () =>
    expectMarked(FIXTURES, compiler))

  test('resolves every entry point, and defineConfig', () =>
    expectMarked(['entry-points.ts'], compiler))
})

describe.each(EACH_COMPILER)('under $path, $resolution', (compiler) => {
  test('configurations compile without an installed bundler while every package is checked', () =>
    expectMarked(['entry-points.ts'], { ...compiler, preserveSymlinks: true }))
})

// By the compiler that is quick with thousands of declarations, none of which are ours: those are above.
describe.each(['nodenext', 'bundler'])('under typescript-7, %s', (resolution) => {
  const compiler = { path: 'typescript-7', resolution, skipLibCheck: true }

  // The declarations of `ai`, `@langchain/core` and its `langsmith` do not compile themselves with
  // `exactOptionalPropertyTypes`, so those of packages are not checked here.
  test('the configuration of each bundler accepts its plugin, and SDKs the output of prompts and adapters', () =>
    expectMarked(PACKAGE_FIXTURES, compiler, [...BUNDLERS, ...SDKS]))
})
