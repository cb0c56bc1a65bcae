import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, readCode, runBundle, writeApp } from './app.ts'
import { buildRsbuild, buildVite } from './bundlers.ts'
import { type Job, jobIn, rsbuildConfig, viteConfig } from './configs.ts'
import { devServer } from './vite-server.ts'

const MAIN = `import { prompts } from 'virtual:prompts'
console.log(JSON.stringify([prompts.prompt1.slug, import.meta.env]))
`

/** An app whose key is in a file, as in most projects. */
async function jobWith(): Promise<Job> {
  const root = await temporaryFolder()
  const env = `PROMPTS_API_KEY=${LOCAL_KEYS.live}\nPROMPTS_PUBLIC_NAME=shop\n`
  await writeApp(root, { 'main.js': MAIN, '.env.local': env }, numberedLock(2))
  return jobIn(root, { minify: false })
}

async function build(job: Job, envPrefix: string | string[]): Promise<unknown> {
  return buildVite(await viteConfig(job, { envPrefix }))
}

describe('Vite', () => {
  test('does not build or start with prefixes that publish the key', async () => {
    const job = await jobWith()
    const envPrefix = ['VITE_', 'P']
    await expect(build(job, envPrefix)).rejects.toThrow('[PREFIX_PUBLISHES_KEY]')
    const starting = devServer(job.root, {}, { envPrefix })
    await expect(starting).rejects.toThrow('[PREFIX_PUBLISHES_KEY]')
    expect(existsSync(job.outDir)).toBe(false)
  })

  test('accepts a prefix that excludes the key, and publishes no key', async () => {
    const job = await jobWith()
    await build(job, 'PROMPTS_PUBLIC_')
    const [, env] = (await runBundle(join(job.outDir, 'main.mjs'))) as [string, object]
    expect(env).toMatchObject({ PROMPTS_PUBLIC_NAME: 'shop' })
    expect(await readCode(job.outDir)).not.toContain(LOCAL_KEYS.live)
  })
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
