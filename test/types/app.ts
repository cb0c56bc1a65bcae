// Compiled by types.test.ts under TypeScript 6 and 7. A line that ends with `// error` must not
// compile; every other line must.
import { prompts, PromptVariableError, toAISDK, toAnthropic, toOpenAI } from 'virtual:prompts'
import type { Prompt, PromptMessage, RenderedPrompt } from 'virtual:prompts'
import * as all from 'virtual:prompts/all'

// Every variable is needed, under both names of the prompt.
prompts.supportTriage.render({ ticket: 'T', tone: 'calm' })
prompts['support-triage'].render({ ticket: 'T', tone: 'calm' })
all.supportTriage.render({ ticket: 'T', tone: 'calm' })
prompts.supportTriage.render() // error
prompts.supportTriage.render({}) // error
prompts.supportTriage.render({ ticket: 'T' }) // error
prompts['support-triage'].render({ ticket: 'T' }) // error
all.supportTriage.render({ ticket: 'T' }) // error

// A misspelt or surplus one is an error, even beside all others.
prompts.supportTriage.render({ ticket: 'T', tome: 'calm' }) // error
prompts.supportTriage.render({ ticket: 'T', tone: 'calm', more: 1 }) // error

// Values are text, numbers, booleans and bigints, and nothing that may be missing.
prompts.supportTriage.render({ ticket: 1, tone: true })
prompts.supportTriage.render({ ticket: 1n, tone: '' })
prompts.supportTriage.render({ ticket: null, tone: '' }) // error
prompts.supportTriage.render({ ticket: undefined, tone: '' }) // error
prompts.supportTriage.render({ ticket: {}, tone: '' }) // error
prompts.supportTriage.render({ ticket: ['T'], tone: '' }) // error
declare const maybe: string | undefined
prompts.supportTriage.render({ ticket: maybe, tone: '' }) // error

// Without variables there is nothing to give.
prompts.plain.render()
prompts.plain.render({}) // error

// Names that are no identifiers, and dotted variables.
prompts['3d']['render']({ 'user.name': 'A' })
prompts['3d'].render({ user: { name: 'A' } }) // error
prompts.nothing // error

// Fields are literal where it helps, and read-only.
const slug: 'support-triage' = prompts.supportTriage.slug
const version: 'v22' = prompts.supportTriage.version
const other: 'v23' = prompts.supportTriage.version // error
const names: readonly ('ticket' | 'tone')[] = prompts.supportTriage.variables
prompts.supportTriage.version = 'v22' // error
prompts.plain = prompts.plain // error

// Results fit together.
const rendered: RenderedPrompt = prompts.plain.render()
const messages: PromptMessage[] = rendered.messages
messages.push({ role: 'user', content: 'more' })
messages.push({ role: 'robot', content: 'more' }) // error
const any: Prompt = prompts.supportTriage
const chat: { model: string; temperature: number; messages: PromptMessage[] } = toOpenAI(
  prompts.plain,
)
toOpenAI(prompts.supportTriage, { ticket: 'T', tone: '' })
toOpenAI(prompts.supportTriage, { ticket: 'T' }) // error
toAnthropic(prompts.supportTriage, { ticket: 'T', tone: '' }).system.trim()
toAISDK(prompts.supportTriage, { ticket: 'T', tones: '' }) // error
const missing: readonly string[] = new PromptVariableError('a', 'v1', ['x']).missing

export { any, chat, missing, names, other, slug, version }
