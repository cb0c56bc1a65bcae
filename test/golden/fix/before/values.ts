// How code passes values.
import { prompts, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from 'virtual:prompts'

declare const process: { env: Record<string, string | undefined> }
const ticket = 'T3'
const tone = 'calm'
const urgent: boolean = ticket.length > 1
const request = { body: { ticket: 'T4', tone: 'warm' }, id: 7 }

export const shorthand = prompts.supportTriage.render({ ticket, tone }).text
export const property = prompts.supportTriage.render({ ticket: request.body.ticket, tone }).text
export const literalValue = prompts.supportTriage.render({ ticket: 'literal', tone: 'calm' }).text
export const templateValue = prompts.supportTriage.render({ ticket: `T-${request.id}`, tone }).text
export const computedValue = prompts.supportTriage.render({ ticket: ticket.trim(), tone }).text
export const conditionalValue = prompts.supportTriage.render({
  ticket: urgent ? 'now' : 'later',
  tone,
}).text
export const nested = prompts.supportTriage.render({
  ticket: prompts.stays.render({ ticket }).text,
  tone,
}).text
export const quotedKey = prompts.supportTriage.render({ 'ticket': ticket, "tone": tone }).text
export const computedKey = prompts.supportTriage.render({ ['ticket']: ticket, tone }).text
export const getter = prompts.supportTriage.render({
  get ticket() {
    return 'got'
  },
  tone,
}).text
export const oneLine = prompts.supportTriage.render({ticket,tone}).text
export const trailing = prompts.supportTriage.render({
  ticket,
  tone,
},).text
export const commented = prompts.supportTriage.render({
  // what the customer wrote
  ticket, // as it is
  /* how to answer */ tone /* always calm */,
}).text
export const commentedKey = prompts.supportTriage.render({ /* key */ ticket /* colon */ : /* value */ ticket, tone }).text

// Objects that are not written in the call.
const built = { ticket, tone }
export const builtBefore = prompts.supportTriage.render(built).text
export const builtTwice = toOpenAI(prompts.supportTriage, built).messages[0]?.content
export const builtRead = built.ticket + built['ticket']
const { ticket: read } = built
export const builtBinding = read

const frozen = { ticket, tone } as const
export const asConst = prompts.supportTriage.render(frozen).text
const shared = { ticket, tone }
export const sharedHere = prompts.supportTriage.render(shared).text
export const sharedThere = prompts.stays.render(shared).text
export const logged = JSON.stringify(shared)
const base = { ticket }
export const spread = prompts.supportTriage.render({ ...base, tone }).text
export const spreadLiteral = prompts.supportTriage.render({ ...{ ticket }, tone }).text
export const spreadPath = prompts.supportTriage.render({ ...request.body, tone }).text
export const spreadOverride = prompts.supportTriage.render({ ...request.body, ticket }).text
export const spreadConditional = prompts.supportTriage.render({
  tone,
  ...(urgent ? { ticket } : { ticket: 'later' }),
}).text
export const path = prompts.supportTriage.render(request.body).text
const queue = [request.body]
export const element = prompts.supportTriage.render(queue[0]!).text
export const conditional = prompts.supportTriage.render(
  urgent ? { ticket, tone } : { ticket: 'later', tone },
).text
export const conditionalPaths = prompts.supportTriage.render(urgent ? request.body : built).text
export const parenthesized = prompts.supportTriage.render(({ ticket, tone })).text
export const asConstHere = prompts.supportTriage.render({ ticket, tone } as const).text

// Adapters.
export const chat = toOpenAI(prompts.supportTriage, { ticket, tone }).messages[0]?.content
export const responses = toOpenAIResponses(prompts.supportTriage, { ticket, tone }).instructions
export const anthropic = toAnthropic(prompts.supportTriage, { ticket, tone }).system
export const { system: sdk } = toAISDK(
  prompts.supportTriage,
  {
    ticket,
    tone,
  },
)

// Names that need quotes, before or after.
export const dotted = prompts.orderReply.render({ 'order.id': 'O1', customer: 'Ada' }).text
const order = { 'order.id': 'O2', customer: 'Ada' }
export const dottedPath = prompts.orderReply.render(order).text + order['order.id']
export const dashed = prompts.orderNote.render({ note: 'N', customer_name: 'Ada' }).text
const { note } = { note: 'N2' }
const noted = { note: 'N3', customer_name: 'Ada' }
export const dashedPath = prompts.orderNote.render(noted).text + noted /* all */ .note + noted?.note
export const dashedShorthand = prompts.orderNote.render({ note, customer_name: 'Ada' }).text

// Variables that were removed.
export const dropped = prompts.greeting.render({ name: 'Ada', tone }).text
export const droppedFirst = prompts.greeting.render({ tone: 'calm', name: 'Ada' }).text
export const droppedLine = prompts.greeting.render({
  name: 'Ada',
  // the tone of the house
  tone: request.body.tone,
}).text
export const droppedLast = prompts.greeting.render({
  name: 'Ada',
  tone: urgent ? `${tone}!` : 'warm'
}).text
export const droppedComment = prompts.greeting.render({ tone /* calm */, name: 'Ada' }).text
export const droppedElement = prompts.greeting.render({ name: 'Ada', tone: tone[0] }).text
export const extra = prompts.greeting.render(greetingValues()).text
export const none = prompts.farewell.render({ name: 'Ada' }).text
export const noneAdapter = toOpenAI(prompts.farewell, { name: 'Ada' }).messages[0]?.content
export const noneLines = prompts.farewell.render({
  name: 'Ada',
}).text

function greetingValues() {
  return { name: 'Ada', tone: 'warm' }
}
