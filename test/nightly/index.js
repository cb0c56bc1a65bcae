// The slow sweeps, which no ordinary run of the tests waits for: `npm run test:nightly`, or only
// some with `npm run test:nightly -- node-versions`. SWEEP_RUNS and SWEEP_SEED repeat a sweep.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './apps/files.js'
import { VITEST } from './apps/tests.js'

const TESTS = join(REPOSITORY, 'test')

const { SWEEP_RUNS = '1000', SWEEP_SEED = `${Date.now() % 2 ** 31}` } = process.env
const env = { ...process.env, SWEEP_RUNS, SWEEP_SEED }

const FILES = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path))
  .toSorted()

/** The tests that take runs and seed from test/helpers/sweep.ts. */
const SWEEPS = FILES.filter((path) =>
  readFileSync(join(REPOSITORY, path), 'utf8').includes('helpers/sweep.ts'),
)

/** The slow tests of this folder, without those that a job sweeps with. */
const SLOW = FILES.filter(
  (path) => path.startsWith(join('test', 'nightly')) && !SWEEPS.includes(path),
)

const STRYKER = join(REPOSITORY, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const TIMEOUTS = ['--testTimeout', '7200000', '--hookTimeout', '7200000']

/** Every job by name: the slow tests, the sweeps, the mutation tests, and each script of this folder. */
function jobs() {
  const scripts = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.js') && name !== 'index.js')
    .toSorted()
  return new Map([
    ['tests', [...VITEST, ...SLOW]],
    ['properties', [...VITEST, ...TIMEOUTS, ...SWEEPS]],
    ['mutation', [STRYKER, 'run', 'test/stryker.config.json']],
    ...scripts.map((name) => [name.replace(/\.js$/, ''), [join(import.meta.dirname, name)]]),
  ])
}

/** Runs one job to its end. */
async function run(name, args) {
  console.log(`\n── ${name} ──`)
  const begin = performance.now()
  const child = spawn(process.execPath, args, { cwd: REPOSITORY, env, stdio: 'inherit' })
  const code = await new Promise((done) => child.on('close', done))
  return {
    name,
    result: code === 0 ? 'passed' : 'FAILED',
    seconds: (performance.now() - begin) / 1000,
  }
}

const all = jobs()
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.has(name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}: ${[...all.keys()].join(', ')}.`)
  process.exit(2)
}

console.log(`SWEEP_RUNS=${SWEEP_RUNS} SWEEP_SEED=${SWEEP_SEED}`)
const results = []
for (const [name, args] of all) {
  if (asked.length === 0 || asked.includes(name)) results.push(await run(name, args))
}

console.log('\njob                  result      seconds')
for (const { name, result, seconds } of results) {
  console.log(`${name.padEnd(20)} ${result.padEnd(10)} ${seconds.toFixed(0).padStart(8)}`)
}
console.log(`SWEEP_RUNS=${SWEEP_RUNS} SWEEP_SEED=${SWEEP_SEED}`)
if (results.some(({ result }) => result !== 'passed')) process.exitCode = 1
