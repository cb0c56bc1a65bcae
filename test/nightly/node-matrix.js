// The same lock, declarations, module and bundle on every supported major of Node, run
// by binaries from the registry. Needs a built package and the npm registry.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { BINARY, installNode, REPOSITORY } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { WITH_TEST_KEY, withService, WORKSPACE } from './apps/lock.js'

const MAJORS = ['20', '22', '24']

const execute = promisify(execFile)

/** Builds the playground's app in the working directory. */
const BUILD = `
import { build } from ${JSON.stringify(pathToFileURL(join(REPOSITORY, 'node_modules/vite/dist/node/index.js')).href)}
import prompts from ${JSON.stringify(pathToFileURL(join(REPOSITORY, 'dist/vite.js')).href)}
await build({
  configFile: false,
  logLevel: 'error',
  plugins: [prompts()],
  build: { ssr: 'src/main.ts', outDir: 'bundle' },
})
`

/** What one Node makes of the playground: the digest of each file, by path. */
async function make(node, app, service) {
  await mkdir(app)
  await writeFile(join(app, 'package.json'), '{ "type": "module" }')
  await cp(join(REPOSITORY, 'playground/src'), join(app, 'src'), { recursive: true })
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const run = (args, more) => execute(node, args, { cwd: app, env: { ...env, ...more } })
  await run([BINARY, 'pull'], { ...service, ...WITH_TEST_KEY })
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

await inFolder((folder) =>
  withService(WORKSPACE, async (service) => {
    let first
    for (const major of MAJORS) {
      const node = await installNode(folder, major)
      const { stdout: version } = await execute(node, ['--version'])
      const files = await make(node, join(folder, `app-${major}`), service)
      first ??= files
      const names = new Set([...Object.keys(first), ...Object.keys(files)])
      const different = [...names].filter((name) => first[name] !== files[name])
      console.log(
        `${version.trim()}: ${names.size} outputs, ${different.length} differ ${different.join(' ')}`,
      )
      if (different.length > 0) process.exitCode = 1
    }
  }),
)
