// How code passes values.
import { prompts, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from 'virtual:prompts'

declare const process: { env: Record<string, string | undefined> }
const ticket = 'T3'
const tone = 'calm'
const urgent: boolean = ticket.length > 1
const request = { body: { ticket: 'T4', tone: 'warm' }, id: 7 }

export const shorthand = prompts.supportTriage.render({ message: ticket, tone }).text
export const property = prompts.supportTriage.render({ message: request.body.ticket, tone }).text
export const literalValue = prompts.supportTriage.render({ message: 'literal', tone: 'calm' }).text
export const templateValue = prompts.supportTriage.render({ message: `T-${request.id}`, tone }).text
export const computedValue = prompts.supportTriage.render({ message: ticket.trim(), tone }).text
export const conditionalValue = prompts.supportTriage.render({
  message: urgent ? 'now' : 'later',
  tone,
}).text
export const nested = prompts.supportTriage.render({
  message: prompts.stays.render({ ticket }).text,
  tone,
}).text
export const quotedKey = prompts.supportTriage.render({ 'message': ticket, "tone": tone }).text
export const computedKey = prompts.supportTriage.render({ ['message']: ticket, tone }).text
export const getter = prompts.supportTriage.render({
  get message() {
    return 'got'
  },
  tone,
}).text
export const oneLine = prompts.supportTriage.render({message: ticket,tone}).text
export const trailing = prompts.supportTriage.render({
  message: ticket,
  tone,
},).text
export const commented = prompts.supportTriage.render({
  // what the customer wrote
  message: ticket, // as it is
  /* how to answer */ tone /* always calm */,
}).text
export const commentedKey = prompts.supportTriage.render({ /* key */ message /* colon */ : /* value */ ticket, tone }).text

// Objects that are not written in the call.
const built = { message: ticket, tone }
export const builtBefore = prompts.supportTriage.render(built).text
export const builtTwice = toOpenAI(prompts.supportTriage, built).messages[0]?.content
export const builtRead = built.message + built['message']
const { message: read } = built
export const builtBinding = read

const frozen = { message: ticket, tone } as const
export const asConst = prompts.supportTriage.render(frozen).text
const shared = { ticket, tone }
export const sharedHere = prompts.supportTriage.render({ ...shared, message: shared.ticket }).text
export const sharedThere = prompts.stays.render(shared).text
export const logged = JSON.stringify(shared)
const base = { message: ticket }
export const spread = prompts.supportTriage.render({ ...base, tone }).text
export const spreadLiteral = prompts.supportTriage.render({ ...{ message: ticket }, tone }).text
export const spreadPath = prompts.supportTriage.render({ ...request.body, message: request.body.ticket, tone }).text
export const spreadOverride = prompts.supportTriage.render({ ...request.body, message: ticket }).text
export const spreadConditional = prompts.supportTriage.render({
  tone,
  ...(urgent ? { message: ticket } : { message: 'later' }),
}).text
export const path = prompts.supportTriage.render({ ...request.body, message: request.body.ticket }).text
const queue = [request.body]
export const element = prompts.supportTriage.render({ ...queue[0]!, message: queue[0]!.ticket }).text
export const conditional = prompts.supportTriage.render(
  urgent ? { message: ticket, tone } : { message: 'later', tone },
).text
export const conditionalPaths = prompts.supportTriage.render(urgent ? { ...request.body, message: request.body.ticket } : built).text
export const parenthesized = prompts.supportTriage.render(({ message: ticket, tone })).text
export const asConstHere = prompts.supportTriage.render({ message: ticket, tone } as const).text

// Adapters.
export const chat = toOpenAI(prompts.supportTriage, { message: ticket, tone }).messages[0]?.content
export const responses = toOpenAIResponses(prompts.supportTriage, { message: ticket, tone }).instructions
export const anthropic = toAnthropic(prompts.supportTriage, { message: ticket, tone }).system
export const { system: sdk } = toAISDK(
  prompts.supportTriage,
  {
    message: ticket,
    tone,
  },
)

// Names that need quotes, before or after.
export const dotted = prompts.orderReply.render({ 'orderNumber': 'O1', customer: 'Ada' }).text
const order = { 'orderNumber': 'O2', customer: 'Ada' }
export const dottedPath = prompts.orderReply.render(order).text + order['orderNumber']
export const dashed = prompts.orderNote.render({ 'note-text': 'N', customer_name: 'Ada' }).text
const { note } = { note: 'N2' }
const noted = { 'note-text': 'N3', customer_name: 'Ada' }
export const dashedPath = prompts.orderNote.render(noted).text + noted /* all */ ['note-text'] + noted?.['note-text']
export const dashedShorthand = prompts.orderNote.render({ 'note-text': note, customer_name: 'Ada' }).text

// Variables that were removed.
export const dropped = prompts.greeting.render({ name: 'Ada' }).text
export const droppedFirst = prompts.greeting.render({ name: 'Ada' }).text
export const droppedLine = prompts.greeting.render({
  name: 'Ada',
  // the tone of the house
}).text
export const droppedLast = prompts.greeting.render({
  name: 'Ada'
}).text
export const droppedComment = prompts.greeting.render({ name: 'Ada' }).text
export const droppedElement = prompts.greeting.render({ name: 'Ada' }).text
export const extra = prompts.greeting.render(greetingValues()).text
export const none = prompts.farewell.render().text
export const noneAdapter = toOpenAI(prompts.farewell).messages[0]?.content
export const noneLines = prompts.farewell.render().text

function greetingValues() {
  return { name: 'Ada', tone: 'warm' }
}
