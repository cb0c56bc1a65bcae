import type { PromptChange } from '../../../core/compare.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { makeVisible } from '../../../core/text/visible.ts'
import { changedTexts } from '../../output/changed-texts.ts'
import { contractRemarks, describeVersion, settingRemarks } from '../../output/describe-change.ts'
import { diffTexts, type DiffLine, type Segment } from '../../../features/diff/text-diff.ts'
import type { Channel, Format } from '../../output/channel.ts'
import type { Terminal } from '../../output/terminal.ts'
import { wrapSegments } from '../../output/wrap-segments.ts'

/** Prints the changed prompts: settings, variables, and each text with its changed words marked. */
export function printDiff(
  changes: readonly PromptChange[],
  terminal: Pick<Terminal, 'stdout'>,
): void {
  for (const [index, change] of changes.entries()) {
    if (index > 0) terminal.stdout.line()
    printPrompt(change, terminal)
  }
}

const TITLES: Readonly<Record<PromptChange['kind'], Format>> = {
  added: ['bold', 'green'],
  removed: ['bold', 'red'],
  updated: ['bold'],
  unchanged: ['dim'],
}

function printPrompt(change: PromptChange, terminal: Pick<Terminal, 'stdout'>): void {
  const { stdout } = terminal
  const { kind, slug } = change
  const note = kind === 'updated' ? '' : `  ${kind}`
  const title = stdout.style(TITLES[kind], sanitize(slug))
  stdout.line(`${title}  ${describeVersion(change)}${stdout.dim(note)}`)
  if (change.kind === 'updated') printFacts(change, stdout)
  for (const { field, before, after } of changedTexts(change)) {
    stdout.line('', `  ${stdout.style('underline', field)}`)
    const hunks = diffTexts(before ?? '', after ?? '')
    for (const [index, hunk] of hunks.entries()) {
      if (index > 0) stdout.line(stdout.dim(`${' '.repeat(NUMBERS)} ⋮`))
      for (const line of hunk) printLine(line, terminal)
    }
  }
}

function printFacts(change: Extract<PromptChange, { kind: 'updated' }>, channel: Channel): void {
  for (const { text } of settingRemarks(change)) channel.line(`  ${text}`)
  const contract = contractRemarks(change).map(({ text }) => text)
  if (contract.length > 0)
    channel.line(`  variables ${channel.style('magenta', contract.join('  '))}`)
}

/** Width of the line numbers. */
const NUMBERS = 6

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '-', added: '+' }

function printLine(
  { kind, number, segments, lacksLineEnd }: DiffLine,
  { stdout }: Pick<Terminal, 'stdout'>,
): void {
  const shown = segments.map(({ text, changed }) => ({ text: visible(text, changed), changed }))
  const gutter = NUMBERS + 3
  for (const [index, row] of wrapSegments(shown, stdout.columns - gutter).entries()) {
    const label = index === 0 ? String(number) : ''
    const text = row.map((segment) => paint(segment, kind, stdout)).join('')
    stdout.line(`${stdout.dim(label.padStart(NUMBERS))} ${sign(kind, stdout)} ${text}`.trimEnd())
  }
  if (lacksLineEnd) stdout.line(stdout.dim(`${' '.repeat(gutter)}(no line end at the end)`))
}

/** Shows changed spaces and tabs as dots and arrows. */
function visible(text: string, changed: boolean): string {
  const shown = makeVisible(text)
  if (!changed || text.trim() !== '') return shown.replaceAll('\t', '    ')
  return shown.replaceAll(' ', '·').replaceAll('\t', '→   ')
}

function sign(kind: DiffLine['kind'], channel: Channel): string {
  if (kind === 'same') return SIGNS.same
  return channel.style(kind === 'added' ? 'green' : 'red', SIGNS[kind])
}

function paint({ text, changed }: Segment, kind: DiffLine['kind'], channel: Channel): string {
  if (kind === 'same') return text
  const colour = kind === 'added' ? 'green' : 'red'
  return channel.style(changed ? [colour, 'inverse'] : [colour], text)
}
