import { prompts, PromptVariableError, type PromptMessage } from 'virtual:prompts'
import { explainQueryMessages } from './explain-query.ts'
import { followUp } from './follow-up.ts'
import { replyMessages } from './reply.ts'
import { triageRequest } from './triage.ts'

const ticket = 'Since 9:40 nobody in our Lyon office can sign in.'

const request = triageRequest(ticket)
const { version } = prompts.supportTriage
print(`support-triage ${version} for ${request.model}`, request.messages)

const reply = { customer: 'Inès Moreau', ticket, knowledge: 'Its certificate ended today.' }
print('support-reply, with four variables', replyMessages(reply))

print('sql-explainer, without variables', explainQueryMessages('select count(*) from tickets'))

const call = { contact: 'Inès Moreau', notes: 'Tickets get lost between shifts.' }
const live = followUp({ hasEarlyAccess: false }, call)
const staging = followUp({ hasEarlyAccess: true }, call)
console.log(`sales-follow-up ${live.version} (live) or ${staging.version} (staging), by a flag`)
const [before, after] = [live, staging].map((one) => linesOf(one.messages))
for (const [index, line] of before.entries())
  if (line !== after[index]) console.log(`  live    │ ${line}\n  staging │ ${after[index]}`)

try {
  // The compiler refuses this call; `as never` stands for an app in plain JavaScript.
  prompts.supportTriage.render({ ticket } as never)
} catch (error) {
  if (!(error instanceof PromptVariableError)) throw error
  console.log(`Where types can't help, render throws: ${error.message}`)
}

/** A title with the last line of the messages. */
function print(title: string, messages: readonly PromptMessage[]): void {
  console.log(`${title} │ ${linesOf(messages).at(-1)}`)
}

function linesOf(messages: readonly PromptMessage[]): string[] {
  return messages.flatMap(({ content }) => content.split('\n'))
}
