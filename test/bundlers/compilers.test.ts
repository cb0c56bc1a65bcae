import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, promptsIn, readCode, runBundle, writeApp } from './app.ts'
import { runCompiler } from './bundlers.ts'
import { esbuildConfig, type Job, rollupConfig, rspackConfig, webpackConfig } from './configs.ts'
import { localService } from './vite-server.ts'

/** Builds two jobs side by side, with one plugin that a single call of `prompts()` made. */
type BuildBoth = (client: Job, server: Job) => Promise<unknown>

const BUILDS: Readonly<Record<string, BuildBoth>> = {
  async webpack(client, server) {
    const { default: webpack } = await import('webpack')
    const { plugins = [], ...config } = await webpackConfig(client)
    const other = await webpackConfig(server)
    const compiler = webpack([
      { ...config, name: 'client', plugins },
      { ...other, name: 'server', plugins },
    ])
    await runCompiler(compiler as never)
  },
  async Rspack(client, server) {
    const { rspack } = await import('@rspack/core')
    const { plugins = [], ...config } = await rspackConfig(client)
    const other = await rspackConfig(server)
    const compiler = rspack([
      { ...config, name: 'client', plugins },
      { ...other, name: 'server', plugins },
    ])
    await runCompiler(compiler as never)
  },
  async esbuild(client, server) {
    const { build } = await import('esbuild')
    const { plugins = [], ...config } = await esbuildConfig(client)
    const other = await esbuildConfig(server)
    await Promise.all([build({ ...config, plugins }), build({ ...other, plugins })])
  },
  async Rollup(client, server) {
    const { rollup } = await import('rollup')
    const { plugins = [], ...config } = await rollupConfig(client)
    const other = await rollupConfig(server)
    await Promise.all(
      [config, other].map(async (each) => {
        const bundle = await rollup({ ...each, plugins })
        await bundle.write(each.output)
      }),
    )
  },
}

test.each(Object.entries(BUILDS))(
  'two compilers of %s with one plugin pull once, and ship what each uses',
  async (_, buildBoth) => {
    const root = await temporaryFolder()
    const code = (name: string): string =>
      `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.${name}.slug))\n`
    await writeApp(root, { 'client.js': code('prompt1'), 'server.js': code('prompt2') })
    const { service, options } = await localService(numberedLock(3))
    const job = (name: string): Job => ({
      root,
      outDir: join(root, name),
      entries: { [name]: `${name}.js` },
      minify: true,
      options: { ...options, pull: 'always', lock: join(root, 'prompts.lock.json'), dts: false },
    })
    await buildBoth(job('client'), job('server'))
    expect(service.requests.filter(({ path }) => path === '/api/v1/prompts/prompt-1')).toHaveLength(
      1,
    )
    for (const [name, number] of Object.entries({ client: 1, server: 2 })) {
      expect(await runBundle(join(root, name, `${name}.mjs`))).toBe(`prompt-${number}`)
      expect(promptsIn(await readCode(join(root, name)))).toEqual([number])
    }
  },
)
