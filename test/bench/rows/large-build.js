import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeModules } from '../tools/apps.js'
import { buildApp, BUNDLERS } from '../tools/builds.js'
import { internals } from '../tools/internals.js'
import { runNode } from '../tools/process.js'
import { identifierOf, makePrompts, writeLock } from '../tools/prompts.js'
import { compared, limited, megabytes, shown } from '../tools/report.js'
import { field, inTurn, median } from '../tools/statistics.js'

export const title = 'A build with 10,000 prompts of 2 KB pinned and 50 used, whole process'
export const rounds = 5

const PINNED = 10_000
const USED = 50
const MODULES = 100
const MEMORY = 600 * 1024
const CHILD = join(import.meta.dirname, '../children/read-lock.js')

export async function run({ work, rounds: count }) {
  const { many, few } = await prepare(work)
  const { lock: module } = await internals(work)
  const lock = join(many, 'prompts.lock.json')
  const rows = []
  for (const bundler of BUNDLERS) {
    const build = (root, plugin) => buildApp(work, { bundler, plugin, root })
    await build(many, 'prompts')
    await build(few, 'prompts')
    const samples = await inTurn(count, {
      few: () => build(few, 'prompts'),
      reading: () => runNode(CHILD, ['verified', lock, module]),
      many: () => build(many, 'prompts'),
    })
    rows.push(...compare(bundler, samples))
  }
  return rows
}

function compare(bundler, samples) {
  const few = field(samples.few, 'ms')
  const many = field(samples.many, 'ms')
  const reading = field(samples.reading, 'cold')
  const beyond = many.map((ms, round) => ms - reading[round])
  return [
    shown(`${bundler}: only those ${USED} pinned`, few),
    shown(`${bundler}: reading the lock of ${PINNED}`, reading),
    shown(`${bundler}: ${PINNED} pinned`, many),
    compared(`${bundler}: ${PINNED} pinned, beyond reading the lock`, beyond, {
      against: few,
      most: 1.25,
    }),
    limited(`${bundler}: peak memory`, median(field(samples.many, 'peak')), {
      most: MEMORY,
      unit: megabytes,
    }),
    shown(
      `${bundler}: peak memory with only ${USED} pinned`,
      field(samples.few, 'peak'),
      megabytes,
    ),
  ]
}

async function prepare(work) {
  const prompts = makePrompts(PINNED)
  const used = prompts.filter((_, index) => index % (PINNED / USED) === 0)
  const [many, few] = [await work.app('large-many'), await work.app('large-few')]
  for (const root of [many, few]) await writeModules(root, MODULES)
  await writeLock(join(many, 'prompts.lock.json'), prompts)
  await writeLock(join(few, 'prompts.lock.json'), used)
  for (const root of [many, few]) await writeFiles(root, used)
  return { many, few }
}

const IMPORT = `import { prompts } from 'virtual:prompts'`

/** An app that uses its prompts in ten files. */
async function writeFiles(root, used) {
  const folder = join(root, 'src/uses')
  await mkdir(folder)
  const files = Array.from({ length: 10 }, (_, index) => index)
  for (const index of files) {
    const calls = used
      .filter((_, place) => place % files.length === index)
      .map(({ slug }) => `console.log(prompts.${identifierOf(slug)}.render(globalThis.values))`)
    await writeFile(join(folder, `use${index}.js`), `${[IMPORT, ...calls].join('\n')}\n`)
  }
  const imports = files.map((index) => `import './uses/use${index}.js'\n`)
  await writeFile(join(root, 'src/main.js'), `import './modules.js'\n${imports.join('')}`)
}
