// Frameworks from the registry, with Node 22: packs this package, sets apps up with `prompts init` and
// the setups of src/docs/setup, and checks dev server, live update, build, types, bundles and
// the guard. Prints a table; exits with 1 unless every cell is "yes" or a reason that is known.
//
// node test/nightly/frameworks.js [nuxt|astro|…], after npm run build.
// FRAMEWORKS_FOLDER keeps the installed apps there for the next run.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { clear, install, installNode, versionIn } from './apps/files.js'
import { withApps } from './apps/folders.js'
import { areFine, cellsOf, failure } from './apps/results.js'
import { WRONG } from './apps/sources.js'
import { astro, astroServer } from './frameworks/astro.js'
import { cloudflare, wrangler } from './frameworks/cloudflare.js'
import { nuxt } from './frameworks/nuxt.js'
import { reactRouter } from './frameworks/react-router.js'
import { steps } from './frameworks/steps.js'
import { storybook } from './frameworks/storybook.js'
import { sveltekit, sveltekit2 } from './frameworks/sveltekit.js'
import { tanstackStart } from './frameworks/tanstack-start.js'
import { vitest } from './frameworks/vitest.js'

const NODE = '22.23.3'

const all = {
  nuxt,
  astro,
  'astro-server': astroServer,
  sveltekit,
  'sveltekit-2': sveltekit2,
  'react-router': reactRouter,
  'tanstack-start': tanstackStart,
  cloudflare,
  wrangler,
  storybook,
  vitest,
}
const asked = process.argv.slice(2)

const variables = { NUXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }

/** What most apps have. */
const DEFAULTS = {
  /** Paths that show the version of the prompt, and one that shows its text. */
  paths: ['/api/prompt', '/'],
  rendered: '/api/prompt',
  page: '/__prompts/',
  /** The declarations refuse each of these files. */
  wrong: { 'src/wrong.ts': WRONG },
  types: ['npx', 'tsc'],
  variables,
}

/** The folder of a framework's app, without files but with packages. Apps share it by `folder`. */
async function prepare(folder, { packages }, context) {
  const root = join(context.folder, folder)
  await install(root, [...packages, context.archive], variables)
  clear(root)
  return root
}

async function check(key, context) {
  const { folder = key, versionOf = folder, ...framework } = all[key]
  const { name, setup, reasons } = framework
  const root = await prepare(folder, framework, context)
  const lock = join(root, 'prompts.lock.json')
  writeFileSync(lock, context.locks.old)
  const documented = readmeSetups().find(({ name: page }) => page === setup)?.files
  const app = { ...DEFAULTS, ...framework, ...context, root, lock, documented }
  const cells = await cellsOf(name, { ...steps, ...framework.steps }, app)
  return { name: `${name} ${versionIn(root, versionOf)}`, cells, isFine: areFine(cells, reasons) }
}

function notInstalled({ name }) {
  return (error) => ({ name, cells: { init: failure(name, error) }, isFine: false })
}

const rows = []
await withApps(async (context) => {
  variables.PATH = `${dirname(await installNode(context.folder, NODE))}:${process.env.PATH}`
  for (const key of asked.length > 0 ? asked : Object.keys(all)) {
    rows.push(await check(key, context).catch(notInstalled(all[key])))
  }
})
console.table(Object.fromEntries(rows.map(({ name, cells }) => [name, cells])))
if (rows.some(({ isFine }) => !isFine)) process.exitCode = 1
