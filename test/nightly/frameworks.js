// Frameworks from the registry, with Node 22: packs this package, sets apps up with `prompts init` and
// the setups of src/docs/setup, and checks dev server, live update, build, types, bundles and
// the guard. Prints a table; exits with 1 unless every cell is "yes" or a reason that is known. The
// newest packages of the registry are tried too, and only reported.
//
// node test/nightly/frameworks.js [nuxt|astro|…|nuxt@newest…], after npm run build.
// FRAMEWORKS_FOLDER keeps the installed apps there for the next run.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { clear, install, installNode, MANIFEST, versionIn, write } from './apps/files.js'
import { withApps } from './apps/folders.js'
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

const ALL = {
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
// The newest of an older major version is the newest of the other one.
const NEWEST = Object.fromEntries(
  Object.entries(ALL)
    .filter(([, app]) => app !== sveltekit2)
    .map(([name, app]) => [`${name}@newest`, newest(app)]),
)
const all = { ...ALL, ...NEWEST }
const [...asked] = process.argv.slice(2)
const frameworks = asked.length > 0 ? asked.map((name) => all[name]) : Object.values(all)

const variables = { NUXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }

/**
 * The same app with the newest versions that the registry serves. TypeScript stays: the frameworks'
 * own checkers, such as vue-tsc, refuse a version that is newer than they are.
 */
function newest(app) {
  const packages = app.packages.map((each) =>
    each.startsWith('typescript@') ? each : each.replace(/(?!^)@[^@/]*$/, '@latest'),
  )
  const isCanary = true
  return { ...app, name: `${app.name}, newest`, folder: `${app.folder}-newest`, packages, isCanary }
}

const MANIFESTS = { 'package.json': MANIFEST }

/** The folder of a framework's app, without files but with packages. Apps share it by `folder`. */
async function prepare({ folder: name, packages, manifests = MANIFESTS, isCanary }, context) {
  const root = join(context.folder, name)
  if (!existsSync(join(root, 'node_modules'))) write(root, manifests)
  // The newest packages of one framework may disagree for some days after a release.
  const flags = isCanary ? ['--force'] : []
  await install(root, [...flags, ...packages, context.archive], variables)
  clear(root)
  const { 'package.json': _, ...others } = manifests
  write(root, others)
  return root
}

async function check(framework, context) {
  const { name, versionOf, setup, reasons = {}, app: place = '.', isCanary } = framework
  const installed = await prepare(framework, context)
  const root = join(installed, place)
  const lock = join(root, 'prompts.lock.json')
  writeFileSync(lock, context.locks.old)
  const documented = readmeSetups().find(({ name: page }) => page === setup)?.files
  const app = { ...framework, ...context, variables, root, lock, documented }
  const cells = {}
  for (const [cell, step] of Object.entries({ ...steps, ...framework.steps })) {
    cells[cell] = reasons[cell] ?? (await step(app).catch((error) => failure(error, name, cell)))
    console.log(`${name}, ${cell}: ${cells[cell]}`)
    if (cell === 'live update' || !cells.dev?.startsWith('yes')) await app.server?.stop()
  }
  const isFine = Object.entries(cells).every(
    ([cell, text]) => text.startsWith('yes') || text === reasons[cell],
  )
  return { name: `${name} ${versionIn(installed, versionOf)}`, cells, isFine: isFine || isCanary }
}

function notInstalled({ name, isCanary = false }) {
  return (error) => ({ name, cells: { init: failure(error, name, 'install') }, isFine: isCanary })
}

function failure({ message }, name, cell) {
  console.error(`${name}, ${cell}: ${message}`)
  const line = message.split('\n').find((each) => !each.startsWith('npm warn'))
  return `no: ${line.slice(0, 60)}`
}

const rows = []
await withApps(async (context) => {
  variables.PATH = `${dirname(await installNode(context.folder, NODE))}:${process.env.PATH}`
  for (const framework of frameworks) {
    rows.push(await check(framework, context).catch(notInstalled(framework)))
  }
})
console.table(Object.fromEntries(rows.map(({ name, cells }) => [name, cells])))
if (rows.some(({ isFine }) => !isFine)) process.exitCode = 1
