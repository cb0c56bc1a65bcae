import type { PromptChange } from '../../../core/compare.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { makeVisible } from '../../../core/text/visible.ts'
import { changedTexts } from '../../output/changed-texts.ts'
import { contractRemarks, describeVersion, settingRemarks } from '../../output/describe-change.ts'
import { diffTexts, type DiffLine, type Segment } from '../../../features/diff/text-diff.ts'
import type { Channel, Format, Terminal } from '../../output/terminal.ts'
import { wrapSegments } from '../../output/wrap-segments.ts'

/** Prints changed prompts for reading: settings, variables, and each text with its changed words. */
export function printDiff(
  changes: readonly PromptChange[],
  terminal: Pick<Terminal, 'data' | 'dataWidth'>,
): void {
  for (const [index, change] of changes.entries()) {
    if (index > 0) terminal.data.line()
    printPrompt(change, terminal)
  }
}

const TITLES: Readonly<Record<PromptChange['kind'], Format>> = {
  added: ['bold', 'green'],
  removed: ['bold', 'red'],
  updated: ['bold'],
  unchanged: ['dim'],
}

function printPrompt(change: PromptChange, terminal: Pick<Terminal, 'data' | 'dataWidth'>): void {
  const { data } = terminal
  const { kind, slug } = change
  const note = kind === 'updated' ? '' : `  ${kind}`
  const title = data.style(TITLES[kind], sanitize(slug))
  data.line(`${title}  ${describeVersion(change)}${data.style('dim', note)}`)
  if (change.kind === 'updated') printFacts(change, data)
  for (const { field, before, after } of changedTexts(change)) {
    data.line()
    data.line(`  ${data.style('underline', field)}`)
    const hunks = diffTexts(before ?? '', after ?? '')
    for (const [index, hunk] of hunks.entries()) {
      if (index > 0) data.line(data.style('dim', `${' '.repeat(NUMBERS)} ⋮`))
      for (const line of hunk) printLine(line, terminal)
    }
  }
}

function printFacts(change: Extract<PromptChange, { kind: 'updated' }>, data: Channel): void {
  for (const { text } of settingRemarks(change)) data.line(`  ${text}`)
  const contract = contractRemarks(change).map(({ text }) => text)
  if (contract.length > 0) data.line(`  variables ${data.style('magenta', contract.join('  '))}`)
}

/** Columns for line numbers. */
const NUMBERS = 6

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '-', added: '+' }

function printLine(
  { kind, number, segments, cut }: DiffLine,
  { data, dataWidth }: Pick<Terminal, 'data' | 'dataWidth'>,
): void {
  const shown = segments.map(({ text, changed }) => ({ text: visible(text, changed), changed }))
  const gutter = NUMBERS + 3
  for (const [index, row] of wrapSegments(shown, dataWidth - gutter).entries()) {
    const label = index === 0 ? String(number) : ''
    const text = row.map((segment) => paint(segment, kind, data)).join('')
    data.line(`${data.style('dim', label.padStart(NUMBERS))} ${sign(kind, data)} ${text}`.trimEnd())
  }
  if (cut) data.line(data.style('dim', `${' '.repeat(gutter)}(no line end at the end)`))
}

/** Blanks that changed are shown as dots and arrows: else nobody sees them. */
function visible(text: string, changed: boolean): string {
  const shown = makeVisible(text)
  if (!changed || text.trim() !== '') return shown.replaceAll('\t', '    ')
  return shown.replaceAll(' ', '·').replaceAll('\t', '→   ')
}

function sign(kind: DiffLine['kind'], data: Channel): string {
  if (kind === 'same') return SIGNS.same
  return data.style(kind === 'added' ? 'green' : 'red', SIGNS[kind])
}

function paint({ text, changed }: Segment, kind: DiffLine['kind'], data: Channel): string {
  if (kind === 'same') return text
  const colour = kind === 'added' ? 'green' : 'red'
  return data.style(changed ? [colour, 'inverse'] : [colour], text)
}
