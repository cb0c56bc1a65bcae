import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { DIST, type Job, pathsOf } from './configs.ts'
import { responder } from './responder.ts'

const BUN = join(import.meta.dirname, '../../node_modules/.bin/bun')

const ask = responder(() =>
  spawn(BUN, ['--eval', BUN_SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] }),
)

/**
 * Bun builds in a process of its own, since only Bun can.
 *
 * @param config - of the build, in addition to that of the job
 */
export async function buildBun(job: Job, config: object = {}): Promise<void> {
  const [error] = await buildAllBun([job], { config })
  if (error !== undefined) throw new Error(error)
}

/**
 * Builds jobs with the plugin of the first one.
 *
 * @returns why each has failed; `undefined` if it has not
 */
export async function buildAllBun(
  jobs: readonly Job[],
  more: { readonly config?: object; readonly isInTurn?: boolean } = {},
): Promise<(string | undefined)[]> {
  const builds = jobs.map((job) => ({ ...job, paths: Object.values(pathsOf(job)) }))
  const errors = (await ask({ ...more, builds, dist: DIST })) as (string | null)[]
  return errors.map((error) => error ?? undefined)
}

/** Builds of one folder may run side by side. What the plugin logs goes to standard error. */
const BUN_SCRIPT = `
import { createInterface } from 'node:readline'
console.log = console.info = console.warn = console.error
createInterface(process.stdin).on('line', async (line) => {
  const { id, ...jobs } = JSON.parse(line)
  const answer = await buildAll(jobs).then((result) => ({ result, error: null }), ({ message }) => ({ error: message }))
  process.stdout.write(JSON.stringify({ id, ...answer }) + '\\n')
})
async function buildAll({ builds, dist, config, isInTurn = false }) {
  const [{ root, options, others = [], extra }] = builds
  process.chdir(root)
  const { default: prompts } = await import(dist + '/bun.js')
  const plugins = [options, ...others].map((each) => prompts(each))
  if (extra) {
    const { default: other } = await import(extra.file)
    plugins.splice(extra.at === 'before' ? 0 : plugins.length, 0, other.bun())
  }
  const start = (job) => build({ ...job, plugins, config }).then(() => null, ({ message, errors = [] }) => [message, ...errors].join('\\n'))
  if (!isInTurn) return Promise.all(builds.map(start))
  const results = []
  for (const job of builds) results.push(await start(job))
  return results
}
async function build({ root, outDir, paths, minify, isForBrowser, plugins, env = {}, define, config }) {
  for (const [name, value] of Object.entries(env)) if (value === null) delete process.env[name]; else process.env[name] = value
  process.chdir(root)
  await Bun.build({
    entrypoints: paths,
    root,
    outdir: outDir,
    naming: { entry: '[dir]/[name].mjs', chunk: '[name]-[hash].mjs' },
    target: isForBrowser ? 'browser' : 'node',
    splitting: true,
    minify,
    sourcemap: 'linked',
    plugins,
    define,
    ...config,
  })
}
`
