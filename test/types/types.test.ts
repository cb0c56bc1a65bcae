import { describe, expect, test } from 'vitest'
import { type FixtureApp, fixtureApp, refusedLines } from '../helpers/compile-fixture.ts'
import {
  type Compiler,
  EACH_COMPILER,
  linesMarkedWrong,
  OLDER_COMPILERS,
} from '../helpers/compile-strictly.js'

const FIXTURES = ['all.ts', 'app.ts', 'generic.ts', 'staging.ts']
const APP_FIXTURES = [...FIXTURES, 'entry-points.ts'].toSorted()
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

describe.each(EACH_COMPILER)('under $path, $resolution', (compiler) => {
  // Without the bundlers, whose packages are not found through the link to this one.
  test('wrong calls do not compile; correct calls, declarations and configurations do while every package is checked', () =>
    expectMarked(APP_FIXTURES, { ...compiler, preserveSymlinks: true }))
})

describe.each(OLDER_COMPILERS)('under $path, $resolution', (compiler) => {
  test('wrong calls do not compile; correct calls and the declarations do', () =>
    expectMarked(FIXTURES, compiler))
})

test('the old moduleResolution, which ignores exports, finds the types too: without them every prompt is any', () =>
  expectMarked(APP_FIXTURES, { path: 'typescript', resolution: 'node10', skipLibCheck: true }))

// By the compiler that is quick with thousands of declarations, none of which are ours. Those of `ai`, `@langchain/core`
// and its `langsmith` do not compile themselves with `exactOptionalPropertyTypes`.
test('the configuration of each bundler accepts its plugin, and SDKs the output of prompts and adapters', () =>
  expectMarked(
    PACKAGE_FIXTURES,
    { path: 'typescript-7', resolution: 'bundler', skipLibCheck: true },
    [...BUNDLERS, ...SDKS],
  ))
