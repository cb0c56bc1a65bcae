import { parseArgs } from 'node:util'
import { describeMachine, printMarkdown, writeResults } from './tools/report.js'
import { inWorkspace } from './tools/workspace.js'

/** Every benchmark, in the order of the README; each is one file in `rows`. */
const NAMES = ['vite-build', 'hot-update', 'impact', 'pull']

const USAGE = `npm run bench [-- NAME…] [-- --rounds N] [-- --write]

Names: ${NAMES.join(', ')}
--rounds N  rounds instead of each benchmark's own number
--write     puts the results into test/bench/README.md
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})

const unknown = positionals.filter((name) => !NAMES.includes(name))
if (values.help || unknown.length > 0) {
  process.stderr.write(USAGE)
  process.exitCode = unknown.length > 0 ? 2 : 0
} else {
  await runAll(positionals.length === 0 ? NAMES : positionals)
}

async function runAll(names) {
  const machine = describeMachine()
  process.stdout.write(`${machine}\n`)
  await inWorkspace(async (work) => {
    for (const name of names) {
      const result = await runOne(name, work).catch((error) => fail(name, error))
      if (values.write && result !== undefined) await writeResults(name, result, machine)
    }
  })
}

/** One that breaks does not keep the others from running. */
function fail(name, error) {
  process.stderr.write(`\n${name} broke: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
}

async function runOne(name, work) {
  const benchmark = await import(`./rows/${name}.js`)
  const rounds = values.rounds === undefined ? benchmark.rounds : Number(values.rounds)
  process.stdout.write(`\n${benchmark.title} (${name}, ${rounds} rounds)\n\n`)
  const rows = await benchmark.run({ work, rounds })
  process.stdout.write(`${printMarkdown(rows)}\n`)
  return { title: benchmark.title, rounds, rows }
}
