import { changedTexts, type ComparedRow } from '../../core/change-row.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { unifiedPatch } from '../../features/diff/text-diff.ts'

/**
 * The changes as unified patches: one for the settings of a prompt and one per text, as files
 * `<slug>/settings`, `<slug>/system` and `<slug>/user`.
 */
export function unifiedPatches(rows: readonly ComparedRow[]): string {
  return rows.flatMap(patchesOf).join('')
}

function patchesOf({ change }: ComparedRow): string[] {
  const { before, after } = change
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
