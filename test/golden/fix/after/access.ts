// How code reaches a prompt.
import { prompts } from 'virtual:prompts'
import { prompts as pinned } from 'virtual:prompts'
import * as everything from 'virtual:prompts'
import * as all from 'virtual:prompts/all'
import { supportTriage, newSummary as oldSummary, newSummary as summarize } from 'virtual:prompts/all'

const ticket = 'T1'
const tone = 'calm'

export const dot = prompts.supportTriage.render({ message: ticket, tone }).text
export const bracket = prompts['support-triage'].render({ message: ticket, tone }).text
export const template = prompts[`support-triage`].render({ message: ticket, tone }).text
export const alias = pinned.supportTriage.render({ message: ticket, tone }).text
export const namespace = everything.prompts.supportTriage.render({ message: ticket, tone }).text
export const named = all.supportTriage.render({ message: ticket, tone }).text
export const imported = supportTriage.render({ message: ticket, tone }).text

const { supportTriage: destructured } = prompts
export const fromPrompts = destructured.render({ message: ticket, tone }).text
const { 'support-triage': quoted, greeting } = prompts
export const fromQuoted = quoted.render({ message: ticket, tone }).text
export const fromPlain = greeting.render({ name: 'Ada' }).text
const { prompts: inner } = everything
export const fromModule = inner.supportTriage.render({ message: ticket, tone }).text
const { render } = prompts.supportTriage
export const method = render({ message: ticket, tone }).text
const chosen = prompts.supportTriage
export const variable = chosen.render({ message: ticket, tone }).text
const optional: typeof prompts.supportTriage | undefined = chosen
export const optionalCall = optional?.render({ message: ticket, tone }).text
export const optionalRender = prompts.supportTriage.render?.({ message: ticket, tone }).text
export const called = prompts.supportTriage['render']({ message: ticket, tone }).text
export const applied = prompts.supportTriage.render.call(undefined, { message: ticket, tone }).text

// A renamed prompt, whose variable has a new name too.
export const movedDot = prompts.newSummary.render({ body: 'long' }).text
export const movedBracket = prompts['new-summary'].render({ body: 'long' }).text
export const movedDouble = prompts["new-summary"].render({ body: 'long' }).text
export const movedNamespace = all.newSummary.render({ body: 'long' }).text
export const movedImport = oldSummary.render({ body: 'long' }).text
export const movedAlias = summarize.render({ body: 'long' }).text
const { newSummary: renamedBinding, 'new-summary': quotedBinding } = prompts
export const movedBinding = renamedBinding.render({ body: 'long' }).text
export const movedQuoted = quotedBinding.render({ body: 'long' }).text
function shorthand({ newSummary: oldSummary } = prompts) {
  return oldSummary.render({ body: 'long' }).text
}
export const movedShorthand = shorthand()
export const movedLines = prompts
  // the short one
  .newSummary.render({ body: 'long' }).text
const key = 'new-summary' satisfies keyof typeof prompts
export const movedKey = prompts[key].render({ body: 'long' }).text
const list: (keyof typeof prompts)[] = ['new-summary', 'greeting']
export const movedList = list.length

// Numeric and odd names.
export const number = prompts['3d-answer'].render({ ticket }).text
export const numeric = prompts['3d-answer'].render({ ticket }).text
const { '3d-answer': answer } = prompts
export const numericBinding = answer.render({ ticket }).text

// This prompt does not change.
export const other = prompts.stays.render({ ticket }).text
