import { prompts, toOpenAI, type OpenAIChat } from 'virtual:prompts'

/**
 * What the help desk sends to the model when a ticket comes in. Leave out `tone`, or write
 * `tickett`, and this file no longer compiles.
 */
export function triageRequest(ticket: string): OpenAIChat {
  return toOpenAI(prompts.supportTriage, { ticket, tone: 'calm and factual' })
}
