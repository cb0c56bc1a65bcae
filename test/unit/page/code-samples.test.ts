import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { assert as hold, asyncProperty } from 'fast-check'
import { format, type FormatConfig } from 'oxfmt'
import { describe, expect, test } from 'vitest'
import { type SampleKind, sampleOf } from '../../../src/page/app/code-samples.ts'
import type { PromptView } from '../../../src/page/app/entries.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { pinned } from '../../helpers/pinned.ts'

const KINDS: readonly SampleKind[] = ['openai', 'anthropic', 'aisdk']

function viewOf(fields: Partial<PromptView>): PromptView {
  return { ...pinned(fields), identifier: 'supportTriage', variables: [], ...fields }
}

/** Fits in a line when every character is escaped. */
const shortText = hostileText.map((text) => text.slice(0, 10))

describe('a code sample', () => {
  const variables = ['ticket', 'a-b', '__proto__']
  const values = Object.fromEntries([
    ['ticket', 'line 1\nline "2" `${x}` \u202e'],
    ['a-b', `it's`],
    ['__proto__', String.raw`\"`],
  ])

  test('contains values as quoted text and keys as names', () => {
    expect(sampleOf('openai', { module: 'virtual:prompts', prompt: viewOf({ variables }), values }))
      .toMatchInlineSnapshot(`
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

  test('reaches a prompt without an identifier by its slug', () => {
    const prompt = viewOf({ slug: `3d"`, identifier: null })
    expect(sampleOf('aisdk', { module: 'virtual:prompts', prompt, values: {} })).toContain(
      `toAISDK(prompts['3d"'])`,
    )
  })

  test.each(KINDS)('for %s imports the module of its workspace', (kind) => {
    const modules = ['prompts', 'billing-prompts'].map(
      (name) =>
        / 'virtual:(.*)'/.exec(
          sampleOf(kind, { module: `virtual:${name}`, prompt: viewOf({}), values: {} }),
        )?.[1],
    )
    expect(modules).toEqual(['prompts', 'billing-prompts'])
  })

  test.each(KINDS)('for %s is formatted, for any values that fit in a line', async (kind) => {
    const path = resolve(import.meta.dirname, '../../../.oxfmtrc.json')
    const options = JSON.parse(await readFile(path, 'utf8')) as FormatConfig
    await hold(
      asyncProperty(shortText, shortText, async (value, other) => {
        const given = Object.fromEntries([...variables.map((name) => [name, value]), ['b', other]])
        for (const prompt of [viewOf({ variables: [...variables, 'b'] }), viewOf({})]) {
          const sample = sampleOf(kind, { module: 'virtual:prompts', prompt, values: given })
          const { code, errors } = await format('sample.ts', sample, options)
          expect({ code, errors }).toEqual({ code: sample, errors: [] })
        }
      }),
      { numRuns: 50 },
    )
  })
})
