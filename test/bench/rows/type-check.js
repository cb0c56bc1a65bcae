import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runNode } from '../tools/process.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { compared, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'
import { REPOSITORY } from '../tools/workspace.js'

export const title = 'Type-checking an app that uses 50 of 1,000 prompts, whole process'
export const rounds = 5

const DECLARED = 1000
const USED = 50

const COMPILERS = [
  { name: 'TypeScript 6', path: 'typescript' },
  { name: 'TypeScript 7', path: 'typescript-7' },
]

export async function run({ work, rounds: count }) {
  const { many, few } = await prepare(work)
  const rows = []
  for (const { name, path } of COMPILERS) {
    const tsc = join(REPOSITORY, 'node_modules', path, 'bin/tsc')
    const check = (root) => () =>
      runNode(tsc, ['--project', root, '--pretty', 'false'], { cwd: root })
    rows.push(...compare(name, await inTurn(count, { few: check(few), many: check(many) })))
  }
  return rows
}

function compare(name, { few, many }) {
  const against = field(few, 'ms')
  return [
    shown(`${name}: ${USED} declared`, against),
    compared(`${name}: ${DECLARED} declared`, field(many, 'ms'), { against }),
  ]
}

async function prepare(work) {
  const prompts = makePrompts(DECLARED)
  const used = prompts.filter((_, index) => index % (DECLARED / USED) === 0)
  return {
    many: await prepareApp(work, { name: 'types-many', prompts, used }),
    few: await prepareApp(work, { name: 'types-few', prompts: used, used }),
  }
}

/** The options of an app. */
export const COMPILER_OPTIONS = {
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
  return root
}
