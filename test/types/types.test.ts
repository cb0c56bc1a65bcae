import { describe, expect, test } from 'vitest'
import { fixtureApp, refusedLines } from '../helpers/compile-fixture.ts'
import { ALL_COMPILERS, EACH_COMPILER, linesMarkedWrong } from '../helpers/compile-strictly.js'

const fixtures = ['all.ts', 'app.ts', 'generic.ts', 'staging.ts']

describe.each(ALL_COMPILERS)('under $path, $resolution', (compiler) => {
  test('wrong calls do not compile; correct calls and the declarations do', async () => {
    const app = await fixtureApp({ fixtures })
    expect(await refusedLines(app, compiler)).toEqual(await linesMarkedWrong(app, fixtures))
  })
})

describe('the old moduleResolution, which ignores exports', () => {
  test('finds the types too: without them every prompt is any, without an error', async () => {
    const app = await fixtureApp({ fixtures })
    const compiler = { path: 'typescript', resolution: 'node10', skipLibCheck: true }
    expect(await refusedLines(app, compiler)).toEqual(await linesMarkedWrong(app, fixtures))
  })

  test('resolves every entry point, and defineConfig', async () => {
    const app = await fixtureApp({ fixtures: ['entry-points.ts'] })
    const compiler = { path: 'typescript', resolution: 'node10', skipLibCheck: true }
    expect(await refusedLines(app, compiler)).toEqual(
      await linesMarkedWrong(app, ['entry-points.ts']),
    )
  })
})

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

describe.each(EACH_COMPILER)('configurations under $path, $resolution', (compiler) => {
  test('compile without an installed bundler while every package is checked', async () => {
    const app = await fixtureApp({ fixtures: ['entry-points.ts'] })
    const refused = await refusedLines(app, { ...compiler, preserveSymlinks: true })
    expect(refused).toEqual(await linesMarkedWrong(app, ['entry-points.ts']))
  })

  test('of each bundler accept its plugin', async () => {
    const app = await fixtureApp({ fixtures: ['configs.ts'], packages: BUNDLERS })
    const refused = await refusedLines(app, { ...compiler, skipLibCheck: true })
    expect(refused).toEqual(await linesMarkedWrong(app, ['configs.ts']))
  })
})
