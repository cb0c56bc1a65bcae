// Vite's dev server with an app in it, which loads the page's modules as a browser does, and reports what
// it sends to browsers.
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const [root, dist] = process.argv.slice(2)
process.chdir(root)
const { createServer } = await import('vite')
const { default: prompts } = await import(pathToFileURL(join(dist, 'vite.js')).href)
const server = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  plugins: [prompts({ client: 'allow' })],
  server: { port: 0, host: '127.0.0.1', watch: { ignored: ['**/prompts.d.ts'] } },
})
await server.listen()
const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const { hot, moduleGraph } = server.environments.client
const { send } = hot
hot.send = (...args) => {
  process.send({ sent: args, cpu: used() })
  return Reflect.apply(send, hot, args)
}
async function load(url, loaded = new Set()) {
  if (loaded.has(url)) return
  loaded.add(url)
  await server.transformRequest(url)
  const { importedModules } = await moduleGraph.getModuleByUrl(url)
  for (const imported of importedModules) await load(imported.url, loaded)
}
// Asked before a change: the processor time of the update is what was used since then.
process.on('message', async () => {
  await load('/src/main.js')
  process.send({ cpu: used() })
})
process.send('ready')
process.on('disconnect', () => process.exit())
