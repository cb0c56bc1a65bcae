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
  await ask({ ...job, config, paths: Object.values(pathsOf(job)), dist: DIST })
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
async function build({ root, outDir, paths, minify, options, others = [], dist, extra, config }) {
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
    ...config,
  })
}
`
