// Next from the registry with `unplugin-prompts/next`, in Turbopack and in webpack mode: packs this
// package, follows src/docs/setup/next.md in a scaffolded app, and checks dev
// server, live update, errors, build, types, lint, bundles, the guard, and apps of other shapes.
// Prints a table; exits with 1 when something is wrong.
//
// node test/nightly/next.js [version…], after npm run build. NEXT_MODES=turbopack leaves webpack out.
// FRAMEWORKS_FOLDER keeps the installed versions there for the next run.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { clear, install, versionIn, write } from './apps/files.js'
import { withApps } from './apps/folders.js'
import { areFine, cellsOf, failure } from './apps/results.js'
import { succeed } from './apps/run.js'
import { WRONG } from './apps/sources.js'
import { appFiles, LAZY_PAGE } from './next/app.js'
import { checks } from './next/checks.js'
import { shapes } from './next/shapes.js'

const { NEXT_MODES = 'turbopack,webpack' } = process.env
const asked = process.argv.slice(2)
const VERSIONS = asked.length > 0 ? asked : ['16.4.6', '15.5.29']
const SETUP = readmeSetups().find(({ name }) => name === 'next')

const FLAGS = ['--ts', '--eslint', '--app', '--no-src-dir', '--no-tailwind', '--no-react-compiler']
const QUIET = ['--skip-install', '--disable-git', '--use-npm', '--yes']

const rows = {}
await withApps(async ({ folder, archive, locks }) => {
  for (const version of VERSIONS) {
    try {
      const place = await prepare(folder, version, archive)
      for (const mode of NEXT_MODES.split(',')) await check({ ...place, version, mode, locks })
    } catch (error) {
      rows[version] = { install: failure(`next ${version}`, error) }
      process.exitCode = 1
    }
  }
})
console.table(rows)

/** Installs a version of Next and this package in an app of `create-next-app`. */
async function prepare(folder, version, archive) {
  const scaffolded = await scaffold(folder, version)
  const root = join(folder, `next-${version}`)
  const { dependencies, devDependencies } = JSON.parse(scaffolded['package.json'])
  const packages = { ...dependencies, ...devDependencies }
  for (const name of ['next', 'eslint-config-next']) packages[name] = version
  // Not released with every version of Next.
  const minor = version.replace(/\.\d+$/, '')
  for (const name of ['@next/mdx', '@next/bundle-analyzer']) packages[name] = minor
  const others = ['@mdx-js/loader@3', '@mdx-js/react@3', '@types/mdx@2', archive]
  const specifiers = Object.entries(packages).map(([name, range]) => `${name}@${range}`)
  await install(root, [...specifiers, ...others])
  return { root, scaffolded }
}

/** The files that `create-next-app` of this major version writes and the app keeps. */
async function scaffold(folder, version) {
  const name = `template-${version}`
  if (!existsSync(join(folder, name))) {
    const [tag] = /^(\d+|\w+)/.exec(version)
    await succeed(folder, ['npx', '-y', `create-next-app@${tag}`, name, ...FLAGS, ...QUIET])
  }
  const kept = ['package.json', 'tsconfig.json', 'eslint.config.mjs']
  const read = (file) => [file, readFileSync(join(folder, name, file), 'utf8')]
  return Object.fromEntries(kept.map(read))
}

async function check({ root, scaffolded, version, mode, locks }) {
  clear(root)
  const { 'package.json': _, ...settings } = scaffolded
  const major = Number.parseInt(versionIn(root, 'next'), 10)
  // What Next uses without a flag: webpack up to 15, Turbopack from 16 on.
  const isDefault = (mode === 'turbopack') === major >= 16
  const flags = isDefault ? [] : [`--${mode}`]
  const app = {
    root,
    major,
    locks,
    lock: join(root, 'prompts.lock.json'),
    files: { ...appFiles(major), ...SETUP.files, ...settings },
    paths: ['/api/prompt', '/', '/old'],
    rendered: '/triage',
    dev: (port) => ['npx', 'next', 'dev', ...flags, '--port', port],
    build: ['npx', 'next', 'build', ...flags],
    run: (port) => ['npx', 'next', 'start', '--port', port],
    output: { server: '.next/server', client: '.next/static' },
    // Turbopack builds were a beta in Next 15, and kept code that nothing uses.
    keepsUnused: mode === 'turbopack' && major < 16,
    wrong: { 'app/wrong.ts': WRONG },
    types: ['npx', 'tsc', '--noEmit'],
    client: { 'app/client/page.tsx': LAZY_PAGE },
  }
  write(root, app.files)
  const steps = { ...checks, ...(isDefault && shapes) }
  const cells = await cellsOf(`next ${version}, ${mode}`, steps, app)
  rows[`${versionIn(root, 'next')}, ${mode}`] = cells
  if (!areFine(cells)) process.exitCode = 1
}
