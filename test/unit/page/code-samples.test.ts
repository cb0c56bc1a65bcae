import { describe, expect, test } from 'vitest'
import { type SampleKind, sampleOf } from '../../../src/page/app/code-samples.ts'

const KINDS: readonly SampleKind[] = ['openai', 'anthropic', 'aisdk']

function sample(kind: SampleKind, subject: Partial<Parameters<typeof sampleOf>[1]>): string {
  const access = 'prompts.supportTriage'
  return sampleOf(kind, { module: 'virtual:prompts', access, user: '', values: {}, ...subject })
}

describe('a code sample', () => {
  test('contains values as quoted text and keys as names', () => {
    const values = Object.fromEntries([
      ['ticket', 'line 1\nline "2" `${x}` \u202e'],
      ['a-b', `it's`],
      ['__proto__', String.raw`\"`],
    ])
    expect(sample('openai', { values })).toMatchInlineSnapshot(`
        "import OpenAI from 'openai'
        import { prompts, toOpenAI } from 'virtual:prompts'

        const openai = new OpenAI()
        const completion = await openai.chat.completions.create({
          model: prompts.supportTriage.model,
          ...toOpenAI(prompts.supportTriage, {
            ticket: 'line 1\\nline "2" \`\${x}\` \\u202e',
            'a-b': "it's",
            ['__proto__']: '\\\\"',
          }),
        })
        "
      `)
  })

  test.each(KINDS)('for %s imports the module of its workspace', (kind) => {
    const module = 'virtual:billing-prompts'
    expect(sample(kind, { module })).toContain(` from '${module}'\n`)
  })
})
