import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runNode } from '../tools/process.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { compared, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'
import { REPOSITORY } from '../tools/workspace.js'
import { COMPILER_OPTIONS } from './type-check.js'

export const title =
  "The commands that compile the app, in units of the app's TypeScript 6, processor time"
export const rounds = 3

const MODULES = 60
const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc')

export async function run({ work, rounds: count }) {
  const root = await prepare(work)
  const prompts = (...args) => runNode(work.cli, args, { cwd: root })
  const samples = await inTurn(count, {
    tsc: () => runNode(TSC, ['--project', root], { cwd: root }),
    usage: () => prompts('list', '--usage'),
    impact: () => prompts('check', '--impact', '--offline'),
  })
  const against = field(samples.tsc, 'cpu')
  return [
    shown('tsc', against),
    compared('list --usage', field(samples.usage, 'cpu'), { against, most: 1.2 }),
    compared('check --impact', field(samples.impact, 'cpu'), { against, most: 1.3 }),
  ]
}

/** An app in which each module uses a prompt, and has types and functions of its own. */
async function prepare(work) {
  const root = await work.app('impact')
  const prompts = makePrompts(MODULES)
  await writeLock(join(root, 'prompts.lock.json'), prompts)
  const config = { compilerOptions: COMPILER_OPTIONS, include: ['src', 'prompts.d.ts'] }
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config))
  await mkdir(join(root, 'src'), { recursive: true })
  for (const [index, { slug }] of prompts.entries())
    await writeFile(join(root, `src/m${index}.ts`), printModule(slug))
  await runNode(work.cli, ['generate'], { cwd: root })
  return root
}

function printModule(slug) {
  const values = VARIABLES.map((variable) => `${variable}: 'x'`).join(', ')
  const functions = Array.from({ length: 40 }, (_, index) => printFunction(index))
  return `import { prompts } from 'virtual:prompts'
${functions.join('')}
export const text: string = prompts.${identifierOf(slug)}.render({ ${values} }).text
`
}

function printFunction(index) {
  return `
export interface Input${index} { readonly count: number; list: readonly { name: string }[] }
export function total${index}(input: Input${index}): number {
  const names = input.list.filter((item) => item.name !== '').map((item) => item.name)
  const groups = new Map<string, number>()
  for (const name of names) groups.set(name, (groups.get(name) ?? 0) + 1)
  return [...groups.values()].reduce((sum, size) => sum + size, input.count)
}
`
}
