// Builds the app with one used prompt of 100 for each bundler; `size-limit` then weighs the bundles.
// Its limit in package.json: 2,044 bytes of the prompt's text, 250 in addition, 700 once for the
// runtime, and 42 for the app's own call.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../nightly/apps/files.js'
import { buildApp, BUNDLERS, bundleOf } from './tools/builds.js'
import { identifierOf, makePrompts, writeLock } from './tools/prompts.js'
import { inWorkspace } from './tools/workspace.js'

/** The path in package.json's `size-limit`. */
const OUT = join(REPOSITORY, 'node_modules/.cache/unplugin-prompts/size')

await inWorkspace(async (work) => {
  const root = await work.app('size')
  const prompts = makePrompts(100)
  await writeLock(join(root, 'prompts.lock.json'), prompts)
  const call = `console.log(prompts.${identifierOf(prompts[40].slug)}.render(globalThis.values))\n`
  await writeFile(join(root, 'src/main.js'), `import { prompts } from 'virtual:prompts'\n${call}`)
  await mkdir(OUT, { recursive: true })
  for (const bundler of BUNDLERS) {
    await buildApp(work, { bundler, plugin: 'prompts', root })
    await cp(bundleOf(root, bundler), join(OUT, `${bundler}.js`))
  }
})
