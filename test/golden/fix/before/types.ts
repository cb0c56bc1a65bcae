// Values, names and functions with the types of a prompt.
import { prompts } from 'virtual:prompts'
import type { AnyPrompt, RenderArguments, VariablesOf } from 'virtual:prompts'

type Values = VariablesOf<typeof prompts.supportTriage>
type Names = keyof Values

const values: Values = { ticket: 'T5', tone: 'calm' }
export const annotated = prompts.supportTriage.render(values).text
export const reads = [values.ticket, values['ticket'], values['tone']].join()
const satisfied = { ticket: 'T5', tone: 'calm' } satisfies Values
export const checked = prompts.supportTriage.render(satisfied).text + satisfied.ticket
const asserted = { ticket: 'T5', tone: 'calm' } as Values
export const asserting = prompts.supportTriage.render(asserted).text

const names: Names[] = ['ticket', "tone"]
export const listed = names.length
const labels: Record<Names, string> = { ticket: 'Ticket', tone: 'Tone' }
export const label = labels.ticket + labels['tone']
export function describe(name: Names): string {
  switch (name) {
    case 'ticket':
      return name === 'ticket' ? 'T' : ''
    case 'tone':
      return 'tone'
  }
}
export const described = names.map(describe).join()

function wrapper(given: Values) {
  return prompts.supportTriage.render(given).text
}
export const wrapped = wrapper({ ticket: 'T5', tone: 'calm' })
function destructuring({ ticket, tone }: Values) {
  return prompts.supportTriage.render({ ticket, tone }).text
}
export const viaDestructuring = destructuring({ ticket: 'T5', tone: 'calm' })
const own = (given: { ticket: string; tone: string }) => prompts.supportTriage.render(given).text
export const viaOwnType = own({ ticket: 'T5', tone: 'calm' })
interface Input {
  readonly ticket: string
  readonly tone: string
}
function body(input: Input) {
  return prompts.supportTriage.render({ ...input }).text
}
export const viaInterface = body({ ticket: 'T5', tone: 'calm' })
const build = (ticket: string): Values => ({ ticket, tone: 'calm' })
export const built = prompts.supportTriage.render(build('T5')).text
const pass = (input: Input): Values => input
export const passed = prompts.supportTriage.render(pass({ ticket: 'T5', tone: 'calm' })).text
const rest = (...given: Parameters<typeof prompts.supportTriage.render>) =>
  prompts.supportTriage.render(...given).text
export const viaRest = rest({ ticket: 'T5', tone: 'calm' })
const withDefault = (given: Values = { ticket: 'none', tone: 'calm' }) =>
  prompts.supportTriage.render(given).text
export const viaDefault = withDefault()
async function later(): Promise<Values> {
  return { ticket: 'T5', tone: 'calm' }
}
export const viaPromise = async () => prompts.supportTriage.render(await later()).text

function ask<P extends AnyPrompt>(
  prompt: P,
  ...args: RenderArguments<P>
): string {
  return prompt.render(...args).text
}
export const generic = ask(prompts.supportTriage, { ticket: 'T5', tone: 'calm' })
export const genericStays = ask(prompts.stays, { ticket: 'T5' })
const options: Input = { ticket: 'T5', tone: 'calm' }
export const genericPath = ask(prompts.supportTriage, options)
class Desk {
  readonly input: Input = { ticket: 'T5', tone: 'calm' }
  readonly values: Values = { ticket: 'T6', tone: 'calm' }
  triage() {
    return ask(prompts.supportTriage, this.input) + prompts.supportTriage.render(this.values).text
  }
}
export const method = new Desk().triage()

// Several prompts in one place.
export const both = [prompts.supportTriage, prompts.secondTriage]
  .map((prompt) => prompt.render({ ticket: 'T5', tone: 'calm' }).text)
  .join()
export const either = [true, false]
  .map((first) => (first ? prompts.supportTriage : prompts.secondTriage))
  .map((prompt) => prompt.render({ ticket: 'T5', tone: 'calm' }).text)
  .join()
const mixed = [prompts.secondTriage, prompts.stays]
export const mixedNames = mixed.map((prompt) => prompt.render({ ticket: 'T5' }).text).join()
export const mixedValues = mixed
  .map((prompt) => prompt.render({ ticket: prompts.oldSummary.model }).text)
  .join()
const inputs: Partial<Record<keyof typeof prompts, Input>> = {
  'old-summary': { ticket: 'T5', tone: 'calm' },
}
export const viaInputs = prompts.supportTriage.render(inputs['old-summary']!).text
const byName = { triage: prompts.supportTriage, summary: prompts.oldSummary }
export const table = byName.triage.render({ ticket: 'T5', tone: 'calm' }).text
export const tickets = ['A', 'B']
  .map((ticket) => prompts.secondTriage.render({ ticket }).text)
  .join()
const rows = [{ ticket: 'A' }, { ticket: 'B' }]
export const mapped = rows.map((row) => prompts.secondTriage.render(row).text).join()
