import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import { trace } from '@opentelemetry/api'
import { generateText as generateText6 } from 'ai'
import OpenAI from 'openai'
import { ts } from 'ts-morph'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AI_SDK_7, codeBlocks, namesToAdd, usesAISDK6 } from '../../helpers/document-code.ts'
import { startModelService } from '../../helpers/model-service.ts'
import { importNatively } from '../../helpers/native-import.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { writeModules } from '../../helpers/run-modules.ts'

const PAGES = ['models', 'prompts', 'testing', 'traces'].map((name) => `src/docs/${name}.md`)
const NODE_MODULES = join(import.meta.dirname, '../../../node_modules')

const URL_7 = AI_SDK_7 && pathToFileURL(join(AI_SDK_7, 'dist/index.js')).href

/** Code that sends a request. `dd-trace` is large, and only its types are tried. */
const SENDS = /\.create\(|generateText\(|\.generate\(/
const NOT_INSTALLED = URL_7 === undefined ? /from '(?:dd-trace|ai-7)'/ : /from 'dd-trace'/

/** What some example has to call, or the test would pass without it. */
const CALLS = [
  'chat.completions.create(',
  'responses.create(',
  'messages.create(',
  'generateText(',
  ...(URL_7 === undefined ? [] : ["from 'ai-7'"]),
]

/** Long enough to be marked for the cache of Anthropic. */
const MANUAL = 'Reset the device. '.repeat(300)

const LOCK = liveLock(
  { slug: 'support-agent', system: 'Answer in a {{ tone }} tone.' },
  {
    slug: 'support-triage',
    model: 'gpt-5.1',
    system: `${MANUAL}Be {{ tone }}.`,
    user: '{{ ticket }}',
  },
)

test('a service of models accepts the requests of each example that names an SDK', async () => {
  const folder = await writeModules(LOCK)
  await symlink(NODE_MODULES, join(folder, 'node_modules'))
  const { generateText: generateText7 } =
    URL_7 === undefined ? { generateText: generateText6 } : Object(await importNatively(URL_7))
  const { url, bodies } = await startModelService()
  const options = { apiKey: 'none', baseURL: url, maxRetries: 0 }
  onTestFinished(() => void vi.unstubAllEnvs().unstubAllGlobals())
  vi.stubEnv('OPENAI_API_KEY', 'none')
  vi.stubEnv('OPENAI_BASE_URL', url)
  // The provider reads the variables when it is imported. The AI SDK asks it for models by name.
  const { openai: provider } = await import('@ai-sdk/openai')
  vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', provider)

  const runs: Promise<void>[] = []
  const reader = {
    ticket: 'It beeps',
    tone: 'calm',
    model: 'gpt-5',
    max_tokens: 100,
    openai: new OpenAI(options),
    anthropic: new Anthropic(options),
    trace,
    expect,
    test: (_title: string, run: () => Promise<void>) => runs.push(run()),
  }
  const pages = await Promise.all(PAGES.map(codeBlocks))
  const blocks = pages.flat().filter((code) => SENDS.test(code) && !NOT_INSTALLED.test(code))
  for (const [index, code] of blocks.entries()) {
    const before = bodies.length
    const generateText = usesAISDK6(code) ? generateText6 : generateText7
    vi.stubGlobal('reader', { ...reader, generateText })
    const file = join(folder, `block-${index}.mjs`)
    await writeFile(file, runnable(code, Object.keys({ ...reader, generateText })))
    await importNatively(pathToFileURL(file).href)
    await Promise.all(runs)
    expect(bodies.length, code).toBeGreaterThan(before)
  }
  const sent = blocks.join('\n')
  expect(CALLS.filter((call) => !sent.includes(call))).toEqual([])
  const hot = { model: 'gpt-5', temperature: 0.2, messages: [] }
  await expect(reader.openai.chat.completions.create(hot)).rejects.toMatchObject({ status: 400 })
  expect(bodies).toContainEqual(
    expect.objectContaining({
      system: [
        expect.objectContaining({ cache_control: { type: 'ephemeral' } }),
        expect.anything(),
      ],
    }),
  )
})

/** The outer text on the page about composition. */
const OUTER = /```text\n(?<text>.*?)\n```/s

const PARTS = [
  { slug: 'agent-format', system: 'Answer in one line.' },
  { slug: 'agent-tools', system: 'Use {{ search_tool }} and {{ reply_tool }}.' },
  { slug: 'answer', system: '', user: '{{ question }}{{ knowledge }}' },
  { slug: 'example-list', system: '', user: 'Examples:\n{{ examples }}' },
  { slug: 'house-rules', system: 'Promise nothing.' },
  { slug: 'knowledge', system: '', user: 'Known: {{ knowledge }}' },
  { slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}' },
]

test('the examples of composition build the texts that the page promises', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../src/docs/composition.md'), 'utf8')
  const agent = { slug: 'agent', system: OUTER.exec(page)?.groups?.['text'] ?? '' }
  const folder = await writeModules(liveLock(agent, ...PARTS))
  onTestFinished(() => void vi.unstubAllGlobals())
  let count = 0
  const reader = {
    ticket: 'It beeps',
    tone: 'calm',
    tickets: ['a', 'b'],
    knowledge: '',
    isUrgent: true,
  }
  const run = async (code = '', values: Partial<typeof reader> = {}): Promise<unknown> => {
    vi.stubGlobal('reader', { ...reader, ...values })
    const result = code.includes('{ text }') ? 'text' : 'messages'
    const module = `${runnable(code, Object.keys(reader))}\nexport { ${result} as result }`
    const file = join(folder, `block-${count++}.mjs`)
    await writeFile(file, module)
    return ((await importNatively(pathToFileURL(file).href)) as { result: unknown }).result
  }
  const blocks = await codeBlocks('src/docs/composition.md')
  const [sections, phrase, list, history] = blocks
  const rules = 'You are the support agent of Acme.\n\nPromise nothing.\n\nUse search and reply.'
  expect(await run(sections, { tickets: [] })).toBe(`${rules}\n\nAnswer in one line.`)
  expect(await run(sections, { knowledge: 'X2' })).toBe(
    `${rules}\n\na\nb\n\nKnown: X2\n\nAnswer in one line.`,
  )
  expect(await run(phrase)).toBe('It beeps Answer within an hour.')
  expect(await run(list)).toBe('Examples:\n1. a\n2. b')
  expect(await run(history)).toMatchObject([
    { role: 'system', content: 'Be calm.' },
    { content: 'It beeps.' },
    { role: 'assistant' },
    { role: 'user', content: 'It beeps' },
  ])
})

/** The names of `virtual:prompts` that examples use without an import. */
const ENTRY = 'prompts toOpenAI toOpenAIResponses toAnthropic toAISDK toSpanAttributes'.split(' ')

/** A module of Node, with the names that a block does not declare itself. */
function runnable(code: string, reader: readonly string[]): string {
  const target = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const own = code
    .replace(/from 'virtual:prompts'/g, `from './entry.mjs'`)
    .replace(`from 'ai-7'`, `from '${URL_7}'`)
    .replace(/import \{.*\} from 'vitest'\n/, '')
  const { outputText } = ts.transpileModule(own, {
    compilerOptions: { ...target, verbatimModuleSyntax: true },
  })
  return `import { ${namesToAdd(code, ENTRY).join(', ')} } from './entry.mjs'
const { ${namesToAdd(own, reader).join(', ')} } = globalThis.reader
${outputText}`
}
