// Next 16 with Turbopack, from the registry: packs this package, follows README's setup
// "Next 16 with Turbopack" in an empty folder, builds, starts, and reads the page.
//
// node test/nightly/next.js, after npm run build; exits with 1 when something is not as README says.
import assert from 'node:assert'
import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readmeSetups } from '../helpers/readme-setups.js'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const LOCK = join(REPOSITORY, 'playground/prompts.lock.json')
const KEY = 'svc_live_of-the-nightly-test'
const LAYOUT = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`
/** A client component beside the page, so that there is code of the app for the browser. */
const BUTTON = `'use client'
import { useState } from 'react'
export default function Button() {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>pressed {count} times</button>
}
`

const root = mkdtempSync(join(tmpdir(), 'prompts-next-'))
try {
  await check()
  console.log('Next with Turbopack: as README says')
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function check() {
  const { files, commands } = readmeSetups().find(({ title }) => title === 'Next 16 with Turbopack')
  const { name } = install()
  const manifest = { ...readJson('package.json'), ...JSON.parse(files['package.json']) }
  const page = files['app/page.jsx'].replace(
    'return <pre>{text}</pre>',
    'return <><pre>{text}</pre><Button /></>',
  )
  write({
    ...files,
    'package.json': JSON.stringify(manifest),
    'app/layout.jsx': LAYOUT,
    'app/button.jsx': BUTTON,
    'app/page.jsx': `import Button from './button'\n${page}`,
  })
  copyFileSync(LOCK, join(root, 'prompts.lock.json'))
  for (const command of commands) run(command)
  const { system } = pinned('support-triage')
  const html = await fetchPage()
  assert(html.includes('It beeps'), `the page does not hold the rendered prompt:\n${html}`)
  assert(html.includes(escaped(longestPart(system))), 'the page does not hold the system text')
  const client = clientCode()
  assert(client.includes('pressed'), 'the code for the browser was not found')
  for (const { slug, system: text } of pinned()) {
    const isThere = client.includes(slug) || client.includes(longestPart(text))
    assert(!isThere, `${slug} is in the code for the browser`)
  }
  assert(!client.includes(KEY), 'the key is in the code for the browser')
  console.log(
    `${name}: the prompt is on the page, and none of ${pinned().length} in ${client.length} characters of client code`,
  )
}

/** Installs Next and this package, packed as it would be published. */
function install() {
  const [{ filename }] = JSON.parse(
    sh('npm', ['pack', '--json', '--pack-destination', root], REPOSITORY),
  )
  write({ 'package.json': '{ "private": true }' })
  const packages = ['next@16', 'react@19', 'react-dom@19', join(root, filename)]
  sh('npm', ['install', '--no-audit', '--no-fund', ...packages], root)
  return { name: `next ${readJson('node_modules/next/package.json').version}` }
}

/** Builds with Turbopack, which Next 16 takes unless it is told otherwise. */
function run(command) {
  const [program, ...args] = command.split(' ')
  const output = sh(program, args, root)
  if (args[0] === 'next') assert(output.includes('Turbopack'), output)
}

function sh(program, args, cwd) {
  const env = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    PROMPTS_API_KEY: KEY,
    PROMPTS_BASE_URL: '',
  }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`)
  return stdout
}

async function fetchPage() {
  const next = join(root, 'node_modules/next/dist/bin/next')
  const port = 20_000 + (process.pid % 20_000)
  const server = spawn(process.execPath, [next, 'start', '--port', String(port)], {
    cwd: root,
    stdio: 'ignore',
  })
  try {
    for (let attempt = 0; attempt < 120; attempt++) {
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
      if (response?.ok) return await response.text()
      await delay(500)
    }
    throw new Error('next start gave no page')
  } finally {
    server.kill()
  }
}

function clientCode() {
  const folder = join(root, '.next/static')
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'))
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}

/** The texts of the lock, or of one prompt of it. */
function pinned(slug) {
  const prompts = JSON.parse(readFileSync(LOCK, 'utf8')).prompts
  const texts = prompts.map((prompt) => ({ slug: prompt.slug, system: prompt.system.join('') }))
  return slug === undefined ? texts : texts.find((prompt) => prompt.slug === slug)
}

/** The longest part of a text without tokens or line ends. */
function longestPart(text) {
  return text.split(/\n|\{\{.*?\}\}/).toSorted((a, b) => b.length - a.length)[0]
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;')
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function write(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
