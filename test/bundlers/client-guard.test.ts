import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, writeApp } from './app.ts'
import { esbuildConfig, type Job, rspackConfig, webpackConfig } from './configs.ts'

interface Stats {
  hasErrors(): boolean
  toString(): string
}

type Done = (error: Error | null, stats?: Stats) => void

function run(compiler: { run(done: Done): void }): Promise<void> {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      if (stats?.hasErrors()) reject(new Error(stats.toString()))
      else if (error === null) resolve()
      else reject(error)
    })
  })
}

type Target = 'browser' | 'node'

const BUILDS: Readonly<Record<string, (job: Job, target: Target) => Promise<unknown>>> = {
  async webpack(job, target) {
    const { default: webpack } = await import('webpack')
    const config = { ...(await webpackConfig(job)), target: target === 'node' ? 'node20' : 'web' }
    return run(webpack(config) as never)
  },
  async Rspack(job, target) {
    const { rspack } = await import('@rspack/core')
    const config = await rspackConfig(job)
    return run(rspack({ ...config, target: target === 'node' ? 'node20' : 'web' }) as never)
  },
  async esbuild(job, platform) {
    const { build } = await import('esbuild')
    return build({ ...(await esbuildConfig(job)), platform })
  },
}

const use = (name: string): string =>
  `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.${name}.slug)\n`

async function guarded(
  bundler: string,
  target: Target,
  client: 'allow' | 'warn' | 'error',
): Promise<string[]> {
  const root = await temporaryFolder()
  await writeApp(
    root,
    { 'main.js': `import './page.js'\n${use('prompt1')}`, 'page.js': use('prompt2') },
    numberedLock(3),
  )
  const said: string[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((line) => void said.push(String(line)))
  onTestFinished(() => spy.mockRestore())
  const job = { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: true }
  await BUILDS[bundler]?.({ ...job, options: { client } }, target)
  return said.filter((line) => line.includes('unplugin-prompts'))
}

test.each(Object.keys(BUILDS))('%s guards code for the browser', async (bundler) => {
  const said = await guarded(bundler, 'browser', 'warn')
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/- (?:main|page)\.js/)
  await expect(guarded(bundler, 'browser', 'error')).rejects.toThrow('PROMPTS_IN_CLIENT')
  expect(await guarded(bundler, 'browser', 'allow')).toEqual([])
  expect(await guarded(bundler, 'node', 'error')).toEqual([])
})
