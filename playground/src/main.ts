import { prompts, PromptVariableError, type PromptMessage } from 'virtual:prompts'
import { explainQueryMessages } from './explain-query.ts'
import { followUp } from './follow-up.ts'
import { replyMessages } from './reply.ts'
import { triageRequest } from './triage.ts'

const ticket = 'Since 9:40 nobody in our Lyon office can sign in. We pasted {{ token }} as told.'

const request = triageRequest(ticket)
const { version } = prompts.supportTriage
print(`support-triage ${version} for ${request.model}`, request.messages)

print(
  'support-reply, with four variables',
  replyMessages({
    customer: 'Inès Moreau',
    ticket,
    knowledge: 'Sign-in goes through Okta since March; its certificate ended today.',
  }),
)

print(
  'sql-explainer, without variables',
  explainQueryMessages('select queue, count(*) from tickets group by queue'),
)

for (const hasEarlyAccess of [false, true]) {
  const call = { contact: 'Inès Moreau', notes: 'Tickets get lost between shifts.' }
  const { version: chosen, messages } = followUp({ hasEarlyAccess }, call)
  print(`sales-follow-up ${chosen}, ${hasEarlyAccess ? 'staging' : 'live'} by a flag`, messages)
}

try {
  // The compiler refuses this call; `as never` stands for an app in plain JavaScript.
  prompts.supportTriage.render({ ticket } as never)
} catch (error) {
  if (!(error instanceof PromptVariableError)) throw error
  console.log(`And where types can't help, render throws:\n  ${error.message}`)
}

function print(title: string, messages: readonly PromptMessage[]): void {
  console.log(`── ${title}`)
  for (const { role, content } of messages) console.log(`${role.padStart(8)} │ ${shorten(content)}`)
  console.log()
}

/** The first and the last two lines of a text: enough to recognize it. */
function shorten(text: string): string {
  const lines = text.split('\n')
  const shown = lines.length > 5 ? [...lines.slice(0, 2), '…', ...lines.slice(-2)] : lines
  return shown.join('\n         │ ')
}
