// Values, names and functions with the types of a prompt.
import { prompts } from 'virtual:prompts'
import type { AnyPrompt, RenderArguments, VariablesOf } from 'virtual:prompts'

type Values = VariablesOf<typeof prompts.supportTriage>
type Names = keyof Values

const values: Values = { message: 'T5', tone: 'calm' }
export const annotated = prompts.supportTriage.render(values).text
export const reads = [values.message, values['message'], values['tone']].join()
const satisfied = { message: 'T5', tone: 'calm' } satisfies Values
export const checked = prompts.supportTriage.render(satisfied).text + satisfied.message
const asserted = { message: 'T5', tone: 'calm' } as Values
export const asserting = prompts.supportTriage.render(asserted).text

const names: Names[] = ['message', "tone"]
export const listed = names.length
const labels: Record<Names, string> = { message: 'Ticket', tone: 'Tone' }
export const label = labels.message + labels['tone']
export function describe(name: Names): string {
  switch (name) {
    case 'message':
      return name === 'message' ? 'T' : ''
    case 'tone':
      return 'tone'
  }
}
export const described = names.map(describe).join()

function wrapper(given: Values) {
  return prompts.supportTriage.render(given).text
}
export const wrapped = wrapper({ message: 'T5', tone: 'calm' })
function destructuring({ message: ticket, tone }: Values) {
  return prompts.supportTriage.render({ message: ticket, tone }).text
}
export const viaDestructuring = destructuring({ message: 'T5', tone: 'calm' })
const own = (given: { ticket: string; tone: string }) => prompts.supportTriage.render({ ...given, message: given.ticket }).text
export const viaOwnType = own({ ticket: 'T5', tone: 'calm' })
interface Input {
  readonly ticket: string
  readonly tone: string
}
function body(input: Input) {
  return prompts.supportTriage.render({ ...input, message: input.ticket }).text
}
export const viaInterface = body({ ticket: 'T5', tone: 'calm' })
const build = (ticket: string): Values => ({ message: ticket, tone: 'calm' })
export const built = prompts.supportTriage.render(build('T5')).text
const pass = (input: Input): Values => ({ ...input, message: input.ticket })
export const passed = prompts.supportTriage.render(pass({ ticket: 'T5', tone: 'calm' })).text
const rest = (...given: Parameters<typeof prompts.supportTriage.render>) =>
  prompts.supportTriage.render(...given).text
export const viaRest = rest({ message: 'T5', tone: 'calm' })
const withDefault = (given: Values = { message: 'none', tone: 'calm' }) =>
  prompts.supportTriage.render(given).text
export const viaDefault = withDefault()
async function later(): Promise<Values> {
  return { message: 'T5', tone: 'calm' }
}
export const viaPromise = async () => prompts.supportTriage.render(await later()).text

function ask<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): string {
  return prompt.render(...args).text
}
export const generic = ask(prompts.supportTriage, { message: 'T5', tone: 'calm' })
export const genericStays = ask(prompts.stays, { ticket: 'T5' })
const options: Input = { ticket: 'T5', tone: 'calm' }
export const genericPath = ask(prompts.supportTriage, { ...options, message: options.ticket })
class Desk {
  readonly input: Input = { ticket: 'T5', tone: 'calm' }
  readonly values: Values = { message: 'T6', tone: 'calm' }
  triage() {
    return ask(prompts.supportTriage, { ...this.input, message: this.input.ticket }) + prompts.supportTriage.render(this.values).text
  }
}
export const method = new Desk().triage()

// Several prompts in one place.
export const both = [prompts.supportTriage, prompts.secondTriage]
  .map((prompt) => prompt.render({ message: 'T5', tone: 'calm' }).text)
  .join()
export const either = [true, false]
  .map((first) => (first ? prompts.supportTriage : prompts.secondTriage))
  .map((prompt) => prompt.render({ message: 'T5', tone: 'calm' }).text)
  .join()
const mixed = [prompts.secondTriage, prompts.stays]
export const mixedNames = mixed.map((prompt) => prompt.render({ ticket: 'T5', message: 'T5' }).text).join()
export const mixedValues = mixed
  .map((prompt) => prompt.render({ ticket: prompts.newSummary.model, message: prompts.newSummary.model }).text)
  .join()
const inputs: Partial<Record<keyof typeof prompts, Input>> = {
  'new-summary': { ticket: 'T5', tone: 'calm' },
}
export const viaInputs = prompts.supportTriage.render({ ...inputs['new-summary']!, message: inputs['new-summary']!.ticket }).text
const byName = { triage: prompts.supportTriage, summary: prompts.newSummary }
export const table = byName.triage.render({ message: 'T5', tone: 'calm' }).text
export const tickets = ['A', 'B']
  .map((ticket) => prompts.secondTriage.render({ message: ticket }).text)
  .join()
const rows = [{ ticket: 'A' }, { ticket: 'B' }]
export const mapped = rows.map((row) => prompts.secondTriage.render({ ...row, message: row.ticket }).text).join()
