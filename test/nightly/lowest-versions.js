// Whether the lowest versions that package.json states build the apps of the setup pages: installs each
// bundler, and looks for a used and for unused prompts in what the command of its page builds. Vite 5 is
// refused. Build first.
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { install, pinned, REPOSITORY, scriptsIn, write } from './apps/files.js'
import { withApps } from './apps/folders.js'
import { USED } from './apps/results.js'
import { run } from './apps/run.js'

const { peerDependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))

/** The package of each page, and the one with its command if that is another. */
const BUNDLERS = {
  vite: ['vite'],
  rollup: ['rollup'],
  rolldown: ['rolldown'],
  esbuild: ['esbuild'],
  webpack: ['webpack', 'webpack-cli@5'],
  rspack: ['@rspack/core', '@rspack/cli@1.0.0'],
  rsbuild: ['@rsbuild/core'],
}

await withApps(async ({ folder, archive, locks }) => {
  /** Builds the app of a page with a version of its bundler. */
  const build = async (page, version) => {
    const [name, ...tools] = BUNDLERS[page]
    const root = join(folder, `${page}-${version}`)
    const { files, commands } = readmeSetups().find((setup) => setup.name === page)
    const html = '<script type="module" src="/src/main.ts"></script>\n'
    write(root, { ...files, 'index.html': html, 'prompts.lock.json': locks.old })
    // npm itself would refuse Vite 5.
    await install(root, ['--force', `${name}@${version}`, ...tools, archive])
    return { root, ...(await run(root, commands.at(-1).split(' '))) }
  }
  for (const [page, [name]] of Object.entries(BUNDLERS)) {
    const version = peerDependencies[name].replace(/^>=| .*/g, '')
    const { root, code, output } = await build(page, version)
    assert.equal(code, 0, `${page} ${version}\n${output}`)
    const bundle = scriptsIn(join(root, 'dist'))
    for (const { slug, part } of pinned(locks.old))
      assert.equal(bundle.includes(part), slug === USED, `${slug} of ${page} ${version}`)
    console.log(`${page} ${version}: passed`)
  }
  assert.match((await build('vite', '5')).output, /BUNDLER_UNSUPPORTED/)
})
