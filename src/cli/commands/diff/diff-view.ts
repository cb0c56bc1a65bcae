import { changedTexts, type ComparedRow } from '../../../core/change-row.ts'
import { makeVisible } from '../../../core/text/sanitize.ts'
import { diffTexts, type DiffLine } from '../../../features/diff/text-diff.ts'
import { changeCells } from '../../output/change-view.ts'
import type { Channel, Format } from '../../output/channel.ts'

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

/** The sign of a line, its format, and that of its changed words. */
const STYLES: Readonly<Record<DiffLine['kind'], readonly [string, Format, Format]>> = {
  same: [' ', [], []],
  removed: ['-', 'red', ['red', 'inverse']],
  added: ['+', 'green', ['green', 'inverse']],
}

function printLine({ kind, number, segments, lacksLineEnd }: DiffLine, channel: Channel): void {
  const [sign, format, changedFormat] = STYLES[kind]
  const parts = segments.map(({ text, changed }) => ({
    text: visible(text, changed),
    format: changed ? changedFormat : format,
  }))
  channel.numberedLine(number, parts, channel.style(format, sign))
  if (lacksLineEnd) channel.line(channel.dim('         (no line end at the end)'))
}

/** Shows changed spaces and tabs as dots and arrows. */
function visible(text: string, changed: boolean): string {
  const shown = makeVisible(text)
  if (!changed || text.trim() !== '') return shown.replaceAll('\t', '    ')
  return shown.replaceAll(' ', '·').replaceAll('\t', '→   ')
}
