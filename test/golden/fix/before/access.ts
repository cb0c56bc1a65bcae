// How code reaches a prompt.
import { prompts } from 'virtual:prompts'
import { prompts as pinned } from 'virtual:prompts'
import * as everything from 'virtual:prompts'
import * as all from 'virtual:prompts/all'
import { supportTriage, oldSummary, oldSummary as summarize } from 'virtual:prompts/all'

const ticket = 'T1'
const tone = 'calm'

export const dot = prompts.supportTriage.render({ ticket, tone }).text
export const bracket = prompts['support-triage'].render({ ticket, tone }).text
export const template = prompts[`support-triage`].render({ ticket, tone }).text
export const alias = pinned.supportTriage.render({ ticket, tone }).text
export const namespace = everything.prompts.supportTriage.render({ ticket, tone }).text
export const named = all.supportTriage.render({ ticket, tone }).text
export const imported = supportTriage.render({ ticket, tone }).text

const { supportTriage: destructured } = prompts
export const fromPrompts = destructured.render({ ticket, tone }).text
const { 'support-triage': quoted, greeting } = prompts
export const fromQuoted = quoted.render({ ticket, tone }).text
export const fromPlain = greeting.render({ name: 'Ada', tone }).text
const { prompts: inner } = everything
export const fromModule = inner.supportTriage.render({ ticket, tone }).text
const { render } = prompts.supportTriage
export const method = render({ ticket, tone }).text
const chosen = prompts.supportTriage
export const variable = chosen.render({ ticket, tone }).text
const optional: typeof prompts.supportTriage | undefined = chosen
export const optionalCall = optional?.render({ ticket, tone }).text
export const optionalRender = prompts.supportTriage.render?.({ ticket, tone }).text
export const called = prompts.supportTriage['render']({ ticket, tone }).text
export const applied = prompts.supportTriage.render.call(undefined, { ticket, tone }).text

// A renamed prompt, whose variable has a new name too.
export const movedDot = prompts.oldSummary.render({ text: 'long' }).text
export const movedBracket = prompts['old-summary'].render({ text: 'long' }).text
export const movedDouble = prompts["old-summary"].render({ text: 'long' }).text
export const movedNamespace = all.oldSummary.render({ text: 'long' }).text
export const movedImport = oldSummary.render({ text: 'long' }).text
export const movedAlias = summarize.render({ text: 'long' }).text
const { oldSummary: renamedBinding, 'old-summary': quotedBinding } = prompts
export const movedBinding = renamedBinding.render({ text: 'long' }).text
export const movedQuoted = quotedBinding.render({ text: 'long' }).text
function shorthand({ oldSummary } = prompts) {
  return oldSummary.render({ text: 'long' }).text
}
export const movedShorthand = shorthand()
export const movedLines = prompts
  // the short one
  .oldSummary.render({ text: 'long' }).text
const key = 'old-summary' satisfies keyof typeof prompts
export const movedKey = prompts[key].render({ text: 'long' }).text
const list: (keyof typeof prompts)[] = ['old-summary', 'greeting']
export const movedList = list.length

// Numeric and odd names.
export const number = prompts['42'].render({ ticket }).text
export const numeric = prompts[42].render({ ticket }).text
const { 42: answer } = prompts
export const numericBinding = answer.render({ ticket }).text

// This prompt does not change.
export const other = prompts.stays.render({ ticket }).text
