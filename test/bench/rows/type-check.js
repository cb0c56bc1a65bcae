import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { completionTime } from '../tools/language-server.js'
import { runNode } from '../tools/process.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { compared, exact, limited, milliseconds, shown } from '../tools/report.js'
import { field, inTurn, median } from '../tools/statistics.js'
import { REPOSITORY } from '../tools/workspace.js'

export const title = 'Type-checking an app that uses 50 of 10,000 prompts, whole process'
export const rounds = 5

const DECLARED = 10_000
const USED = 50
const COMPLETION = 200

const COMPILERS = [
  { name: 'TypeScript 6', path: 'typescript', most: 2000 },
  { name: 'TypeScript 7', path: 'typescript-7', most: 500 },
]

export async function run({ work, rounds: count }) {
  const { many, few, bare } = await prepare(work)
  const rows = []
  for (const { name, path, most } of COMPILERS) {
    const tsc = join(REPOSITORY, 'node_modules', path, 'bin/tsc')
    const check = (root) => () =>
      runNode(tsc, ['--project', root, '--pretty', 'false'], { cwd: root })
    const complete = (root) => () =>
      completionTime(path, { root, file: join(root, 'src/typing.ts') })
    const samples = await inTurn(count, {
      few: check(few),
      many: check(many),
      completion: complete(many),
      bound: complete(bare),
    })
    rows.push(...compare(name, samples, most))
  }
  return rows
}

function compare(name, { few, many, completion, bound }, most) {
  const more = many.map(({ ms }, round) => ms - few[round].ms)
  return [
    shown(`${name}: ${USED} declared`, field(few, 'ms')),
    shown(`${name}: ${DECLARED} declared`, field(many, 'ms')),
    limited(`${name}: more`, median(more), { most, unit: milliseconds }),
    shown(`${name}: editor, first check and completion`, field(completion, 'first')),
    limited(`${name}: editor, completion once loaded`, median(field(completion, 'again')), {
      most: COMPLETION,
      unit: milliseconds,
    }),
    compared(`${name}: the same names without types and texts`, field(bound, 'again'), {
      against: field(completion, 'again'),
    }),
    exact(`${name}: names completed`, completion[0].names, 2 * DECLARED),
  ]
}

async function prepare(work) {
  const prompts = makePrompts(DECLARED)
  const used = prompts.filter((_, index) => index % (DECLARED / USED) === 0)
  return {
    many: await prepareApp(work, { name: 'types-many', prompts, used }),
    few: await prepareApp(work, { name: 'types-few', prompts: used, used }),
    bare: await prepareBare(work, { prompts, used }),
  }
}

/** The minimum for a completion of as many names: each has the type `1` and no documentation. */
async function prepareBare(work, { prompts, used }) {
  const root = await prepareApp(work, { name: 'types-bare', prompts, used })
  const path = join(root, 'prompts.d.ts')
  const lines = (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => !/^ {8} ?[/*]/.test(line))
  await writeFile(path, lines.map((line) => line.replace(/: Prompt<.*;$/, ': 1;')).join('\n'))
  return root
}

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'preserve',
  moduleResolution: 'bundler',
  strict: true,
  noEmit: true,
  types: [],
  skipLibCheck: true,
}

async function prepareApp(work, { name, prompts, used }) {
  const root = await work.app(name)
  await writeLock(join(root, 'prompts.lock.json'), prompts)
  await runNode(work.cli, ['generate'], { cwd: root })
  const config = { compilerOptions: COMPILER_OPTIONS, include: ['src/main.ts', 'prompts.d.ts'] }
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config))
  const values = VARIABLES.map((variable) => `${variable}: 'x'`).join(', ')
  const calls = used.map(
    ({ slug }, index) =>
      `export const r${index}: string = prompts.${identifierOf(slug)}.render({ ${values} }).text\n`,
  )
  const line = `import { prompts } from 'virtual:prompts'\n`
  await writeFile(join(root, 'src/main.ts'), line + calls.join(''))
  // Reaches the declarations by itself, since the project names only what is compiled.
  const reference = `/// <reference path="../prompts.d.ts" />\n`
  await writeFile(join(root, 'src/typing.ts'), `${reference}${line}prompts.`)
  return root
}
