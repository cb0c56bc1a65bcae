import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { planModule } from '../../src/codegen/plan-module.ts'
import { printDeclarations } from '../../src/codegen/print-declarations.ts'
import { sha256 } from '../../src/fs/digest.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { LANGUAGE_SERVERS, type LanguageServer, type Place } from '../helpers/language-server.ts'
import { liveLock } from '../helpers/pinned.ts'

const PROMPTS: readonly Partial<PinnedPrompt>[] = [
  { slug: 'plain', system: 'Hello' },
  { slug: 'support-triage', system: 'Sort {{ ticket }}.\nBe {{ tone }}.\nAlways' },
  { slug: 'text to html', system: 'Turn {{ user.name }} around' },
]

/** Opens an app and returns the place of `|` in its code. */
async function edit(server: LanguageServer, code: string, prompts = PROMPTS): Promise<Place> {
  // Double quotes: TypeScript 7.0.2 completes `[a-b]` in a file of single ones, and `[3d]` in any.
  const text = `import { prompts } from "virtual:prompts"\n${code.replace('|', '')}\n`
  const root = await appFolder({
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    'prompts.d.ts': printDeclarations(planModule(liveLock(...prompts)), { digest: sha256 }),
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

  test.each(['prompts.support|Triage', "prompts['support|-triage']"])(
    'shows at %s the folder of the prompt and the beginning of its text',
    async (code) => {
      const cursor = await edit(server, code)
      const shown = await server.hover(cursor)
      expect(shown).toContain('Prompt<"support-triage", "v22", "ticket" | "tone">')
      expect(shown).toContain(
        'support · gpt-5 · v22\n\n```text\nSort {{ ticket }}.\nBe {{ tone }}.\nAlways\n```',
      )
    },
  )

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
    const type = `type 'PromptVariables<"ticket" | "tone">'`
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
      expect(shown).toContain(`Prompt<"${slug}", "v22", `)
      expect(shown.split('```text').at(-1)?.match(/```/g)).toHaveLength(1)
      expect(shown).not.toMatch(/@deprecated|@see|@link|\*\//)
    }
  })
})
