import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../../nightly/apps/files.js'
import { withService } from '../../nightly/apps/lock.js'
import { runNode } from '../tools/process.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { compared, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title =
  "The commands that may compile the app, beside the app's TypeScript 6, processor time"
export const rounds = 11

const PROMPTS = 100
/** Each uses one prompt. The other prompts are unused. */
const MODULES = 60
const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc')

export async function run({ work, rounds: count }) {
  const root = await prepare(work)
  const prompts = (...args) => runNode(work.cli, args, { cwd: root })
  const pull = (env) => runNode(work.cli, ['pull', '--dry-run'], { cwd: root, env })
  const measure = (texts, contracts) =>
    inTurn(count, {
      tsc: () => runNode(TSC, ['--project', root], { cwd: root }),
      usage: () => prompts('list', '--usage'),
      impact: () => prompts('check', '--impact', '--offline'),
      texts: () => pull(texts),
      contracts: () => pull(contracts),
    })
  const samples = await serve(work, 'texts', 'One more sentence.', (texts) =>
    serve(work, 'contracts', 'Mind {{ added }}.', (contracts) => measure(texts, contracts)),
  )
  const cpu = (name) => field(samples[name], 'cpu')
  const against = cpu('tsc')
  return [
    shown('tsc', against),
    compared('list --usage', cpu('usage'), { against, most: 1.2 }),
    compared('check --impact', cpu('impact'), { against, most: 1.3 }),
    shown('pull --dry-run, texts of unused prompts changed', cpu('texts')),
    compared('pull --dry-run, contracts of unused prompts changed', cpu('contracts'), {
      against: cpu('texts'),
      most: 1.3,
    }),
  ]
}

/** A service whose unused prompts have another text. */
async function serve(work, name, more, job) {
  const lock = join(work.root, `${name}.json`)
  const edited = makePrompts(PROMPTS, (prompt, index) =>
    index < MODULES ? prompt : { ...prompt, version: 'v99', system: `${prompt.system}\n${more}` },
  )
  await writeLock(lock, edited)
  return withService(lock, job)
}

/** A committed app in which each module uses a prompt, and has types and functions of its own. */
async function prepare(work) {
  const root = await work.app('impact')
  const prompts = makePrompts(PROMPTS)
  await writeLock(join(root, 'prompts.lock.json'), prompts)
  const compilerOptions = {
    target: 'es2023',
    module: 'preserve',
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: true,
  }
  const config = { compilerOptions, include: ['src', 'prompts.d.ts'] }
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(root, '.gitignore'), 'node_modules\n')
  await mkdir(join(root, 'src'), { recursive: true })
  for (const [index, { slug }] of prompts.slice(0, MODULES).entries())
    await writeFile(join(root, `src/m${index}.ts`), printModule(slug))
  await runNode(work.cli, ['generate'], { cwd: root })
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  execFileSync('git', ['add', '--all'], { cwd: root })
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
