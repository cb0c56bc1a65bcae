import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import getExePath from '../../../node_modules/typescript-7/lib/getExePath.js'
import { REPOSITORY } from '../../nightly/apps/files.js'
import { withService } from '../../nightly/apps/lock.js'
import { runNative, runNode } from '../tools/process.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { compared, ofMemory, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title =
  "The commands that may compile the app, beside the app's TypeScript 6 and 7, processor time and memory"
export const rounds = 11

const PROMPTS = 100
/** Each uses one prompt. The other prompts are unused. */
const MODULES = 40
/** Files that import these modules, and each other. */
const IMPORTERS = 660
/** The modules that stop compiling. */
const BROKEN = 3
const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
const TSC_7 = getExePath()

export async function run({ work, rounds: count }) {
  const root = await prepare(work)
  const prompts = (...args) => runNode(work.cli, args, { cwd: root })
  const pull = (env) => runNode(work.cli, ['pull', '--dry-run'], { cwd: root, env, codes: [0, 3] })
  const contestants = (texts, contracts, breaking) => ({
    tsc: () => runNode(TSC, ['--project', root], { cwd: root }),
    tsc7: () => runNative(TSC_7, ['--project', root], { cwd: root }),
    usage: () => prompts('list', '--usage'),
    impact: () => prompts('check', '--impact', '--offline'),
    texts: () => pull(texts),
    contracts: () => pull(contracts),
    breaking: () => pull(breaking),
  })
  const isUnused = (index) => index >= MODULES
  const isBroken = (index) => index < BROKEN
  const samples = await serve(work, 'texts', isUnused, 'One more sentence.', (texts) =>
    serve(work, 'contracts', isUnused, 'Mind {{ added }}.', (contracts) =>
      serve(work, 'breaking', isBroken, 'Mind {{ added }}.', (breaking) =>
        inTurn(count, contestants(texts, contracts, breaking)),
      ),
    ),
  )
  const cpu = (name) => field(samples[name], 'cpu')
  const memory = (name) => field(samples[name], 'memory')
  const [against, against7] = [cpu('tsc'), cpu('tsc7')]
  return [
    shown('tsc', against),
    shown('tsc 7', against7),
    compared('list --usage', cpu('usage'), { against, most: 1.2 }),
    compared('check --impact', cpu('impact'), { against, most: 1.3 }),
    compared('pull --dry-run, three files break', cpu('breaking'), { against, most: 1 }),
    compared('the same, to tsc 7', cpu('breaking'), { against: against7, most: 1 }),
    shown('pull --dry-run, texts of unused prompts changed', cpu('texts')),
    compared('pull --dry-run, contracts of unused prompts changed', cpu('contracts'), {
      against: cpu('texts'),
      most: 1.3,
    }),
    ofMemory(shown('tsc, memory', memory('tsc')), memory('tsc')),
    ofMemory(shown('tsc 7, memory', memory('tsc7')), memory('tsc7')),
    ...['tsc', 'tsc7'].map((name) => {
      const line = { against: memory(name), most: 1 }
      const what = `pull --dry-run, three files break, memory, to ${name}`
      return ofMemory(compared(what, memory('breaking'), line), memory('breaking'))
    }),
  ]
}

/** A service in which some prompts have another text. */
async function serve(work, name, isChanged, more, job) {
  const lock = join(work.root, `${name}.json`)
  const edited = makePrompts(PROMPTS, (prompt, index) =>
    isChanged(index) ? { ...prompt, version: 'v99', system: `${prompt.system}\n${more}` } : prompt,
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
  for (let index = 0; index < IMPORTERS; index++)
    await writeFile(join(root, `src/i${index}.ts`), printImporter(index))
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

/** It imports three modules with prompts, and the file before it. */
function printImporter(index) {
  const modules = [0, 7, 19].map((step) => (index + step) % MODULES)
  const imports = modules.map((number) => `import { total0 as t${number} } from './m${number}'\n`)
  const previous = index === 0 ? '' : `import { sum as previous } from './i${index - 1}'\n`
  const functions = Array.from({ length: 20 }, (_, number) => printFunction(number))
  const terms = [
    ...modules.map((number) => `t${number}(input)`),
    index === 0 ? '0' : 'previous(input)',
  ]
  return `${imports.join('')}${previous}${functions.join('')}
export function sum(input: Input0): number {
  return ${terms.join(' + ')}
}
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
