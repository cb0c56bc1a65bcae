import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { APP_EXPORTS, planModule } from '../../../src/codegen/plan-module.ts'
import { printDeclarations } from '../../../src/codegen/declarations.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { HOSTILE } from '../../helpers/hostile.ts'
import { LANGUAGE_SERVERS, type LanguageServer, type Place } from '../../helpers/language-server.ts'
import { liveLock } from '../../helpers/pinned.ts'

const PROMPTS: readonly Partial<PinnedPrompt>[] = [
  { slug: 'plain', system: 'Hello' },
  { slug: 'support-triage', system: 'Sort {{ ticket }}.\nBe {{ tone }}.\nAlways' },
  { slug: 'text to html', system: 'Turn {{ user.name }} around' },
]

const TYPES = ['AnyPrompt', 'ModelOf', 'Prompt', 'Prompts', 'PromptMessage', 'PromptValue'].concat([
  'RenderArguments',
  'RenderedPrompt',
  'VariablesOf',
])

/** Opens an app and returns the place of `|` in its code. */
async function edit(server: LanguageServer, code: string, prompts = PROMPTS): Promise<Place> {
  // Double quotes: TypeScript 7.0.2 completes `[a-b]` in a file of single ones, and `[3d]` in any.
  const text = `import { prompts } from "virtual:prompts"\n${code.replace('|', '')}\n`
  const root = await appFolder({
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    'prompts.d.ts': printDeclarations(planModule(liveLock(...prompts))),
    'src/main.ts': text,
  })
  const file = join(root, 'src/main.ts')
  server.open(file, text)
  const before = code.slice(0, code.indexOf('|')).split('\n')
  const column = (before.at(-1) ?? '').length + 1
  return { file, line: before.length + 1, column }
}

describe.each(Object.entries(LANGUAGE_SERVERS))('an editor with %s', (_, start) => {
  let server: LanguageServer

  beforeAll(async () => {
    server = await start()
  })

  afterAll(() => server.close())

  test.each([
    [
      'prompts.support|Triage',
      'support · gpt-5 · v22\n\n```text\nSort {{ ticket }}.\nBe {{ tone }}.\n```',
    ],
    ["prompts['support|-triage']", 'Same as `prompts.supportTriage`.'],
  ])('shows at %s the contract and what describes the prompt', async (code, text) => {
    const cursor = await edit(server, code)
    const shown = await server.hover(cursor)
    expect(shown).toContain('slug: "support-triage"')
    expect(shown).toContain(text)
  })

  test('shows documentation of every name that is imported, and of what a prompt returns', async () => {
    const names = [...APP_EXPORTS, 'prompts', ...TYPES]
    const imports = names.map((name) => `import { type ${name} } from "virtual:prompts"\n`).join('')
    const results = ['system', 'user', 'text', 'messages']
    const reads = results.map((name) => `result.${name}\n`).join('')
    const code = `${imports}const result = prompts.plain.render()\n${reads}|`
    const { file, line } = await edit(server, code)
    const first = line - names.length - 1 - results.length
    for (const [index, name] of names.entries())
      await shows(name, { file, line: first + index, column: 'import { type '.length + 1 })
    for (const [index, name] of results.entries())
      await shows(name, { file, line: line - results.length + index, column: 'result.'.length + 1 })

    async function shows(name: string, place: Place): Promise<void> {
      const documentation = (await server.hover(place)).replaceAll(/```[^]*?```|^[^\n]*\n/g, '')
      expect({ name, documentation }).toEqual({
        name,
        documentation: expect.stringMatching(/\w+ \w+/),
      })
    }
  })

  test.each([
    ['toAISDK', 'the AI SDK 7'],
    ['toAISDK6', 'the AI SDK 5 and 6'],
    ['toAnthropic', "Anthropic's messages"],
    ['toOpenAI', "OpenAI's chat completions"],
    ['toOpenAIResponses', "OpenAI's responses"],
  ])('shows at a call of %s that it is for %s', async (name, target) => {
    const cursor = await edit(
      server,
      `import { ${name} } from "virtual:prompts"\nto|${name.slice(2)}(prompts.plain)`,
    )
    expect(await server.hover(cursor)).toContain(target)
  })

  test('goes from a value to the variable in the declarations, through an adapter too', async () => {
    const cursor = await edit(
      server,
      `import { toOpenAI } from "virtual:prompts"
const ticket = 'T'
prompts.supportTriage.render({ ticket, tone: 'calm' })
toOpenAI(prompts.supportTriage, { tick|et: 'T', tone: 'calm' })`,
    )
    const [place] = await server.definition(cursor)
    expect(place?.file).toMatch(/prompts\.d\.ts$/)
  })

  test('completes every name of a prompt, in brackets if necessary', async () => {
    const cursor = await edit(server, 'prompts.|')
    const offered = await server.completions(cursor)
    expect(Object.fromEntries(offered.map(({ name, text }) => [name, text]))).toEqual({
      plain: 'plain',
      'support-triage': '["support-triage"]',
      supportTriage: 'supportTriage',
      'text to html': '["text to html"]',
      textToHtml: 'textToHtml',
    })
  })

  test('completes every slug and identifier inside brackets', async () => {
    const cursor = await edit(server, "prompts['|']")
    const names = (await server.completions(cursor)).map(({ name }) => name)
    const wanted = ['plain', 'support-triage', 'supportTriage', 'text to html', 'textToHtml']
    expect(names.toSorted()).toEqual(wanted)
  })

  test.each([
    { code: 'prompts.supportTriage.render({ | })', want: ['ticket', 'tone'] },
    { code: "prompts.supportTriage.render({ tone: '', | })", want: ['ticket'] },
    { code: "prompts['text to html'].render({ | })", want: ['user.name'] },
  ])('offers the variables that are not given yet: $code', async ({ code, want }) => {
    const cursor = await edit(server, code)
    const names = (await server.completions(cursor)).map(({ name }) => name.replaceAll('"', ''))
    expect(names.toSorted()).toEqual(want)
  })

  test('reports a misspelt variable with the existing ones, or with the one that was meant', async () => {
    const code = `prompts.supportTriage.render({ ticket: 'T', mood: 'calm' })
      prompts.supportTriage.render({ tickt: 'T', tone: 'calm' })|`
    const cursor = await edit(server, code)
    const type = `type '{ ticket: PromptValue; tone: PromptValue; }'`
    expect(await server.problems(cursor.file)).toEqual([
      `Object literal may only specify known properties, and 'mood' does not exist in ${type}.`,
      `Object literal may only specify known properties, but 'tickt' does not exist in ${type}. Did you mean to write 'ticket'?`,
    ])
  })

  test('shows hostile text as text: no tag, no link, and its block does not end early', async () => {
    const texts = [
      ...HOSTILE,
      '@deprecated',
      '{@link x}',
      '```\n@see x',
      '*/ declare const x: 1 /*',
    ]
    const prompts = texts.map((text, index) => ({ slug: `p${index}`, folder: text, system: text }))
    const code = prompts.map(({ slug }) => `prompts.${slug}`).join('\n')
    const cursor = await edit(server, `${code}|`, prompts)
    expect(await server.problems(cursor.file)).toEqual([])
    for (const [index, { slug }] of prompts.entries()) {
      const shown = await server.hover({
        ...cursor,
        line: index + 2,
        column: 'prompts.'.length + 1,
      })
      expect(shown).toContain(`slug: "${slug}"`)
      expect(shown.split('```text').at(-1)?.match(/```/g)).toHaveLength(1)
      expect(shown).not.toMatch(/@deprecated|@see|@link|\*\//)
    }
  })
})
