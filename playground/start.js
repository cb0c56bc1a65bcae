// The main job, from an empty folder to a running bundle: `npm start` in the project's root.
// Every step runs the command that a person would type, and shows it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { styleText } from 'node:util'

const playground = import.meta.dirname
const bundle = join(playground, 'dist', 'main.js')
const { resolve } = createRequire(import.meta.url)
const prompts = join(playground, '..', 'dist', 'cli.js')
const tsc = resolve('typescript/bin/tsc')
const vite = join(resolve('vite/package.json'), '..', 'bin', 'vite.js')

const { PROMPTS_API_KEY: _key, PROMPTS_BASE_URL: _address, ...plain } = process.env
const offline = { ...plain, NODE_ENV: 'production' }

headline('1. A local prompt service answers from playground/workspace.yaml')
const service = await startService()
const online = { ...offline, PROMPTS_API_KEY: service.key, PROMPTS_BASE_URL: service.url }

headline('2. Pull: read every prompt over HTTP, write the lock and the types')
run('prompts pull', [prompts, 'pull'], online)

headline('3. Type-check: the variables of each prompt are part of its type')
run('tsc', [tsc, '--noEmit'], offline)

headline('4. Build with Vite')
run('vite build', [vite, 'build', '--logLevel', 'warn'], online)
const first = inspect()

headline('5. Run the bundle')
run('node dist/main.js', [bundle], offline)

headline('6. Build again: the service is stopped, there is no key')
service.stop()
run('vite build', [vite, 'build', '--logLevel', 'warn'], offline)
const second = inspect()
if (first.hash !== second.hash) throw new Error('The two bundles differ.')

const { size, used: shipped, pinned } = second
console.log(`
The same bundle to the last byte: sha256 ${second.hash}, ${size} bytes.
It holds ${shipped.length} of the ${pinned} pinned prompts, those that the app uses: ${shipped.join(', ')}.

Now try it yourself:
  - edit a text in playground/workspace.yaml, run npm start, and look at git diff
  - leave out a variable in playground/src/triage.ts, and run npm start`)

/** Starts `prompts serve` on a free port and waits until it tells its address. */
async function startService() {
  show('prompts serve workspace.yaml --port 0 &')
  const args = [prompts, 'serve', 'workspace.yaml', '--port', '0', '--json']
  const child = spawn(process.execPath, args, {
    cwd: playground,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.on('exit', () => child.kill())
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url, keys } = JSON.parse(line)
  console.log(`Listening on ${url}, key ${keys.live}`)
  return { url, key: keys.live, stop: () => child.kill() }
}

/** Runs a command to its end; what fails ends the whole. */
function run(command, args, env) {
  show(command)
  const { status } = spawnSync(process.execPath, args, { cwd: playground, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
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
