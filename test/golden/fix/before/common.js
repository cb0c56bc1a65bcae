import { prompts } from 'virtual:prompts'

const ticket = 'T8'
export const plain = prompts.supportTriage.render({ ticket, tone: 'calm' }).text

/** @param {{ ticket: string, tone: string }} values */
function triage(values) {
  return prompts.supportTriage.render(values).text
}
export const typed = triage({ ticket, tone: 'calm' })

export async function load() {
  const { prompts: loaded } = await import('virtual:prompts')
  const { oldSummary } = loaded
  return oldSummary.render({ text: 'long' }).text
}
