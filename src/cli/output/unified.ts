import { changedTexts, type ComparedRow } from '../../core/change-row.ts'
import { changeSides } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { sanitize, makeVisible } from '../../core/text/sanitize.ts'
import { unifiedPatch } from '../../features/diff/text-diff.ts'
import type { Channel, Format } from './channel.ts'

/**
 * The changes as unified patches: one for the settings of a prompt and one per text, as files
 * `<slug>/settings`, `<slug>/system` and `<slug>/user`.
 */
export function unifiedPatches(rows: readonly ComparedRow[]): string {
  return rows.flatMap(patchesOf).join('')
}

/** Prints a unified patch for reading, with hidden characters shown by name. */
export function printPatch(patch: string, channel: Channel): void {
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    channel.exactLine(paint(makeVisible(line), channel))
  }
}

function patchesOf({ change }: ComparedRow): string[] {
  const { before, after } = changeSides(change)
  const texts = [
    { field: 'settings', before: settingsOf(before), after: settingsOf(after) },
    ...changedTexts(change),
  ]
  const slug = sanitize(change.slug)
  return texts
    .map(({ field, before: old, after: now }) =>
      unifiedPatch(old ?? '', now ?? '', {
        old: old === null ? '/dev/null' : `a/${slug}/${field}`,
        now: now === null ? '/dev/null' : `b/${slug}/${field}`,
      }),
    )
    .filter((patch) => patch !== '')
}

function settingsOf(prompt: PinnedPrompt | undefined): string | null {
  if (prompt === undefined) return null
  const { folder, model, temperature, version } = prompt
  return Object.entries({ folder, model, temperature, version })
    .map(([name, value]) => `${name}: ${sanitize(String(value))}\n`)
    .join('')
}

const FORMATS: Readonly<Record<string, Format>> = {
  '+': 'green',
  '-': 'red',
  '@': 'cyan',
  '\\': 'dim',
}

function paint(line: string, channel: Channel): string {
  if (/^(?:---|\+\+\+) /.test(line)) return channel.style('bold', line)
  const format = FORMATS[line.charAt(0)]
  return format === undefined ? line : channel.style(format, line)
}
