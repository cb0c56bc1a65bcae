import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { newApp, numberedLock } from './app.ts'
import { buildRsbuild, buildVite } from './bundlers.ts'
import { type Job, jobIn, rsbuildConfig, viteConfig } from './configs.ts'
import { devServer } from './vite-server.ts'

/** An app whose key is in a file, as in most projects. */
async function jobWith(): Promise<Job> {
  const main = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.prompt1.slug)\n`
  const env = `PROMPTS_API_KEY=${LOCAL_KEYS.live}\n`
  return jobIn(await newApp({ 'main.js': main, '.env.local': env }, numberedLock(2)))
}

test('Vite does not build or start with prefixes that publish the key', async () => {
  const job = await jobWith()
  const envPrefix = ['VITE_', 'P']
  const built = buildVite(await viteConfig(job, { envPrefix }))
  await expect(built).rejects.toThrow('[PREFIX_PUBLISHES_KEY]')
  await expect(devServer(job.root, {}, { envPrefix })).rejects.toThrow('[PREFIX_PUBLISHES_KEY]')
  expect(existsSync(job.outDir)).toBe(false)
})

test('Rsbuild does not build with prefixes of loadEnv that publish the key', async () => {
  const job = await jobWith()
  const create = async (prefixes: string[]): Promise<void> => {
    const loadEnv = { cwd: job.root, prefixes }
    await buildRsbuild({ cwd: job.root, loadEnv, config: await rsbuildConfig(job) })
  }
  await expect(create(['PUBLIC_', 'PROMPTS_'])).rejects.toThrow('PREFIX_PUBLISHES_KEY')
  await create(['PROMPTS_PUBLIC_'])
})
