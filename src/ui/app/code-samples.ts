import { isIdentifier } from '../../core/names.ts'
import { quote } from '../../core/quote.ts'
import type { PromptView } from '../protocol.ts'

/** The clients that there are samples for. */
export type SampleKind = 'openai' | 'anthropic' | 'aisdk'

/** How the app reaches a prompt: `prompts.supportTriage`, `prompts["a.b"]`. */
export function accessOf({ slug, identifier }: Pick<PromptView, 'slug' | 'identifier'>): string {
  return identifier === null ? `prompts[${quote(slug)}]` : `prompts.${identifier}`
}

/** Code that sends a prompt with these values, ready to be pasted into an app. */
export function sampleOf(
  kind: SampleKind,
  prompt: PromptView,
  values: Readonly<Record<string, string>>,
): string {
  const names = prompt.variables.filter((name) => Object.hasOwn(values, name))
  const call = names.length === 0 ? '' : `, {\n${properties(names, values)}}`
  return SAMPLES[kind](accessOf(prompt), call)
}

/** Values are quoted so that nothing in them is invisible or code. */
function properties(names: readonly string[], values: Readonly<Record<string, string>>): string {
  return names.map((name) => `  ${keyOf(name)}: ${quote(values[name] ?? '')},\n`).join('')
}

function keyOf(name: string): string {
  if (name === '__proto__') return '["__proto__"]'
  return isIdentifier(name) ? name : quote(name)
}

const SAMPLES: Readonly<Record<SampleKind, (access: string, call: string) => string>> = {
  openai: (access, call) => `import OpenAI from 'openai'
import { prompts, toOpenAI } from 'virtual:prompts'

const openai = new OpenAI()
const completion = await openai.chat.completions.create(
${indent(`toOpenAI(${access}${call}),`)}
)
`,
  anthropic: (access, call) => `import Anthropic from '@anthropic-ai/sdk'
import { prompts, toAnthropic } from 'virtual:prompts'

const anthropic = new Anthropic()
const { model, temperature } = ${access}
const message = await anthropic.messages.create({
  model,
  temperature,
  max_tokens: 1024,
${indent(`...toAnthropic(${access}${call}),`)}
})
`,
  aisdk: (access, call) => `import { generateText } from 'ai'
import { prompts, toAISDK } from 'virtual:prompts'

const { model, temperature } = ${access}
const { system: instructions, messages } = toAISDK(${access}${call})
// Before AI SDK 7, instructions were called system.
const { text } = await generateText({ model, temperature, instructions, messages })
`,
}

function indent(code: string): string {
  return code.replaceAll(/^(?=.)/gm, '  ')
}
