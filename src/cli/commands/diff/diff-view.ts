import type { ChangedPrompt } from '../../../core/compare.ts'
import { sanitize, makeVisible } from '../../../core/text/sanitize.ts'
import {
  changedTexts,
  describeContract,
  describeSettings,
  describeVersion,
  type UpdatedPrompt,
} from '../../output/describe-change.ts'
import { diffTexts, type DiffLine, type Segment } from '../../../features/diff/text-diff.ts'
import type { Channel, Format } from '../../output/channel.ts'
import { printNumberedLine } from '../../output/wrap-segments.ts'

/** Prints the changed prompts: settings, variables, and each text with its changed words marked. */
export function printDiff(
  changes: readonly ChangedPrompt[],
  channel: Channel,
  unread: readonly string[] = [],
): void {
  for (const [index, change] of changes.entries()) {
    if (index > 0) channel.line()
    printPrompt(change, channel, unread.includes(change.slug))
  }
}

const TITLES: Readonly<Record<ChangedPrompt['kind'], Format>> = {
  added: ['bold', 'green'],
  removed: ['bold', 'red'],
  updated: ['bold'],
}

function printPrompt(change: ChangedPrompt, channel: Channel, isUnread: boolean): void {
  const { kind, slug } = change
  const state = isUnread ? '  text not read, no code uses it' : ''
  const note = (kind === 'updated' ? '' : `  ${kind}`) + state
  const title = channel.style(TITLES[kind], sanitize(slug))
  channel.line(`${title}  ${describeVersion(change)}${channel.dim(note)}`)
  if (change.kind === 'updated') printFacts(change, channel)
  for (const { field, before, after } of changedTexts(change)) {
    channel.line('', `  ${channel.style('underline', field)}`)
    const hunks = diffTexts(before ?? '', after ?? '')
    for (const [index, hunk] of hunks.entries()) {
      if (index > 0) channel.line(channel.dim('       ⋮'))
      for (const line of hunk) printLine(line, channel)
    }
  }
}

function printFacts(change: UpdatedPrompt, channel: Channel): void {
  for (const text of describeSettings(change)) channel.line(`  ${text}`)
  const contract = describeContract(change)
  if (contract.length > 0)
    channel.line(`  variables ${channel.style('magenta', contract.join('  '))}`)
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '-', added: '+' }

function printLine({ kind, number, segments, lacksLineEnd }: DiffLine, channel: Channel): void {
  const paint = (segment: Segment): string => paintSegment(segment, kind, channel)
  const shown = segments.map(({ text, changed }) => ({ text: visible(text, changed), changed }))
  const sign = paint({ text: SIGNS[kind], changed: false })
  printNumberedLine({ number, sign, segments: shown, paint }, channel)
  if (lacksLineEnd) channel.line(channel.dim('         (no line end at the end)'))
}

/** Shows changed spaces and tabs as dots and arrows. */
function visible(text: string, changed: boolean): string {
  const shown = makeVisible(text)
  if (!changed || text.trim() !== '') return shown.replaceAll('\t', '    ')
  return shown.replaceAll(' ', '·').replaceAll('\t', '→   ')
}

function paintSegment(
  { text, changed }: Segment,
  kind: DiffLine['kind'],
  channel: Channel,
): string {
  if (kind === 'same') return text
  const colour = kind === 'added' ? 'green' : 'red'
  return channel.style(changed ? [colour, 'inverse'] : [colour], text)
}
