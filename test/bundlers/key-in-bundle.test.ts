import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, readCode, writeApp } from './app.ts'
import { type BundlerName, BUNDLERS } from './bundlers.ts'
import { type Job, viteConfig } from './configs.ts'

const KEY = 'svc_live_Canary0123456789'
const IMPORT = `import { prompts } from 'virtual:prompts'\n`

async function jobWith(main: string, files: Readonly<Record<string, string>> = {}): Promise<Job> {
  const root = await temporaryFolder()
  await writeApp(root, { 'main.js': IMPORT + main, ...files }, numberedLock(2))
  const job = { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: true }
  return { ...job, options: { apiKey: KEY } }
}

const LEAK = `import { key } from './key.js'\nconsole.log(prompts.prompt1.slug, key)\n`
const LEAKED = { 'key.js': `export const key = '${KEY}'\n` }

/** What Farm and Bun give out is not looked at. */
const TOLD = (Object.keys(BUNDLERS) as BundlerName[]).filter(
  (name) => name !== 'Farm' && name !== 'Bun',
)

describe.each(TOLD)('%s', (bundler) => {
  test('gives out no code that holds the key', async () => {
    const job = await jobWith(LEAK, LEAKED)
    await expect(BUNDLERS[bundler](job)).rejects.toThrow('KEY_IN_BUNDLE')
    // esbuild tells when its files are written.
    if (bundler === 'esbuild' || !existsSync(job.outDir)) return
    expect(await readCode(job.outDir)).not.toContain(KEY)
  })

  test('builds where the key is another one, and where there is none', async () => {
    const job = await jobWith(LEAK, LEAKED)
    for (const options of [{ apiKey: `${KEY}0` }, {}])
      // oxlint-disable-next-line no-await-in-loop -- into one folder
      await BUNDLERS[bundler]({ ...job, options })
    expect(await readCode(job.outDir)).toContain(KEY)
  })
})

describe('Vite', () => {
  test.each([
    ['the environment defined as a whole', { define: { 'process.env': { PROMPTS_API_KEY: KEY } } }],
    ['a constant', { define: { KEY_OF_THE_SERVICE: JSON.stringify(KEY) } }],
  ])('gives out no code with the key in %s', async (_, config) => {
    const job = await jobWith(
      `console.log(prompts.prompt1.slug, ${'KEY_OF_THE_SERVICE' in config.define ? 'KEY_OF_THE_SERVICE' : 'process.env'})\n`,
    )
    const { build } = await import('vite')
    await expect(build(await viteConfig(job, config))).rejects.toThrow('main.mjs of this build')
  })

  test('gives out no page that holds it', async () => {
    const page = `<!doctype html><p>${KEY}</p><script type="module" src="/main.js"></script>\n`
    const job = await jobWith('console.log(prompts.prompt1.slug)\n', { 'index.html': page })
    const { build } = await import('vite')
    const config = await viteConfig({ ...job, entries: { index: 'index.html' } })
    await expect(build(config)).rejects.toThrow('index.html of this build')
  })
})
