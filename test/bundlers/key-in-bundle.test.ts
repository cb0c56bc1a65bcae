import { existsSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import type { Plugin } from 'vite'
import { CONFIG as CUSTOM_SERVICE, UNCALLED } from '../helpers/custom-service.ts'
import { newApp, numberedLock, readCode } from './app.ts'
import { type Build, buildVite, buildWith, BUNDLERS, ONE_EACH } from './bundlers.ts'
import { type Job, jobIn, viteConfig } from './configs.ts'

const KEY = 'svc_live_Canary0123456789'
const TEST_KEY = 'svc_test_Canary9876543210'
const IMPORT = `import { prompts } from 'virtual:prompts'\n`

async function jobWith(main: string, files: Readonly<Record<string, string>> = {}): Promise<Job> {
  const root = await newApp({ 'main.js': IMPORT + main, ...files }, numberedLock(2))
  return jobIn(root, { options: { apiKey: KEY } })
}

const LEAK = `import { key } from './key.js'\nconsole.log(prompts.prompt1.slug, key)\n`

/** Dropped from the code, comment and all; the source map still has it. */
const UNUSED = `console.log(prompts.prompt1.slug)\nfunction unused() { return '${KEY}' }\n`

describe.each(ONE_EACH)('%s', (bundler) => {
  const build = BUNDLERS[bundler]

  test('emits no code that contains a key, also of the view that it does not serve', async () => {
    const job = await jobWith(LEAK, {
      'key.js': `export const key = '${TEST_KEY}'\n`,
      '.env.local': `PROMPTS_API_KEY=${KEY}\nPROMPTS_TEST_API_KEY=${TEST_KEY}\n`,
    })
    await expect(build({ ...job, options: { environment: 'live' } })).rejects.toThrow(
      'KEY_IN_BUNDLE',
    )
    if (existsSync(job.outDir)) expect(await readCode(job.outDir)).not.toContain(TEST_KEY)
  })

  test('emits no source map that contains it', async () => {
    await expect(build(await jobWith(UNUSED))).rejects.toThrow('.map of this build')
  })
})

test.each(['esbuild', 'Vite client', 'webpack'] as const)(
  '%s emits no secret whose letters are escaped',
  async (bundler) => {
    const job = await jobWith(LEAK, {
      'key.js': `export const key = 'pässwörd-\\u043a'\n`,
      'prompts.config.mjs': CUSTOM_SERVICE,
      '.env.local': `OWN_KEY=pässwörd-к\n`,
    })
    await expect(BUNDLERS[bundler]({ ...job, options: {} })).rejects.toThrow('KEY_IN_BUNDLE')
  },
)

describe('Vite', () => {
  test('builds from a lock without the secrets of a custom service, and calls nothing of it', async () => {
    const job = await jobWith('console.log(prompts.prompt1.slug)\n', {
      'prompts.config.mjs': UNCALLED,
    })
    await BUNDLERS['Vite SSR']({ ...job, options: {} })
    expect(await readCode(job.outDir)).toContain('prompt-1')
  })

  /** A plugin that emits a file with the key, as Cloudflare's does for its preview. */
  const emitting = (fileName: string, name = 'vite-plugin-cloudflare:output-config'): Plugin => ({
    name,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: `PROMPTS_API_KEY='${KEY}'\n` })
    },
  })

  test("emits Cloudflare's copy of the local variables next to a Worker, with a warning", async () => {
    const job = await jobWith('console.log(prompts.prompt1.slug)\n')
    const { createLogger } = await import('vite')
    const customLogger = createLogger('silent')
    const warn = vi.spyOn(customLogger, 'warn')
    const plugins = [emitting('.dev.vars')]
    await buildVite(await viteConfig(job, { plugins, customLogger, build: { ssr: true } }))
    const said = warn.mock.calls.map(([message]) => message).join('\n')
    expect(said).toContain('.dev.vars')
    expect(said).toContain('CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV=false')
  })

  test.each([
    ['in public files', emitting('.dev.vars'), false],
    ['of another plugin', emitting('.dev.vars', 'other'), true],
    ['of another name', emitting('dev.vars'), true],
  ])('emits no such file %s', async (_, plugin, ssr) => {
    const job = await jobWith('console.log(prompts.prompt1.slug)\n')
    const config = await viteConfig(job, { plugins: [plugin], build: { ssr } })
    await expect(buildVite(config)).rejects.toThrow('KEY_IN_BUNDLE')
  })
})

const PAGE = {
  'page.html': `<!doctype html><p>${KEY}</p><script type="module" src="/main.js"></script>\n`,
}
const ASSET = `console.log(prompts.prompt1.slug, new URL('./page.html', import.meta.url).href)\n`

const PAGE_BUILDS: Readonly<Record<string, Build>> = {
  Vite: async (job) => buildVite(await viteConfig({ ...job, entries: { page: 'page.html' } })),
  webpack: BUNDLERS.webpack,
  Rspack: BUNDLERS.Rspack,
  esbuild: (job) =>
    buildWith(
      'esbuild',
      { ...job, entries: { ...job.entries, page: 'page.html' } },
      {
        loader: { '.html': 'copy' },
      },
    ),
}

test.each(Object.entries(PAGE_BUILDS))(
  '%s emits no page that contains the key',
  async (_, build) => {
    const job = await jobWith(ASSET, PAGE)
    await expect(build(job)).rejects.toThrow('.html of this build')
  },
)
