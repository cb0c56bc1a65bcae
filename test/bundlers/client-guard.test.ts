import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Guard } from '../../src/config/options.ts'
import { SOON } from '../helpers/soon.ts'
import { type Files, newApp, numberedLock, replace } from './app.ts'
import { buildVite, buildWith, type BundlerName, BUNDLERS, failure } from './bundlers.ts'
import { jobIn, viteConfig } from './configs.ts'
import { outsideOfTests } from './vite-server.ts'
import { FOLLOWED } from './watchers.ts'

const use = (name: string, module = 'virtual:prompts'): string =>
  `import { prompts } from '${module}'\nconsole.log(prompts.${name}.slug)\n`

const FILES: Files = {
  'main.js': `import './page.js'\nimport './panel.js'\n`,
  'page.js': `import './parts/text.js'\n`,
  'panel.js': use('prompt1'),
  'parts/text.js': use('prompt2'),
}

/** Builds for the browser, unless the job says otherwise, and returns the warnings. */
async function guarded(
  bundler: BundlerName,
  client: Guard,
  { files = FILES, isForBrowser = true }: { files?: Files; isForBrowser?: boolean } = {},
): Promise<string[]> {
  const root = await newApp(files, numberedLock(3))
  const said: string[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((line) => void said.push(String(line)))
  onTestFinished(() => spy.mockRestore())
  await BUNDLERS[bundler](jobIn(root, { options: { client }, isForBrowser }))
  return said.filter((line) => line.includes('unplugin-prompts'))
}

/** The file that imports prompts. */
const PLACE = /(?:panel|parts\/text)\.js imports prompts/

const GUARDED = ['webpack', 'Rspack', 'esbuild', 'Rolldown'] as const

describe.each(GUARDED)('%s, building for the browser,', (bundler) => {
  test('warns once of prompts, with the file that imports them', async () => {
    const said = await guarded(bundler, 'warn')
    expect(said).toEqual([expect.stringMatching(PLACE)])
  })

  test('fails if the option says so, for prompts of staging too', async () => {
    const why = await failure(guarded(bundler, 'error'))
    expect(why).toContain('PROMPTS_IN_CLIENT')
    expect(why).toMatch(PLACE)
    const files = { 'main.js': use('prompt1', 'virtual:prompts/staging') }
    expect(await failure(guarded(bundler, 'error', { files }))).toContain('PROMPTS_IN_CLIENT')
  })

  test('does not warn if client prompts are allowed, nor for Node', async () => {
    expect(await guarded(bundler, 'allow')).toEqual([])
    expect(await guarded(bundler, 'error', { isForBrowser: false })).toEqual([])
  })
})

test('a library in a format for browsers is client code in Vite, Rollup, Rolldown and esbuild', async () => {
  outsideOfTests()
  const root = await newApp({ 'main.js': use('prompt1') }, numberedLock(3))
  const job = jobIn(root, { options: { client: 'error' } })
  const output = { format: 'iife', name: 'app', dir: job.outDir } as const
  const lib = { entry: join(root, 'main.js'), name: 'app', fileName: 'app' }
  const builds = [
    buildVite(await viteConfig(job, { build: { lib } })),
    buildVite(await viteConfig(job, { build: { lib: { ...lib, formats: ['iife'] } } })),
    buildWith('Rollup', job, { output }),
    buildWith('Rolldown', job, { output }),
    buildWith('esbuild', job, { splitting: false, format: 'iife' }),
  ]
  for (const why of await Promise.all(builds.map(failure)))
    expect(why).toContain('main.js imports prompts into browser code')
  await buildVite(await viteConfig(job, { build: { lib: { ...lib, formats: ['es', 'cjs'] } } }))
})

test.each([
  ['a page of Electron that has Node', { target: ['web', 'electron-renderer'] }],
  [
    'the edge runtime, as Next configures it',
    { target: ['web', 'es6'], resolve: { conditionNames: ['edge-light', 'worker', '...'] } },
  ],
])('webpack accepts prompts in %s', async (_, settings) => {
  const root = await newApp(FILES, numberedLock(3))
  await buildWith('webpack', jobIn(root, { options: { client: 'error' } }), settings)
})

test.each(FOLLOWED.filter(([name]) => !['Rollup', 'Rsbuild', 'Bun'].includes(name)))(
  'a watch of %s fails while client code imports prompts, and only then',
  async (_, watch) => {
    outsideOfTests()
    const root = await newApp({ 'main.js': use('prompt1') }, numberedLock(3))
    const options = { client: 'error' } as const
    const job = jobIn(root, { minify: false, isForBrowser: true, options })
    let last: string | undefined
    const close = await watch(job, (why) => (last = why))
    onTestFinished(async () => void (await close()))
    const isRefused = (): void => expect(last).toContain('PROMPTS_IN_CLIENT')
    await vi.waitFor(isRefused, SOON)
    await replace(join(root, 'main.js'), 'console.log(1)\n')
    await vi.waitFor(() => expect(last).toBe(''), SOON)
    await replace(join(root, 'main.js'), use('prompt2'))
    await vi.waitFor(isRefused, SOON)
  },
)
