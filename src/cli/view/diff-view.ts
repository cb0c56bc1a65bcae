/** Prints the texts of changes: on a screen with the changed words marked, or as patches. */
import { changedTexts, type ComparedRow } from '../../core/change-row.ts'
import type { PromptChange } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { partSettings } from '../../core/settings.ts'
import { makeVisible, sanitize } from '../../core/text/sanitize.ts'
import {
  diffTexts,
  type DiffLine,
  LOOKALIKES,
  unifiedPatch,
} from '../../features/diff/text-diff.ts'
import type { Channel, Format } from '../shell/terminal.ts'
import { changeCells, displayText } from './change-view.ts'

/** Prints each change, and its texts with the changed words marked. */
export function printDiff(rows: readonly ComparedRow[], channel: Channel): void {
  for (const [index, row] of channel.masked(rows).entries()) {
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

function printLine({ kind, number, segments, differsIn }: DiffLine, channel: Channel): void {
  const [sign, format, changedFormat] = STYLES[kind]
  const parts = segments.map(({ text, changed }) => ({
    text: visible(text, changed && differsIn === 'spaces'),
    format: changed ? changedFormat : format,
  }))
  const hint =
    differsIn === undefined
      ? []
      : [{ text: `  (${LOOKALIKES[differsIn]})`, format: 'dim' as const }]
  channel.numberedLine(number, [...parts, ...hint], channel.style(format, sign))
}

/** Makes control characters visible; with `spaces`, also spaces and tabs, as dots and arrows. */
function visible(text: string, spaces: boolean): string {
  if (!spaces) return displayText(text)
  return makeVisible(text).replaceAll(' ', '·').replaceAll('\t', '→   ')
}

/**
 * The changes as unified patches: one for the settings of a prompt and one per text, as files
 * `<slug>/settings`, `<slug>/system` and `<slug>/user`; of a staging version `<slug>/staging.system`, since
 * `<slug>/staging` may be another slug.
 */
export function unifiedPatches(rows: readonly ComparedRow[]): string {
  return rows.flatMap(({ change }) => patchesOf(change)).join('')
}

function patchesOf(change: PromptChange): string[] {
  const { before, after } = change
  const texts = [
    { field: 'settings', before: settingsOf(before), after: settingsOf(after) },
    ...changedTexts(change),
  ]
  const slug = sanitize(change.slug)
  const name = change.environment === 'live' ? `${slug}/` : `${slug}/staging.`
  return texts
    .map(({ field, before: old, after: now }) =>
      unifiedPatch(
        old ?? '',
        now ?? '',
        old === null ? '/dev/null' : `a/${name}${field}`,
        now === null ? '/dev/null' : `b/${name}${field}`,
      ),
    )
    .filter((patch) => patch !== '')
    .map((patch) => patch.replace(SPACED_NAMES, '$&\t'))
}

/** Git ends such names with a tab, by which `patch` knows that a space is a part of them. Only the first lines have names. */
const SPACED_NAMES = /(?<=^|^--- .*\n)(?:---|\+\+\+) .* .*/g

function settingsOf(prompt: PinnedPrompt | undefined): string | null {
  if (prompt === undefined) return null
  return Object.entries(partSettings(prompt))
    .map(([name, value]) => `${name}: ${makeVisible(String(value))}\n`)
    .join('')
}
