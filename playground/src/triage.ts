import { type PromptMessage, prompts, toOpenAI } from 'virtual:prompts'

/**
 * What the help desk sends to the model when a ticket comes in. Leave out `tone`, or write
 * `tickett`, and this file no longer compiles.
 */
export function triageRequest(ticket: string): { model: string; messages: PromptMessage[] } {
  const { model } = prompts.supportTriage
  return { model, ...toOpenAI(prompts.supportTriage, { ticket, tone: 'calm and factual' }) }
}
