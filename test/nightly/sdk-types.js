// Whether the newest SDKs take what prompts and adapters give: installs them, compiles the fixtures
// of test/types against them, prints a table, and ends with 1 when one does not fit. Build first.
// Then the examples of the pages are compiled and run with the AI SDK 7.
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { printLock } from '../bench/tools/prompts.js'
import { COMPILERS, compileStrictly, linesMarkedWrong } from '../helpers/compile-strictly.js'
import { BINARY, install, REPOSITORY, versionIn, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { succeed } from './apps/run.js'
import { runTests } from './apps/tests.js'

const FIXTURES = join(REPOSITORY, 'test/types/fixtures')

/** Each package by the fixture that tries it; the last is the example of the page about traces. */
const SDKS = {
  'openai.ts': 'openai',
  'anthropic.ts': '@anthropic-ai/sdk',
  'ai-sdk-6.ts': 'ai',
  'langchain.ts': '@langchain/core',
  'datadog.ts': 'dd-trace',
}

await inFolder(async (root) => {
  // Only their types are needed.
  await install(
    root,
    Object.values(SDKS).map((name) => `${name}@latest`),
  )
  await generate(root)
  write(root, Object.fromEntries(Object.keys(SDKS).map((fixture) => [fixture, codeOf(fixture)])))
  const wanted = await linesMarkedWrong(root, Object.keys(SDKS))
  const rows = Object.fromEntries(
    Object.values(SDKS).map((name) => [name, { version: versionIn(root, name) }]),
  )
  for (const compiler of COMPILERS) {
    const errors = await compileStrictly(root, { ...compiler, skipLibCheck: true })
    const wrong = wrongPlaces(errors, wanted)
    for (const [fixture, name] of Object.entries(SDKS)) {
      const { length } = wrong.filter((place) => place.startsWith(fixture))
      rows[name][`${compiler.path}, ${compiler.resolution}`] =
        length === 0 ? 'fits' : `${length} wrong`
    }
    if (wrong.length > 0) process.exitCode = 1
    for (const line of wrong) console.log(line)
  }
  console.table(rows)
  const AI_SDK_7 = join(root, 'node_modules/ai')
  runTests(['types/documents', 'nightly/documents/examples'], { AI_SDK_7 })
})

/** The declarations as the built command writes them. */
async function generate(root) {
  symlinkSync(REPOSITORY, join(root, 'node_modules/unplugin-prompts'))
  const rest = { folder: 'support', model: 'gpt-5.1', temperature: 0.2, version: 'v22' }
  const prompts = [
    { slug: 'empty', system: '', user: '' },
    { slug: 'only-user', system: '', user: 'Hello' },
    { slug: 'plain', system: 'Hello', user: '' },
    { slug: 'support-triage', system: 'Sort in a {{ tone }} tone', user: '{{ ticket }}' },
  ].map((prompt) => ({ ...prompt, ...rest }))
  write(root, { 'prompts.lock.json': printLock(prompts) })
  await succeed(root, [process.execPath, BINARY, 'generate'])
}

function codeOf(fixture) {
  if (fixture === 'datadog.ts') return datadogExample()
  const text = readFileSync(join(FIXTURES, fixture), 'utf8')
  if (fixture !== 'ai-sdk-6.ts') return text
  // Version 7 of the AI SDK calls `system` `instructions`.
  return text.replaceAll('toAISDK6', 'toAISDK').replaceAll(/\bsystem\b/g, 'instructions')
}

function datadogExample() {
  const page = readFileSync(join(REPOSITORY, 'src/docs/traces.md'), 'utf8')
  const [example] = /import tracer from 'dd-trace'\n[^`]*/.exec(page)
  return `import { prompts, toOpenAI } from 'virtual:prompts'
import type { OpenAI } from 'openai'
declare const openai: OpenAI
declare const [model, ticket, tone]: ['gpt-5', string, string]
${example}`
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
