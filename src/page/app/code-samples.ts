import { accessOf, keyOf, printString } from '../../core/app-code.ts'
import type { PromptView } from './entries.ts'

/** What code samples are for: a client, or a test of Vitest. */
export type SampleKind = 'openai' | 'anthropic' | 'aisdk' | 'test'

/** What stands for the user's message where a prompt has no user text. */
export const QUESTION = 'What the user asks'

/** The input of a code sample. */
export interface SampleSubject {
  /** The module that has the prompt. */
  readonly module: string
  readonly prompt: Pick<PromptView, 'slug' | 'identifier' | 'variables' | 'user'>
  readonly values: Readonly<Record<string, string>>
}

/** Formatted code that sends or tests a prompt with these values, ready to paste into an app. */
export function sampleOf(kind: SampleKind, { module, prompt, values }: SampleSubject): string {
  const names = prompt.variables.filter((name) => Object.hasOwn(values, name))
  const argument = names.length === 0 ? '' : `{\n${properties(names, values)}}`
  const question =
    prompt.user === '' ? `\n  messages: [{ role: 'user', content: '${QUESTION}' }],` : ''
  const parts = { module, access: accessOf(prompt), argument, question }
  return SAMPLES[kind]({ ...parts, slug: prompt.slug })
}

function properties(names: readonly string[], values: Readonly<Record<string, string>>): string {
  return names.map((name) => `  ${keyOf(name)}: ${printString(values[name] ?? '')},\n`).join('')
}

/** The parts of a sample. */
interface SampleParts {
  readonly module: string
  readonly slug: string
  readonly access: string
  /** The object with the values; empty without values. */
  readonly argument: string
  /** The messages that a prompt without user text needs. */
  readonly question: string
}

const SAMPLES: Readonly<Record<SampleKind, (parts: SampleParts) => string>> = {
  openai: (parts) => `import OpenAI from 'openai'
import { prompts, toOpenAI } from '${parts.module}'

const openai = new OpenAI()
const completion = await openai.chat.completions.create({
  model: ${parts.access}.model,
  ...${call('toOpenAI', parts)},
})
`,
  anthropic: (parts) => `import Anthropic from '@anthropic-ai/sdk'
import { prompts, toAnthropic } from '${parts.module}'

const anthropic = new Anthropic()
const message = await anthropic.messages.create({
  model: ${parts.access}.model,
  max_tokens: 1024,
  ...${call('toAnthropic', parts)},${parts.question}
})
`,
  aisdk: (parts) => `import { generateText } from 'ai'
import { prompts, toAISDK } from '${parts.module}'

const { text } = await generateText({
  model: ${parts.access}.model,
  ...${call('toAISDK', parts)},${parts.question}
})
`,
  test: ({ module, slug, access, argument }) => `import { prompts } from '${module}'
import { expect, test } from 'vitest'

test(${printString(slug)}, () => {
  const { text } = ${indent(`${access}.render(${argument})`)}
  expect(text).toMatchInlineSnapshot()
})
`,
}

function call(adapter: string, { access, argument }: SampleParts): string {
  return indent(`${adapter}(${access}${argument === '' ? '' : `, ${argument}`})`)
}

function indent(code: string): string {
  return code.replaceAll(/\n(?=.)/g, '\n  ')
}
