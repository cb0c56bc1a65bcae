// Whether the newest SDKs take what prompts and adapters give: installs them, compiles the fixtures
// of test/types against them, prints a table, and ends with 1 when one does not fit. Build first.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { writeLock } from '../bench/tools/prompts.js'
import { COMPILERS, compileStrictly, linesMarkedWrong } from '../helpers/compile-strictly.js'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const FIXTURES = join(REPOSITORY, 'test/types/fixtures')

/** Each fixture and the package that it tries. */
const SDKS = [
  { name: 'openai', fixture: 'openai.ts' },
  { name: '@anthropic-ai/sdk', fixture: 'anthropic.ts' },
  { name: 'ai', fixture: 'ai-sdk-7.ts' },
  { name: '@langchain/core', fixture: 'langchain.ts' },
]

const run = promisify(execFile)
const root = await mkdtemp(join(tmpdir(), 'prompts-sdk-types-'))
try {
  process.exitCode = (await main()) ? 0 : 1
} finally {
  await rm(root, { recursive: true, force: true })
}

/** Whether all fit. */
async function main() {
  await install()
  await generate()
  for (const { fixture } of SDKS) await copyFile(join(FIXTURES, fixture), join(root, fixture))
  const results = []
  for (const compiler of COMPILERS) {
    const errors = await compileStrictly(root, { ...compiler, skipLibCheck: true })
    results.push({ compiler, errors })
  }
  const fixtures = SDKS.map(({ fixture }) => fixture)
  const wanted = await linesMarkedWrong(root, fixtures)
  const rows = await Promise.all(SDKS.map((sdk) => rowOf(sdk, results, wanted)))
  const heads = COMPILERS.map(({ path, resolution }) => `${path}, ${resolution}`)
  printTable([['SDK', 'Version', ...heads], ...rows])
  const wrong = results.flatMap(({ errors }) => wrongPlaces(errors, wanted))
  for (const line of new Set(wrong)) process.stdout.write(`${line}\n`)
  return wrong.length === 0
}

/** Only their types are needed, which install on an older Node than the SDKs run on. */
async function install() {
  await writeFile(join(root, 'package.json'), '{ "type": "module", "private": true }\n')
  const packages = SDKS.map(({ name }) => `${name}@latest`)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false']
  await run('npm', ['install', ...flags, ...packages], { cwd: root })
}

/** The declarations as the built command writes them. */
async function generate() {
  await mkdir(join(root, 'node_modules'), { recursive: true })
  await symlink(REPOSITORY, join(root, 'node_modules/unplugin-prompts'))
  const prompts = [
    ['plain', 'Hello'],
    ['support-triage', 'Sort {{ ticket }} in a {{ tone }} tone'],
  ].map(([slug, system]) => ({
    slug,
    folder: 'support',
    model: 'gpt-5.1',
    temperature: 0.2,
    version: 'v22',
    system,
    user: '',
    source: `${system}\n\n`,
  }))
  await writeLock(join(root, 'prompts.lock.json'), prompts)
  await run(process.execPath, [join(REPOSITORY, 'dist/cli.js'), 'generate'], { cwd: root })
}

async function rowOf({ name, fixture }, results, wanted) {
  const manifest = JSON.parse(
    await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  )
  const cells = results.map(({ errors }) => {
    const wrong = wrongPlaces(errors, wanted).filter((place) => place.startsWith(fixture))
    return wrong.length === 0 ? 'fits' : `${wrong.length} wrong`
  })
  return [name, manifest.version, ...cells]
}

/** What is refused and should not be, and the other way round. */
function wrongPlaces(errors, wanted) {
  const places = new Set(errors.map(({ place }) => place))
  const refused = errors.filter(({ place }) => !wanted.includes(place))
  const taken = wanted.filter((place) => !places.has(place))
  return [
    ...refused.map(({ place, text }) => `${place}: ${text}`),
    ...taken.map((place) => `${place}: compiles, and should not`),
  ]
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]))
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
  }
}
