// Builds an app with one bundler, as its users configure it, in a process of its own.
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const [bundler, plugin, root, dist] = process.argv.slice(2)
const entry = join(root, 'src/main.js')
const out = join(root, 'out', bundler)

const BUNDLERS = {
  async vite(plugins) {
    const { build } = await import('vite')
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins,
      build: {
        outDir: out,
        emptyOutDir: false,
        modulePreload: false,
        target: 'es2022',
        rolldownOptions: { input: entry, output: { entryFileNames: 'main.js' } },
      },
    })
  },
  async webpack(plugins) {
    const { default: webpack } = await import('webpack')
    const compiler = webpack({
      mode: 'production',
      context: root,
      entry,
      target: ['web', 'es2022'],
      output: { path: out, filename: 'main.js' },
      performance: false,
      plugins,
    })
    const stats = await new Promise((resolve, reject) => {
      compiler.run((error, done) => (error ? reject(error) : resolve(done)))
    })
    await new Promise((resolve) => {
      compiler.close(resolve)
    })
    if (stats.hasErrors()) throw new Error(stats.toString())
  },
  async esbuild(plugins) {
    const { build } = await import('esbuild')
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(out, 'main.js'),
      bundle: true,
      format: 'esm',
      minify: true,
      target: 'es2022',
      logLevel: 'error',
      plugins,
    })
  },
}

const PLUGINS = {
  none: () => [],
  /** Those of another package, which its app names. */
  own: async () => (await import(pathToFileURL(join(root, 'plugins.js')).href)).default,
  async prompts() {
    const { default: prompts } = await import(pathToFileURL(join(dist, `${bundler}.js`)).href)
    return [prompts({ client: 'allow' })]
  },
}

process.chdir(root)
await BUNDLERS[bundler](await PLUGINS[plugin]())
