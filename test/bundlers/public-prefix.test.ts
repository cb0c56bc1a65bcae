import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { type Files, newApp, numberedLock } from './app.ts'
import { buildRsbuild, buildVite } from './bundlers.ts'
import { type Job, jobIn, rsbuildConfig, viteConfig } from './configs.ts'
import { devServer } from './vite-server.ts'

/** An app whose key is in a file, as in most projects. */
async function jobWith(files: Files = {}): Promise<Job> {
  const main = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.prompt1.slug)\n`
  const env = `PROMPTS_API_KEY=${LOCAL_KEYS.live}\n`
  return jobIn(await newApp({ 'main.js': main, '.env.local': env, ...files }, numberedLock(2)))
}

test('Vite does not build or start with prefixes that publish the key', async () => {
  const job = await jobWith()
  const envPrefix = ['VITE_', 'P']
  const built = buildVite(await viteConfig(job, { envPrefix }))
  await expect(built).rejects.toThrow('[PREFIX_PUBLISHES_KEY]')
  await expect(devServer(job.root, {}, { envPrefix })).rejects.toThrow('[PREFIX_PUBLISHES_KEY]')
  expect(existsSync(job.outDir)).toBe(false)
})

test('Rsbuild does not build with prefixes of loadEnv that publish a key or secret', async () => {
  const create = async (job: Job, prefixes: string[]): Promise<void> => {
    const loadEnv = { cwd: job.root, prefixes }
    await buildRsbuild({ cwd: job.root, loadEnv, config: await rsbuildConfig(job) })
  }
  const job = await jobWith()
  await expect(create(job, ['PUBLIC_', 'PROMPTS_'])).rejects.toThrow('PREFIX_PUBLISHES_KEY')
  await create(job, ['PROMPTS_PUBLIC_'])
  const service = `{ name: 'Own', secrets: ['OWN_SECRET'], list: () => [], get: () => null }`
  const own = await jobWith({
    'prompts.config.mjs': `export default { service: ${service} }`,
    '.env.local': 'OWN_SECRET=Canary0123456789',
  })
  await expect(create(own, ['OWN_'])).rejects.toThrow('PREFIX_PUBLISHES_KEY')
})
