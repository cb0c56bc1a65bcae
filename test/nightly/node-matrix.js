// The same lock, declarations, module and bundle on every supported major of Node, run
// by binaries from the registry's `node` packages. Needs a built package and the npm registry.
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const MAJORS = ['20', '22', '24']

const ROOT = resolve(import.meta.dirname, '../..')
const BINARY = join(ROOT, 'dist/cli.js')
const PLAYGROUND = join(ROOT, 'playground')
const execute = promisify(execFile)

/** Builds the playground's app in the working directory. */
const BUILD = `
import { build } from ${JSON.stringify(pathToFileURL(join(ROOT, 'node_modules/vite/dist/node/index.js')).href)}
import prompts from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/vite.js')).href)}
await build({
  configFile: false,
  logLevel: 'error',
  plugins: [prompts()],
  build: { ssr: 'src/main.ts', outDir: 'bundle' },
})
`

/** Installs the binary of a major version and returns its path. */
async function install(folder, major) {
  const prefix = join(folder, `node-${major}`)
  await mkdir(prefix)
  const args = ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node@${major}`]
  await execute('npm', args, { cwd: prefix })
  return join(prefix, 'node_modules/node/bin/node')
}

/** Starts the local service with the playground's workspace and returns its URL. */
async function serve() {
  const args = [BINARY, 'serve', join(PLAYGROUND, 'workspace.yaml'), '--port', '0', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await new Promise((done) =>
    child.stdout.once('data', (data) => done(`${data}`.split('\n'))),
  )
  return { url: JSON.parse(line).url, stop: () => child.kill() }
}

/** What one Node makes of the playground: the digest of each file, by path. */
async function make(node, app, url) {
  await mkdir(app)
  await writeFile(join(app, 'package.json'), '{ "type": "module" }')
  await cp(join(PLAYGROUND, 'src'), join(app, 'src'), { recursive: true })
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const service = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_local' }
  const run = (args, more) => execute(node, args, { cwd: app, env: { ...env, ...more } })
  await run([BINARY, 'pull'], service)
  await run([BINARY, 'generate', '--out-dir', 'generated'])
  await run([BINARY, 'check', '--offline'])
  await run(['--input-type=module', '--eval', BUILD])
  const { stdout: said } = await run(['bundle/main.js'])
  return { ...(await digests(app)), said }
}

async function digests(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name))
  const pairs = paths.toSorted().map(async (path) => {
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    return [path.slice(folder.length + 1), digest]
  })
  return Object.fromEntries(await Promise.all(pairs))
}

const folder = await mkdtemp(join(tmpdir(), 'prompts-node-'))
const service = await serve()
try {
  let first
  for (const major of MAJORS) {
    const node = await install(folder, major)
    const { stdout: version } = await execute(node, ['--version'])
    const files = await make(node, join(folder, `app-${major}`), service.url)
    first ??= files
    const names = new Set([...Object.keys(first), ...Object.keys(files)])
    const different = [...names].filter((name) => first[name] !== files[name])
    console.log(
      `${version.trim()}: ${names.size} outputs, ${different.length} differ ${different.join(' ')}`,
    )
    if (different.length > 0) process.exitCode = 1
  }
} finally {
  service.stop()
  await rm(folder, { recursive: true, force: true })
}
