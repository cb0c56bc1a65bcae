// Whether the lowest versions that package.json states build an app: installs each bundler, and looks
// for the text of a used and of an unused prompt in its output. Vite 5 is refused. Build first.
import assert from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { makePrompts, writeLock } from '../bench/tools/prompts.js'
import { install, REPOSITORY, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'

const { peerDependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))

/** Builds `main.js` of a folder into `out`. */
const BUILDS = {
  vite: ({ build }, { root, entry, plugins }) =>
    build({
      root,
      configFile: false,
      // Vite 5 would still look for a configuration after it failed.
      css: { postcss: {} },
      plugins,
      build: { ssr: entry, outDir: 'out' },
    }),
  rollup: writeBundle,
  rolldown: writeBundle,
  esbuild: ({ build }, { entry, outdir, plugins }) =>
    build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', outdir, plugins }),
  webpack: ({ default: webpack }, app) => compile(webpack, app),
  '@rspack/core': ({ rspack }, app) => compile(rspack, app),
  async '@rsbuild/core'({ createRsbuild }, { root, entry, plugins }) {
    const output = { target: 'node', distPath: { root: 'out' } }
    const rsbuildConfig = { source: { entry: { main: entry } }, output, plugins }
    await (await createRsbuild({ cwd: root, rsbuildConfig })).build()
  },
}

async function writeBundle(bundler, { entry, outdir, plugins }) {
  const bundle = await (bundler.rollup ?? bundler.rolldown)({ input: entry, plugins })
  await bundle.write({ dir: outdir })
}

async function compile(bundler, { root, entry, outdir, plugins }) {
  const output = { path: outdir }
  const compiler = bundler({
    mode: 'production',
    target: 'node',
    context: root,
    entry,
    output,
    plugins,
  })
  const stats = await promisify((done) => compiler.run(done))()
  assert(!stats.hasErrors(), stats.toString())
}

for (const name of Object.keys(BUILDS)) {
  const version = peerDependencies[name].replace('>=', '')
  const code = await inFolder((root) => buildApp(root, name, version))
  assert(code.includes('# Prompt 1'), `${name} ${version} loses a prompt that is used`)
  assert(!code.includes('# Prompt 2'), `${name} ${version} ships a prompt that is not used`)
  console.log(`${name} ${version}: passed`)
}
const vite5 = inFolder((root) => buildApp(root, 'vite', '5'))
await assert.rejects(vite5, { code: 'BUNDLER_UNSUPPORTED' })

/** Builds an app with a bundler of that version, and returns its code. */
async function buildApp(root, name, version) {
  const [entry, outdir] = [join(root, 'main.js'), join(root, 'out')]
  await writeLock(join(root, 'prompts.lock.json'), makePrompts(3))
  write(root, {
    'main.js': `import { prompts } from 'virtual:prompts'\nconsole.log(prompts['billing-triage-00001'])\n`,
    'bundler.js': `export * as bundler from '${name}'\n`,
  })
  await install(root, [`${name}@${version}`])
  // Rollup has no other root.
  process.chdir(root)
  const { bundler } = await load(join(root, 'bundler.js'))
  const [entryPoint] = name.replace('@', '').split('/')
  const { default: prompts } = await load(join(REPOSITORY, `dist/${entryPoint}.js`))
  const plugins = [prompts({ pull: 'never' })].flat()
  await BUILDS[name](bundler, { root, entry, outdir, plugins })
  return readdirSync(outdir, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?js$/.test(file))
    .map((file) => readFileSync(join(outdir, file), 'utf8'))
    .join('\n')
}

function load(path) {
  return import(pathToFileURL(path).href)
}
