// Nuxt and Astro from the registry, with Node 22: packs this package, sets apps up with `prompts init`
// and the setups of src/plugin/README.md, and checks dev server, live update, build, types, bundles and
// the guard. Prints a table; exits with 1 unless every cell is "yes".
//
// node test/nightly/frameworks.js [nuxt|astro|astro-server…], after npm run build.
import assert from 'node:assert'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { astro, astroServer } from './frameworks/astro.js'
import { nuxt } from './frameworks/nuxt.js'
import { lockOf } from './next/lock.js'
import { run, serveCommand, succeed } from './next/run.js'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const BINARY = join(REPOSITORY, 'dist/cli.js')
const NODE = '22.23.3'
const KEY = 'svc_live_ofTheNightlyTest42'
/** The only prompt that the apps use. */
const USED = 'support-triage'

const ALL = { nuxt, astro, 'astro-server': astroServer }
const [...asked] = process.argv.slice(2)
const frameworks = asked.length > 0 ? asked.map((name) => ALL[name]) : Object.values(ALL)

const folder = mkdtempSync(join(tmpdir(), 'prompts-frameworks-'))
const locks = {}
const variables = { NUXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
async function installNode() {
  write(folder, { 'package.json': '{ "private": true }' })
  const name = `node-${process.platform}-${process.arch}`
  await succeed(folder, ['npm', 'install', '--no-audit', '--no-fund', `${name}@${NODE}`])
  return join(folder, 'node_modules', name, 'bin/node')
}

async function pack() {
  const { output } = await succeed(REPOSITORY, [
    'npm',
    'pack',
    '--json',
    '--pack-destination',
    folder,
  ])
  const [{ filename }] = JSON.parse(/^\[[^]*^\]/m.exec(output)[0])
  return join(folder, filename)
}

/** The folder of a framework's app. Apps with the same packages share it. */
async function install({ versionOf, packages }, archive) {
  const root = join(folder, versionOf)
  if (existsSync(root)) return root
  write(root, { 'package.json': '{ "private": true, "type": "module" }' })
  const args = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--save-exact']
  await succeed(root, ['npm', 'install', ...args, ...packages, archive], variables)
  return root
}

async function check(framework, archive) {
  const { name, versionOf, setup, files } = framework
  const root = await install(framework, archive)
  for (const place of ['prompts.config.json', 'prompts.d.ts'])
    rmSync(join(root, place), { force: true })
  const app = { ...framework, root, lock: join(root, 'prompts.lock.json') }
  const cells = {}
  for (const [cell, step] of Object.entries(STEPS)) {
    cells[cell] = await step(app).catch((error) => {
      console.error(`${name}, ${cell}: ${error.message}`)
      return `no: ${error.message.split('\n')[0].slice(0, 60)}`
    })
    console.log(`${name}, ${cell}: ${cells[cell]}`)
    if (cell !== 'init') continue
    const { files: documented } = readmeSetups().find(({ title }) => title === setup)
    write(root, { ...documented, ...files })
    writeFileSync(app.lock, locks.old)
  }
  return { name: `${name} ${versionIn(root, versionOf)}`, cells }
}

/** Each gives "yes", some with seconds, or throws. */
const STEPS = {
  async init({ root, config: { name, before, entry } }) {
    write(root, { [name]: before })
    await succeed(root, ['node', BINARY, 'init', '-y'], variables)
    assert(readFileSync(join(root, name), 'utf8').includes(entry), `${name} has no ${entry}`)
    return 'yes'
  },

  async dev(app) {
    app.server = serveCommand(app.root, app.dev, variables)
    const { seconds } = await app.server.ask(app.paths[0], has('v22'))
    for (const path of app.paths) await app.server.ask(path, has('v22'))
    await app.server.ask(app.page, ({ status, text }) => status === 200 && text.includes('<html'))
    return yesIn(seconds)
  },

  async 'live update'({ server, lock, paths }) {
    try {
      writeFileSync(lock, locks.new)
      const { seconds } = await server.ask(paths[0], has('v23'))
      for (const path of paths) await server.ask(path, has('v23'))
      writeFileSync(lock, locks.old)
      for (const path of paths) await server.ask(path, has('v22'))
      return yesIn(seconds)
    } finally {
      await server.stop()
      writeFileSync(lock, locks.old)
    }
  },

  async build({ root, build }) {
    const { seconds } = await succeed(root, build, { ...variables, PROMPTS_API_KEY: KEY })
    return yesIn(seconds)
  },

  async run({ root, run: command, paths, rendered }) {
    const server = serveCommand(root, command, { ...variables, HOST: '127.0.0.1' })
    try {
      for (const path of paths) await server.ask(path, has('v22'))
      await server.ask(rendered, ({ text }) => text.includes('It beeps'))
    } finally {
      await server.stop()
    }
    return 'yes'
  },

  async types({ root, types, wrong }) {
    const right = await run(root, types, variables)
    assert.equal(right.code, 0, right.output)
    write(root, wrong)
    const { output } = await run(root, types, variables)
    for (const file of Object.keys(wrong)) rmSync(join(root, file))
    const errors = output.split('\n').filter((line) => /error.*tickets/.test(line))
    assert.deepEqual(errors.length, Object.keys(wrong).length, output)
    return 'yes'
  },

  async 'unused dropped'({ root, output: { server, client } }) {
    const browser = scriptsIn(join(root, client))
    assert(browser.includes('pressed'), 'the code for browsers was not found')
    const code = server === undefined ? undefined : scriptsIn(join(root, server))
    for (const { slug, part } of pinned()) {
      assert(!browser.includes(part), `${slug} is in code for browsers`)
      if (code === undefined) continue
      assert.equal(code.includes(part), slug === USED, `${slug} in code for the server`)
    }
    assert(!`${browser}${code}`.includes(KEY), 'the key is in the code')
    return 'yes'
  },

  async guard({ root, build, client }) {
    write(root, { ...client, 'prompts.config.json': '{ "client": "error" }' })
    const { code, output } = await run(root, build, variables)
    assert.notEqual(code, 0, output)
    assert.match(output, /PROMPTS_IN_CLIENT/)
    return 'yes'
  },
}

function yesIn(seconds) {
  return `yes, ${seconds.toFixed(1)} s`
}

/** Whether an answer shows a version of the prompt. */
function has(version) {
  return ({ status, text }) => status === 200 && text.includes(version)
}

/** Code, and not what a page contains. */
function scriptsIn(place) {
  const names = readdirSync(place, { recursive: true }).filter((name) => /\.m?js$/.test(name))
  const pages = readdirSync(place, { recursive: true }).filter((name) => name.endsWith('.html'))
  const inline = pages.flatMap((name) =>
    [...readFileSync(join(place, name), 'utf8').matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(
      ([, text]) => text,
    ),
  )
  return [...names.map((name) => readFileSync(join(place, name), 'utf8')), ...inline].join('\n')
}

/** Each prompt of the lock, with a part of its text that has neither tokens nor quotes. */
function pinned() {
  return JSON.parse(locks.old).prompts.map(({ slug, system }) => {
    const parts = system.join('').split(/["'`\n]|\{\{.*?\}\}/)
    return { slug, part: parts.toSorted((a, b) => b.length - a.length)[0] }
  })
}

function versionIn(root, name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
}

function write(place, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
}

const rows = []
try {
  const node = await installNode()
  variables.PATH = `${dirname(node)}:${process.env.PATH}`
  locks.old = await lockOf('v22', folder)
  locks.new = await lockOf('v23', folder)
  const archive = await pack()
  for (const framework of frameworks) rows.push(await check(framework, archive))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.table(Object.fromEntries(rows.map(({ name, cells }) => [name, cells])))
if (rows.some(({ cells }) => Object.values(cells).some((cell) => !cell.startsWith('yes')))) {
  process.exitCode = 1
}
