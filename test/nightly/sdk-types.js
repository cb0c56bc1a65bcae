// Whether the newest SDKs take what prompts and adapters give: installs them, compiles the fixtures
// of test/types against them, prints a table, and ends with 1 when one does not fit. Build first.
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeLock } from '../bench/tools/prompts.js'
import { COMPILERS, compileStrictly, linesMarkedWrong } from '../helpers/compile-strictly.js'
import { BINARY, install, REPOSITORY, versionIn } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { succeed } from './apps/run.js'

const FIXTURES = join(REPOSITORY, 'test/types/fixtures')

/** Each fixture and the package that it tries. */
const SDKS = [
  { name: 'openai', fixture: 'openai.ts' },
  { name: '@anthropic-ai/sdk', fixture: 'anthropic.ts' },
  { name: 'ai', fixture: 'ai-sdk-6.ts' },
  { name: '@langchain/core', fixture: 'langchain.ts' },
]

/** Tries the example of the page about traces. */
const DATADOG = { name: 'dd-trace', fixture: 'datadog.ts' }

if (!(await inFolder(main))) process.exitCode = 1

/** Whether all fit. */
async function main(root) {
  // Only their types are needed.
  await install(
    root,
    [...SDKS, DATADOG].map(({ name }) => `${name}@latest`),
  )
  await generate(root)
  for (const { fixture } of SDKS) {
    const text = await readFile(join(FIXTURES, fixture), 'utf8')
    // Version 7 of the AI SDK calls `system` `instructions`.
    const newest = text.replaceAll('toAISDK6', 'toAISDK').replaceAll(/\bsystem\b/g, 'instructions')
    await writeFile(join(root, fixture), fixture === 'ai-sdk-6.ts' ? newest : text)
  }
  await writeFile(join(root, DATADOG.fixture), await datadogExample())
  const results = []
  for (const compiler of COMPILERS) {
    const errors = await compileStrictly(root, { ...compiler, skipLibCheck: true })
    results.push({ compiler, errors })
  }
  const fixtures = SDKS.map(({ fixture }) => fixture)
  const wanted = await linesMarkedWrong(root, fixtures)
  const rows = [...SDKS, DATADOG].map((sdk) => rowOf(root, sdk, results, wanted))
  const heads = COMPILERS.map(({ path, resolution }) => `${path}, ${resolution}`)
  printTable([['SDK', 'Version', ...heads], ...rows])
  const wrong = results.flatMap(({ errors }) => wrongPlaces(errors, wanted))
  for (const line of new Set(wrong)) process.stdout.write(`${line}\n`)
  return wrong.length === 0
}

async function datadogExample() {
  const page = await readFile(join(REPOSITORY, 'src/docs/traces.md'), 'utf8')
  const [example] = /import tracer from 'dd-trace'\n[^`]*/.exec(page)
  return `import { prompts, toOpenAI } from 'virtual:prompts'
import type { OpenAI } from 'openai'
declare const openai: OpenAI
declare const [model, ticket, tone]: ['gpt-5', string, string]
${example}`
}

/** The declarations as the built command writes them. */
async function generate(root) {
  await symlink(REPOSITORY, join(root, 'node_modules/unplugin-prompts'))
  const prompts = [
    ['empty', '', ''],
    ['only-user', '', 'Hello'],
    ['plain', 'Hello', ''],
    ['support-triage', 'Sort in a {{ tone }} tone', '{{ ticket }}'],
  ].map(([slug, system, user]) => ({
    slug,
    folder: 'support',
    model: 'gpt-5.1',
    temperature: 0.2,
    version: 'v22',
    system,
    user,
    source: `${system}\n\n${user}`,
  }))
  await writeLock(join(root, 'prompts.lock.json'), prompts)
  await succeed(root, [process.execPath, BINARY, 'generate'])
}

function rowOf(root, { name, fixture }, results, wanted) {
  const cells = results.map(({ errors }) => {
    const wrong = wrongPlaces(errors, wanted).filter((place) => place.startsWith(fixture))
    return wrong.length === 0 ? 'fits' : `${wrong.length} wrong`
  })
  return [name, versionIn(root, name), ...cells]
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
