import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { assert as hold, asyncProperty } from 'fast-check'
import { format, type FormatConfig } from 'oxfmt'
import { describe, expect, test } from 'vitest'
import { type SampleKind, sampleOf } from '../../../src/page/app/code-samples.ts'
import { hostileText } from '../../helpers/hostile.ts'

const KINDS: readonly SampleKind[] = ['openai', 'anthropic', 'aisdk']

function sample(kind: SampleKind, subject: Partial<Parameters<typeof sampleOf>[1]>): string {
  const access = 'prompts.supportTriage'
  return sampleOf(kind, { module: 'virtual:prompts', access, user: '', values: {}, ...subject })
}

/** Fits in a line when every character is escaped. */
const shortText = hostileText.map((text) => text.slice(0, 10))

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

  test.each(KINDS)('for %s is formatted, for any values that fit in a line', async (kind) => {
    const path = resolve(import.meta.dirname, '../../../.oxfmtrc.json')
    const options = JSON.parse(await readFile(path, 'utf8')) as FormatConfig
    await hold(
      asyncProperty(shortText, shortText, async (value, other) => {
        const names = ['ticket', 'a-b', '__proto__']
        const values = Object.fromEntries([...names.map((name) => [name, value]), ['b', other]])
        for (const subject of [{ values }, { user: '{{ ticket }}' }]) {
          const code = sample(kind, subject)
          expect(await format('sample.ts', code, options)).toMatchObject({ code, errors: [] })
        }
      }),
      { numRuns: 50 },
    )
  })
})
