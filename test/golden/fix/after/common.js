import { prompts } from 'virtual:prompts'

const ticket = 'T8'
export const plain = prompts.supportTriage.render({ message: ticket, tone: 'calm' }).text

/** @param {{ ticket: string, tone: string }} values */
function triage(values) {
  return prompts.supportTriage.render({ ...values, message: values.ticket }).text
}
export const typed = triage({ ticket, tone: 'calm' })

export async function load() {
  const { prompts: loaded } = await import('virtual:prompts')
  const { newSummary: oldSummary } = loaded
  return oldSummary.render({ body: 'long' }).text
}
