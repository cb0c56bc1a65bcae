// Next from the registry with `unplugin-prompts/next`, in Turbopack and in webpack mode: packs this
// package, follows the setup "Next 16" of src/plugin/README.md in an app, and checks dev server, live
// update, errors, build, types and bundles.
//
// node test/nightly/next.js [version…], after npm run build; exits with 1 when something is wrong.
// NEXT_MODES=turbopack leaves webpack out.
import assert from 'node:assert'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { appFiles, CLIENT_PAGE, WRONG } from './next/app.js'
import { lockOf } from './next/lock.js'
import { run, serve, succeed } from './next/run.js'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const { NEXT_MODES = 'turbopack,webpack' } = process.env
const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['16.4.6', '15.5.29']

const KEY = 'svc_live_ofTheNightlyTest42'
/** The only prompt that the app uses. */
const USED = 'support-triage'
const SETUP = readmeSetups().find(({ title }) => title === 'Next 16')

const folder = mkdtempSync(join(tmpdir(), 'prompts-next-'))
try {
  const locks = { old: await lockOf('v22', folder), new: await lockOf('v23', folder) }
  for (const version of VERSIONS) {
    const root = await install(version)
    for (const mode of NEXT_MODES.split(',')) await check({ root, version, mode, locks })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Installs a version of Next and this package, packed as it would be published. */
async function install(version) {
  const root = join(folder, `next-${version}`)
  mkdirSync(root)
  const pack = ['npm', 'pack', '--json', '--pack-destination', root]
  const { output } = await succeed(REPOSITORY, pack)
  const [{ filename }] = JSON.parse(/^\[[^]*^\]/m.exec(output)[0])
  write(root, { 'package.json': '{ "private": true, "type": "module" }' })
  const packages = [`next@${version}`, 'react@19', 'react-dom@19', join(root, filename)]
  const types = ['typescript@5.9.3', '@types/react@19', '@types/node@20']
  await succeed(root, ['npm', 'install', '--no-audit', '--no-fund', ...packages, ...types])
  return root
}

async function check({ root, version, mode, locks }) {
  const major = Number.parseInt(version, 10)
  // What Next uses without a flag: webpack up to 15, Turbopack from 16 on.
  const isDefault = (mode === 'turbopack') === major >= 16
  const app = {
    root,
    mode,
    major,
    flags: isDefault ? [] : [`--${mode}`],
    lock: join(root, 'prompts.lock.json'),
  }
  for (const name of [
    'app',
    'pages',
    'prompts.d.ts',
    '.next',
    'prompts.lock.json',
    'prompts.config.json',
  ]) {
    rmSync(join(root, name), { recursive: true, force: true })
  }
  write(root, { ...appFiles(major), ...SETUP.files })
  await checkMissing(app)
  writeFileSync(app.lock, locks.old)
  const dev = await checkDev(app, locks)
  writeFileSync(app.lock, locks.old)
  const warm = await checkWarm(app)
  const build = await checkBuild(app)
  await checkTypes(app)
  await checkGuard(app)
  const times = { ...dev, warm, build }
  const shown = Object.entries(times).map(([name, time]) => `${name} ${time.toFixed(1)} s`)
  console.log(`next ${version}, ${mode}: ${shown.join(', ')}`)
}

/** Only compiling fails without a lock, with its code. */
async function checkMissing({ root, flags }) {
  await succeed(root, ['npx', 'next', 'typegen'])
  const { code, output } = await run(root, ['npx', 'next', 'build', ...flags])
  assert.notEqual(code, 0, output)
  assert.match(output, /LOCK_MISSING/)
}

async function checkDev({ root, flags, lock }, locks) {
  const server = serve(root, ['dev', ...flags])
  try {
    const first = await server.ask('/api/prompt', has('v22'))
    for (const path of ['/', '/old']) await server.ask(path, has('v22'))
    writeFileSync(lock, locks.new)
    const update = await server.ask('/api/prompt', has('v23'))
    for (const path of ['/', '/old']) await server.ask(path, has('v23'))
    const { header } = await server.ask('/api/prompt', ({ header: found }) => found === 'v23')
    assert.equal(header, 'v23')
    writeFileSync(lock, locks.new.slice(0, 300))
    await server.ask('/api/prompt', ({ status }) => status === 500)
    assert.match(server.output.join(''), /LOCK_SYNTAX/)
    writeFileSync(lock, locks.old)
    const healed = await server.ask('/api/prompt', has('v22'))
    return { first: first.seconds, update: update.seconds, healed: healed.seconds }
  } finally {
    await server.stop()
  }
}

/** A dev server that starts on a cache from before the lock changed. */
async function checkWarm({ root, flags }) {
  const server = serve(root, ['dev', ...flags])
  try {
    return (await server.ask('/api/prompt', has('v22'))).seconds
  } finally {
    await server.stop()
  }
}

async function checkBuild({ root, mode, major, flags }) {
  const { seconds } = await succeed(root, ['npx', 'next', 'build', ...flags], {
    PROMPTS_API_KEY: KEY,
  })
  const server = serve(root, ['start'])
  try {
    for (const path of ['/', '/old', '/api/prompt']) await server.ask(path, has('v22'))
    await server.ask('/triage', ({ text }) => text.includes('It beeps'))
  } finally {
    await server.stop()
  }
  const [client, code] = [scriptsIn(root, '.next/static'), scriptsIn(root, '.next/server')]
  assert(client.includes('pressed'), 'the code for browsers was not found')
  for (const { slug, part } of pinned(root)) {
    // Turbopack builds were a beta in Next 15, and kept code that the server does not use.
    const isKept = slug === USED || (mode === 'turbopack' && major < 16)
    assert.equal(code.includes(part), isKept, `${slug} in code for the server`)
    assert(!client.includes(part), `${slug} is in code for browsers`)
  }
  assert(!(client + code).includes(KEY), 'the key is in the code')
  return seconds
}

/** TypeScript finds the declarations, and a variable that a prompt does not have. */
async function checkTypes({ root }) {
  write(root, { 'app/wrong.ts': WRONG })
  const { output } = await run(root, ['npx', 'tsc', '--noEmit'])
  const errors = output.split('\n').filter((line) => line.includes('error TS'))
  assert.equal(errors.length, 1, output)
  assert.match(errors[0], /^app\/wrong\.ts.*tickets/)
  rmSync(join(root, 'app/wrong.ts'))
}

async function checkGuard({ root, flags }) {
  write(root, {
    'app/client/page.tsx': CLIENT_PAGE,
    'prompts.config.json': '{ "client": "error" }',
  })
  const { code, output } = await run(root, ['npx', 'next', 'build', ...flags])
  assert.notEqual(code, 0, output)
  assert.match(output, /PROMPTS_IN_CLIENT/)
}

/** Whether a page shows a version of the prompt. */
function has(version) {
  return ({ status, text }) => status === 200 && text.includes(version)
}

function scriptsIn(root, place) {
  const names = readdirSync(join(root, place), { recursive: true })
  const scripts = names.filter((name) => name.endsWith('.js'))
  return scripts.map((name) => readFileSync(join(root, place, name), 'utf8')).join('\n')
}

/** Each prompt of the lock, with a part of its text that has neither tokens nor line ends. */
function pinned(root) {
  const { prompts } = JSON.parse(readFileSync(join(root, 'prompts.lock.json'), 'utf8'))
  return prompts.map(({ slug, system }) => ({ slug, part: longestPart(system.join('')) }))
}

function longestPart(text) {
  return text.split(/["'\n]|\{\{.*?\}\}/).toSorted((a, b) => b.length - a.length)[0]
}

function write(place, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
}
