import { prompts, type PromptMessage } from 'virtual:prompts'
import { product } from './product.ts'

/** What an agent needs a draft for. */
export interface Conversation {
  customer: string
  ticket: string
  knowledge: string
}

/** The messages that ask for a draft of a reply. */
export function replyMessages({ customer, ticket, knowledge }: Conversation): PromptMessage[] {
  const prompt = prompts.supportReply
  return prompt.render({ product, customer_name: customer, ticket, knowledge }).messages
}
