// The main job, from an empty folder to a running bundle: `npm start` in the project's root.
// Every step runs the command that a person would type, and shows it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { styleText } from 'node:util'

const playground = import.meta.dirname
/** The exit code of a pull that would break the app and can ask nobody. */
const NOT_WRITTEN = 3

/** The live version of one prompt in the workspace, up to its first use of `knowledge`. */
const REPLY = /(slug: support-reply[^]*?)live: v8([^]*?)v8:([^]*?)\{\{ knowledge \}\}/

const bundle = join(playground, 'dist', 'main.js')
const { resolve } = createRequire(import.meta.url)
const prompts = join(playground, '..', 'dist', 'cli.js')
const tsc = join(resolve('typescript-7/package.json'), '..', 'bin', 'tsc')
const vite = join(resolve('vite/package.json'), '..', 'bin', 'vite.js')

const {
  PROMPTS_API_KEY: _live,
  PROMPTS_TEST_API_KEY: _test,
  PROMPTS_BASE_URL: _address,
  ...plain
} = process.env
const offline = { ...plain, NODE_ENV: 'production' }

headline('1. Serve: a local prompt service answers from playground/workspace.yaml')
const service = await startService()
const online = {
  ...offline,
  PROMPTS_API_KEY: service.keys.live,
  PROMPTS_TEST_API_KEY: service.keys.test,
  PROMPTS_BASE_URL: service.url,
}

headline('2. Pull: 8 live and 3 staging versions become one lock and the types')
run('prompts pull', [prompts, 'pull'], online)

headline('3. Type-check, build with Vite, and run: the variables of a prompt are part of its type')
run('tsc', [tsc, '--noEmit'], offline)
run('vite build', [vite, 'build', '--logLevel', 'warn'], online)
const first = inspect()
run('node dist/main.js', [bundle], offline)

headline('4. In the service, support-reply v10 calls `knowledge` `facts` (v9 is its draft)')
await service.rename()
run('prompts pull', [prompts, 'pull'], online, NOT_WRITTEN)

headline('5. Take the updates that compile, and leave the others as pinned')
run('prompts pull --skip-breaking', [prompts, 'pull', '--skip-breaking'], online)

headline('6. Build again: the service is stopped, and there is no key')
service.stop()
run('vite build', [vite, 'build', '--logLevel', 'warn'], offline)
const second = inspect()
if (first.hash !== second.hash) throw new Error('The two bundles differ.')

const { size, used: shipped, pinned } = second
console.log(`The same ${size} bytes, with the ${shipped.length} of ${pinned} prompts that the app uses.
Try it: edit playground/workspace.yaml or playground/src/triage.ts, and run npm start again.`)

/**
 * Starts `prompts serve` on a free port and waits until it tells its address. It serves a copy of the
 * workspace, which changes later.
 */
async function startService() {
  show('prompts serve workspace.yaml --port 0 &')
  const folder = mkdtempSync(join(tmpdir(), 'prompts-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'workspace.yaml')
  cpSync(join(playground, 'workspace.yaml'), workspace)
  const args = [prompts, 'serve', workspace, '--port', '0', '--json']
  const child = spawn(process.execPath, args, {
    cwd: playground,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.on('exit', () => child.kill())
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url, keys } = JSON.parse(line)
  return {
    url,
    keys,
    stop: () => child.kill(),
    async rename() {
      const text = readFileSync(workspace, 'utf8')
      writeFileSync(workspace, text.replace(REPLY, '$1live: v10$2v10:$3{{ facts }}'))
      const headers = { authorization: `Bearer ${keys.live}` }
      let reply
      while (reply?.version !== 'v10') {
        await setTimeout(50)
        reply = await (await fetch(`${url}/api/v1/prompts/support-reply`, { headers })).json()
      }
    },
  }
}

/** Runs a command to its end, as in a job: it asks nobody. Another exit code ends the whole. */
function run(command, args, env, exitCode = 0) {
  show(command)
  const stdio = ['ignore', 'inherit', 'inherit']
  const { status } = spawnSync(process.execPath, args, { cwd: playground, env, stdio })
  if (status !== exitCode) process.exit(status || 1)
}

/** What the bundle is, and which of the pinned prompts are in it: each begins with its slug. */
function inspect() {
  const code = readFileSync(bundle)
  const lock = JSON.parse(readFileSync(join(playground, 'prompts.lock.json'), 'utf8'))
  const slugs = lock.prompts.map(({ slug }) => slug)
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const used = slugs.filter((slug) => code.includes(`(${JSON.stringify(slug)},`))
  return { hash, size: code.length, used, pinned: slugs.length }
}

function headline(text) {
  console.log(`\n${style('bold', text)}`)
}

function show(command) {
  console.log(style('dim', `$ ${command}`))
}

function style(format, text) {
  return process.stdout.isTTY ? styleText(format, text) : text
}
