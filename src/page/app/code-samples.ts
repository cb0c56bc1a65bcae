import { keyOf, printString } from '../../core/app-code.ts'
import { toAISDK, toAnthropic, toOpenAI } from '../../runtime/index.ts'
import { type LivePrompt, type Values, valueOf } from './live-prompt.ts'

/** The clients that code samples are for. */
export type SampleKind = 'openai' | 'anthropic' | 'aisdk'

/** What stands for the user's message where a prompt has no user text. */
const QUESTION = 'What the user asks'

/** The input of a code sample. */
interface SampleSubject {
  /** The module that has the prompt. */
  readonly module: string
  /** The expression for the prompt. */
  readonly access: string
  /** The user text of the prompt. */
  readonly user: string
  /** Of all variables, in order. */
  readonly values: Values
}

/** The values of all variables, with an example such as `<ticket>` for each that has none: code compiles. */
export function withExamples(variables: readonly string[], values: Values): Values {
  return Object.fromEntries(variables.map((name) => [name, valueOf(values, name) ?? `<${name}>`]))
}

/** Formatted code that sends a prompt with these values, ready to paste into an app. */
export function sampleOf(
  kind: SampleKind,
  { module, access, user, values }: SampleSubject,
): string {
  const properties = Object.entries(values).map(
    ([name, value]) => `    ${keyOf(name)}: ${printString(value)},\n`,
  )
  const argument = properties.length === 0 ? access : `${access}, {\n${properties.join('')}  }`
  const question = user === '' ? `\n  messages: [{ role: 'user', content: '${QUESTION}' }],` : ''
  const samples: Readonly<Record<SampleKind, string>> = {
    openai: `import OpenAI from 'openai'
import { prompts, toOpenAI } from '${module}'

const openai = new OpenAI()
const completion = await openai.chat.completions.create({
  model: ${access}.model,
  ...toOpenAI(${argument}),
})
`,
    anthropic: `import Anthropic from '@anthropic-ai/sdk'
import { prompts, toAnthropic } from '${module}'

const anthropic = new Anthropic()
const message = await anthropic.messages.create({
  model: ${access}.model,
  max_tokens: 1024,
  ...toAnthropic(${argument}),${question}
})
`,
    aisdk: `import { generateText } from 'ai'
import { prompts, toAISDK } from '${module}'

const { text } = await generateText({
  model: ${access}.model,
  ...toAISDK(${argument}),${question}
})
`,
  }
  return samples[kind]
}

const ADAPTERS = { openai: toOpenAI, anthropic: toAnthropic, aisdk: toAISDK } as const

/** What the code sample for a client sends with these values. */
export function requestOf(kind: SampleKind, live: LivePrompt, values: Values): object {
  const { model, userSource } = live
  const limits = kind === 'anthropic' ? { max_tokens: 1024 } : {}
  const needsQuestion = kind !== 'openai' && userSource === ''
  const question = needsQuestion ? { messages: [{ role: 'user', content: QUESTION }] } : {}
  // The adapters know variables by their types only.
  const adapt = ADAPTERS[kind] as (prompt: object) => object
  return { model, ...limits, ...adapt({ ...live, render: () => live.render(values) }), ...question }
}
