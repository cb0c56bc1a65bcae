import { accessOf, keyOf, printString } from '../../core/app-code.ts'
import type { PromptView } from './entries.ts'

/** The clients that code samples are for. */
export type SampleKind = 'openai' | 'anthropic' | 'aisdk'

/** What stands for the user's message where a prompt has no user text. */
export const QUESTION = 'What the user asks'

/** The input of a code sample. */
export interface SampleSubject {
  /** The module that has the prompt. */
  readonly module: string
  readonly prompt: Pick<PromptView, 'slug' | 'identifier' | 'variables' | 'user'>
  /** Of all variables. */
  readonly values: Readonly<Record<string, string>>
}

/** The values of all variables: an example such as `<ticket>` for each that has none, so that code compiles. */
export function withExamples(
  variables: readonly string[],
  values: SampleSubject['values'],
): SampleSubject['values'] {
  const valueOf = (name: string): string =>
    (Object.hasOwn(values, name) ? values[name] : undefined) ?? `<${name}>`
  return Object.fromEntries(variables.map((name) => [name, valueOf(name)]))
}

/** Formatted code that sends a prompt with these values, ready to paste into an app. */
export function sampleOf(kind: SampleKind, { module, prompt, values }: SampleSubject): string {
  const properties = prompt.variables.map(
    (name) => `  ${keyOf(name)}: ${printString(values[name] ?? '')},\n`,
  )
  const argument = properties.length === 0 ? '' : `{\n${properties.join('')}}`
  const access = accessOf(prompt)
  const call = (adapter: string): string =>
    indent(`${adapter}(${access}${argument === '' ? '' : `, ${argument}`})`)
  const question =
    prompt.user === '' ? `\n  messages: [{ role: 'user', content: '${QUESTION}' }],` : ''
  const samples: Readonly<Record<SampleKind, string>> = {
    openai: `import OpenAI from 'openai'
import { prompts, toOpenAI } from '${module}'

const openai = new OpenAI()
const completion = await openai.chat.completions.create({
  model: ${access}.model,
  ...${call('toOpenAI')},
})
`,
    anthropic: `import Anthropic from '@anthropic-ai/sdk'
import { prompts, toAnthropic } from '${module}'

const anthropic = new Anthropic()
const message = await anthropic.messages.create({
  model: ${access}.model,
  max_tokens: 1024,
  ...${call('toAnthropic')},${question}
})
`,
    aisdk: `import { generateText } from 'ai'
import { prompts, toAISDK } from '${module}'

const { text } = await generateText({
  model: ${access}.model,
  ...${call('toAISDK')},${question}
})
`,
  }
  return samples[kind]
}

function indent(code: string): string {
  return code.replaceAll(/\n(?=.)/g, '\n  ')
}
