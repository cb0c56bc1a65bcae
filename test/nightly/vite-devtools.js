// Whether the newest Vite DevTools takes the page as a dock: installs Vite and DevTools, starts a dev
// server with both plugins, and reads the docks and the page. Ends with 1 if the dock is missing or
// can't be shown in a frame. Build first.
import assert from 'node:assert'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makePrompts, writeLock } from '../bench/tools/prompts.js'
import { install, REPOSITORY, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { until } from './apps/run.js'

await inFolder(async (root) => {
  write(root, { 'index.html': '<!doctype html><title>App</title>' })
  await writeLock(join(root, 'prompts.lock.json'), makePrompts(3))
  await install(root, ['vite@latest', '@vitejs/devtools@latest'])
  symlinkSync(REPOSITORY, join(root, 'node_modules/unplugin-prompts'))
  const server = await startServer(root)
  try {
    await checkDock(server)
  } finally {
    await server.close()
  }
})

/** A dev server whose `docks` are those of DevTools. */
async function startServer(root) {
  const load = (path) => import(pathToFileURL(join(root, 'node_modules', path)).href)
  const { createServer } = await load('vite/dist/node/index.js')
  const { default: prompts } = await load('unplugin-prompts/dist/vite.js')
  let context
  const probe = { name: 'probe', devtools: { setup: (given) => void (context = given) } }
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [prompts({ pull: 'never' }), probe],
    devtools: { enabled: true },
    server: { port: 0, host: '127.0.0.1' },
  })
  await server.listen()
  const [local] = server.resolvedUrls.local
  return { local, docks: () => context?.docks.values() ?? [], close: () => server.close() }
}

async function checkDock({ local, docks }) {
  const dock = await dockOf(docks)
  assert.equal(dock.type, 'iframe')
  const [page, icon] = await Promise.all(
    [dock.url, dock.icon].map((address) => fetch(new URL(address, local))),
  )
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
  assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
  process.stdout.write(`Vite DevTools shows "${dock.title}" at ${dock.url}\n`)
}

async function dockOf(docks) {
  let dock
  const isThere = () => (dock = [...docks()].find(({ id }) => id === 'prompts')) !== undefined
  await until(isThere, () => 'Vite DevTools has no dock called "prompts".')
  return dock
}
