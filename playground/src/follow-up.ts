import { type PromptMessage, prompts } from 'virtual:prompts'
import { prompts as staging } from 'virtual:prompts/staging'
import { product } from './product.ts'

/** Who the e-mail is for, and what was said. */
export interface Call {
  contact: string
  notes: string
}

/**
 * The e-mail after a call. A team with early access gets the staging version, which calls the contact
 * `customer_name`: the values satisfy both versions, or this file does not compile.
 */
export function followUp(
  team: { hasEarlyAccess: boolean },
  { contact, notes }: Call,
): { version: string; messages: PromptMessage[] } {
  const prompt = team.hasEarlyAccess ? staging.salesFollowUp : prompts.salesFollowUp
  const values = { product, contact, customer_name: contact, call_notes: notes }
  return { version: prompt.version, messages: prompt.render(values).messages }
}
