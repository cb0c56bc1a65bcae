import { changedTexts, type ComparedRow } from '../../../core/change-row.ts'
import { makeVisible } from '../../../core/text/sanitize.ts'
import { diffTexts, type DiffLine, type Segment } from '../../../features/diff/text-diff.ts'
import { changeCells } from '../../output/change-view.ts'
import { type Channel, printNumberedLine } from '../../output/channel.ts'

/** Prints each change, and its texts with the changed words marked. */
export function printDiff(rows: readonly ComparedRow[], channel: Channel): void {
  for (const [index, row] of rows.entries()) {
    if (index > 0) channel.line()
    channel.line(changeCells(row, channel).join('  '))
    for (const { field, before, after } of changedTexts(row.change)) {
      channel.line('', `  ${channel.style('underline', field)}`)
      for (const [at, hunk] of diffTexts(before ?? '', after ?? '').entries()) {
        if (at > 0) channel.line(channel.dim('       ⋮'))
        for (const line of hunk) printLine(line, channel)
      }
    }
  }
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
