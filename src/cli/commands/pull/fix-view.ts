import { sanitize } from '../../../core/text/sanitize.ts'
import type { FixedFile } from '../../../features/fix/plan-fix.ts'
import { unifiedPatch } from '../../../features/diff/text-diff.ts'
import { describeFiles } from '../../output/describe-change.ts'
import type { EditJson } from '../../output/json.ts'
import type { Channel } from '../../output/channel.ts'
import { printPatch } from '../../output/unified.ts'

/** The edits of a file as a unified patch. */
export function patchOf({ file, before, after }: FixedFile): string {
  const name = sanitize(file)
  return unifiedPatch(before, after, { old: `a/${name}`, now: `b/${name}` })
}

/** The edits of a file as JSON. */
export function editJson(edited: FixedFile): EditJson {
  const places = edited.places.map(({ line, column }) => ({ line, column }))
  return { file: edited.file, places, patch: patchOf(edited) }
}

/** Prints the edits of the app. */
export function printEdits(files: readonly FixedFile[], channel: Channel): void {
  channel.line('', channel.style('bold', `Edits ${describeFiles(files)}:`))
  for (const file of files) printPatch(patchOf(file), channel)
}
