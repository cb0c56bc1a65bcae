import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '../tools/builds.js'
import { writeModules } from '../tools/apps.js'
import { handWritten } from '../tools/hand-written.js'
import { runNode } from '../tools/process.js'
import { identifierOf, makePrompts, writeLock } from '../tools/prompts.js'
import { compared, megabytes, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title = 'A Vite build from a lock of 100 prompts, whole process'
export const rounds = 9

const USED = 10
const MODULES = 400

export async function run({ work, rounds: count }) {
  const [plain, pinned] = await prepare(work)
  const build = (root, plugin) => buildApp(work, { bundler: 'vite', plugin, root })
  // The first build writes the declarations.
  await build(pinned, 'prompts')
  const samples = await inTurn(count, {
    plain: () => build(plain, 'none'),
    pinned: () => build(pinned, 'prompts'),
    bare: () => runNode('--eval', ['0'], { cwd: pinned }),
    imported: () => runNode('--eval', [`import('unplugin-prompts/vite')`], { cwd: pinned }),
  })
  return [
    shown(`without the plugin, ${USED} prompts by hand`, field(samples.plain, 'ms')),
    shown('with the plugin', field(samples.pinned, 'ms')),
    shown('without the plugin, processor time', field(samples.plain, 'cpu')),
    compared('with the plugin, processor time', field(samples.pinned, 'cpu'), {
      against: field(samples.plain, 'cpu'),
      most: 1.1,
    }),
    shown('peak memory with the plugin', field(samples.pinned, 'peak'), megabytes),
    shown('a bare start of Node, processor time', field(samples.bare, 'cpu')),
    compared('a start that imports the plugin, processor time', field(samples.imported, 'cpu'), {
      against: field(samples.bare, 'cpu'),
      most: 1.25,
    }),
  ]
}

async function prepare(work) {
  const prompts = makePrompts(100)
  const used = prompts.slice(0, USED)
  const [plain, pinned] = [await work.app('vite-plain'), await work.app('vite-pinned')]
  for (const root of [plain, pinned]) await writeModules(root, MODULES)
  await writeLock(join(pinned, 'prompts.lock.json'), prompts)
  const names = used.map(({ slug }) => identifierOf(slug))
  const printed = handWritten(used, ({ slug }) => identifierOf(slug))
  await writeFile(join(plain, 'src/prompts.js'), printed)
  await writeFile(
    join(plain, 'src/main.js'),
    mainWith(`import * as prompts from './prompts.js'`, names),
  )
  await writeFile(
    join(pinned, 'src/main.js'),
    mainWith(`import { prompts } from 'virtual:prompts'`, names),
  )
  return [plain, pinned]
}

function mainWith(line, names) {
  const call = (name) =>
    line.includes('virtual')
      ? `prompts.${name}.render(globalThis.values)`
      : `prompts.${name}(globalThis.values)`
  const calls = names.map((name) => `console.log(${call(name)})\n`)
  return `${line}\nimport './modules.js'\n${calls.join('')}`
}
