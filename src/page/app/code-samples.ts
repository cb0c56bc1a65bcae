import { isIdentifier } from '../../core/names.ts'
import { printJsonString } from '../../core/text/json-string.ts'
import { virtualModuleId } from '../../core/workspace-name.ts'
import type { PromptView } from '../protocol.ts'

/** The clients with code samples. */
export type SampleKind = 'openai' | 'anthropic' | 'aisdk'

/** The expression for a prompt in the app: `prompts.supportTriage`, `prompts["a.b"]`. */
export function accessOf({ slug, identifier }: Pick<PromptView, 'slug' | 'identifier'>): string {
  return identifier === null ? `prompts[${printJsonString(slug)}]` : `prompts.${identifier}`
}

/** The input of a code sample. */
export interface SampleSubject {
  /** Name of the workspace in the app. */
  readonly workspace: string
  readonly prompt: PromptView
  readonly values: Readonly<Record<string, string>>
}

/** Code that sends a prompt with these values, ready to paste into an app. */
export function sampleOf(kind: SampleKind, { workspace, prompt, values }: SampleSubject): string {
  const names = prompt.variables.filter((name) => Object.hasOwn(values, name))
  const call = names.length === 0 ? '' : `, {\n${properties(names, values)}}`
  return SAMPLES[kind]({ module: virtualModuleId(workspace), access: accessOf(prompt), call })
}

/** Quotes values, so that nothing in them is invisible or runs as code. */
function properties(names: readonly string[], values: Readonly<Record<string, string>>): string {
  return names.map((name) => `  ${keyOf(name)}: ${printJsonString(values[name] ?? '')},\n`).join('')
}

function keyOf(name: string): string {
  if (name === '__proto__') return '["__proto__"]'
  return isIdentifier(name) ? name : printJsonString(name)
}

/** The parts of a sample: the import, and the call that renders the prompt. */
interface SampleParts {
  readonly module: string
  readonly access: string
  readonly call: string
}

const SAMPLES: Readonly<Record<SampleKind, (pieces: SampleParts) => string>> = {
  openai: ({ module, access, call }) => `import OpenAI from 'openai'
import { prompts, toOpenAI } from '${module}'

const openai = new OpenAI()
const completion = await openai.chat.completions.create(
${indent(`toOpenAI(${access}${call}),`)}
)
`,
  anthropic: ({ module, access, call }) => `import Anthropic from '@anthropic-ai/sdk'
import { prompts, toAnthropic } from '${module}'

const anthropic = new Anthropic()
const { model, temperature } = ${access}
const message = await anthropic.messages.create({
  model,
  temperature,
  max_tokens: 1024,
${indent(`...toAnthropic(${access}${call}),`)}
})
`,
  aisdk: ({ module, access, call }) => `import { generateText } from 'ai'
import { prompts, toAISDK } from '${module}'

const { model, temperature } = ${access}
const { system: instructions, messages } = toAISDK(${access}${call})
// Before AI SDK 7, instructions were called system.
const { text } = await generateText({ model, temperature, instructions, messages })
`,
}

function indent(code: string): string {
  return code.replaceAll(/^(?=.)/gm, '  ')
}
