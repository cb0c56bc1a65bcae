import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DIST, type Job, pathsOf } from './configs.ts'

/** What to call when a build of Bun ends, by the number of the build. */
const builds = new Map<number, (error: string | null) => void>()
let bun: ChildProcess | undefined

/** Bun builds in a process of its own, since only Bun can. It starts once for all builds. */
export async function buildBun(job: Job): Promise<void> {
  const { stdin } = (bun ??= startBun())
  const id = builds.size
  const error = await new Promise<string | null>((ended) => {
    builds.set(id, ended)
    const input = { id, ...job, paths: Object.values(pathsOf(job)), dist: DIST }
    stdin?.write(`${JSON.stringify(input)}\n`)
  })
  if (error !== null) throw new Error(error)
}

/** Starts Bun, which ends when this process closes its standard input. */
function startBun(): ChildProcess {
  const path = join(import.meta.dirname, '../../node_modules/.bin/bun')
  const child = spawn(path, ['--eval', BUN_SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] })
  createInterface(child.stdout).on('line', (line) => {
    const { id, error } = JSON.parse(line) as { id: number; error: string | null }
    builds.get(id)?.(error)
  })
  child.on('exit', () => {
    bun = undefined
    for (const end of builds.values()) end('Bun has ended.')
  })
  return child
}

/** Builds of one folder may run side by side. What the plugin logs goes to standard error. */
const BUN_SCRIPT = `
import { createInterface } from 'node:readline'
console.log = console.info = console.warn = console.error
createInterface(process.stdin).on('line', async (line) => {
  const { id, ...job } = JSON.parse(line)
  const error = await build(job).then(() => null, ({ message, errors = [] }) => [message, ...errors].join('\\n'))
  process.stdout.write(JSON.stringify({ id, error }) + '\\n')
})
async function build({ root, outDir, paths, minify, options, others = [], dist, extra }) {
  process.chdir(root)
  const { default: prompts } = await import(dist + '/bun.js')
  const plugins = [options, ...others].map((each) => prompts(each))
  if (extra) {
    const { default: other } = await import(extra.file)
    plugins.splice(extra.at === 'before' ? 0 : plugins.length, 0, other.bun())
  }
  await Bun.build({
    entrypoints: paths,
    root,
    outdir: outDir,
    naming: { entry: '[dir]/[name].mjs', chunk: '[name]-[hash].mjs' },
    target: 'node',
    splitting: true,
    minify,
    sourcemap: 'linked',
    plugins,
  })
}
`
