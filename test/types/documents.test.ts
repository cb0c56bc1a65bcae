import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixtureApp } from '../helpers/compile-fixture.ts'
import { compileStrictly } from '../helpers/compile-strictly.js'
import { AI_SDK_7, codeBlocks, namesToAdd } from '../helpers/document-code.ts'
import { lockOf } from '../helpers/pinned.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The pages whose code is not run as a setup; nightly/built/package-of-prompts.test.ts runs that of monorepos.md. */
async function pagePaths(): Promise<string[]> {
  const names = await readdir(join(ROOT, 'src/docs'))
  const pages = names.filter((name) => name.endsWith('.md') && name !== 'monorepos.md')
  return ['README.md', ...[...pages, 'services/langfuse.md'].map((name) => `src/docs/${name}`)]
}

/** The configurations of services, which a reader copies. */
async function configurations(): Promise<string[]> {
  const folder = join(ROOT, 'src/docs/services')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mts'))
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

/** The prompts that the pages use. */
const LOCK = lockOf({
  staging: [
    {
      slug: 'support-triage',
      model: 'gpt-5.1',
      system: 'Sort. Be {{ tone }}',
      user: '{{ ticket }}',
    },
  ],
  live: [
    { slug: '3d', user: '{{ user.name }}' },
    {
      slug: 'agent',
      system: '{{ company }}{{ rules }}{{ tools }}{{ examples }}{{ knowledge }}{{ format }}',
    },
    { slug: 'agent-format' },
    { slug: 'agent-tools', system: '{{ search_tool }} {{ reply_tool }}' },
    { slug: 'answer', user: '{{ question }}{{ knowledge }}' },
    { slug: 'answer-de', user: '{{ question }}' },
    { slug: 'answer-en', user: '{{ question }}' },
    { slug: 'example-list', user: '{{ examples }}' },
    { slug: 'house-rules' },
    { slug: 'knowledge', user: '{{ knowledge }}' },
    { slug: 'plain' },
    { slug: 'sort-ticket', system: 'Answer as {{ schema }}', user: '{{ ticket }}' },
    { slug: 'support-agent', system: 'Answer in a {{ tone }} tone.' },
    {
      slug: 'support-triage',
      model: 'gpt-5.1',
      system: 'Sort in a {{ tone }} tone',
      user: '{{ ticket }}',
    },
    { slug: 'triage-prompt', system: '{{ tone }}', user: '{{ ticket }}' },
  ],
})

/** What a reader has, for blocks that use it without an import. */
const GIVEN: Readonly<Record<string, string>> = {
  ticket: 'string',
  tone: 'string',
  tickets: 'readonly string[]',
  userId: 'string',
  knowledge: 'string',
  isUrgent: 'boolean',
  flags: '{ readonly newTriage: boolean }',
  model: `'gpt-5'`,
  max_tokens: 'number',
  prompts: `typeof import('virtual:prompts').prompts`,
  toOpenAI: `typeof import('virtual:prompts').toOpenAI`,
  toOpenAIResponses: `typeof import('virtual:prompts').toOpenAIResponses`,
  toAnthropic: `typeof import('virtual:prompts').toAnthropic`,
  toAISDK: `typeof import('virtual:prompts').toAISDK`,
  openai: `import('openai').OpenAI`,
  anthropic: `import('@anthropic-ai/sdk').Anthropic`,
  toSpanAttributes: `typeof import('virtual:prompts').toSpanAttributes`,
  generateText: `typeof import('ai-7').generateText`,
  trace: `typeof import('@opentelemetry/api').trace`,
}
const PACKAGES = [
  '@ai-sdk/openai',
  '@anthropic-ai/sdk',
  '@langfuse/client',
  '@langfuse/tracing',
  '@opentelemetry/api',
  'ai',
  'openai',
  'vite',
  'vitest',
  'zod',
]

const TRIAGE_PROMPT =
  'export declare const triagePrompt: (values: { tone: string; ticket: string }) => string\n'

/** The blocks are compiled against its types at night. */
const UNTYPED_AI_SDK_7 = `declare module 'ai-7' {
  export const generateText: (request: unknown) => Promise<unknown>
  export const tool: <T>(tool: T & { execute: (input: { query: string }) => unknown }) => unknown
  export const ToolLoopAgent: any
  export type LanguageModel = unknown
}
`

/** The one that is quick with the declarations of many packages. */
const COMPILER = { path: 'typescript-7', resolution: 'bundler', skipLibCheck: true } as const

/** What the blocks import. */
const OTHERS: Readonly<Record<string, string>> = {
  'second-workspace.d.ts': `declare module 'virtual:billing-prompts' { export const prompts: unknown }\n`,
  'triage.ts': 'export declare const question: (ticket: string) => string\n',
  'triage-prompt.ts': TRIAGE_PROMPT,
  'old-triage-prompt.ts': TRIAGE_PROMPT,
  ...(AI_SDK_7 === undefined ? { 'ai-7.d.ts': UNTYPED_AI_SDK_7 } : {}),
  // Compiled against its types at night: the package is large.
  'dd-trace.d.ts': `declare module 'dd-trace'\n`,
}

test('the code of the documents compiles', async () => {
  const pages = (await Promise.all((await pagePaths()).map(codeBlocks))).flat()
  const blocks = [...pages.map(compilable), ...(await configurations())]
  const code = blocks.map((block, index) => [`block-${index}.ts`, block])
  const files = { ...OTHERS, ...Object.fromEntries(code) }
  const app = await fixtureApp({ files, packages: PACKAGES, lock: LOCK })
  if (AI_SDK_7 !== undefined) await symlink(AI_SDK_7, join(app, 'node_modules/ai-7'))
  const refusals = await compileStrictly(app, COMPILER)
  const shown = refusals.map(({ place, text }) => ({
    text,
    code: blocks[Number(/^block-(\d+)/.exec(place)?.[1])],
  }))
  expect(shown).toEqual([])
  expect(pages.length).toBeGreaterThan(8)
})

test('a misspelt variable in the code that keeps an SDK does not compile', async () => {
  const [block = ''] = await codeBlocks('src/docs/keep-your-sdk.md')
  const files = { 'sdk.ts': block.replace('{ tone } satisfies', '{ tonne: tone } satisfies') }
  const app = await fixtureApp({ files, packages: PACKAGES, lock: LOCK })
  const refusals = await compileStrictly(app, COMPILER)
  expect(refusals).toMatchObject([{ text: expect.stringContaining('tonne') }])
})

/** A module in which what the block does not declare itself is given. */
function compilable(code: string): string {
  const given = namesToAdd(code, Object.keys(GIVEN)).map(
    (name) => `declare const ${name}: ${GIVEN[name]}\n`,
  )
  return `${given.join('')}${code}\nexport {}\n`
}
