import { sanitize } from '../../core/text/sanitize.ts'
import { relativePath } from '../../fs/paths.ts'
import { unifiedPatch } from './text-diff.ts'
import type { FileEdit } from '../../plan/plan.ts'

/** An edit of the app for a person: the file from its folder, with forward slashes, and a unified patch. */
export function patchOf(
  { path, before, after }: FileEdit,
  root: string,
): { readonly file: string; readonly patch: string } {
  const file = relativePath(root, path)
  const name = sanitize(file)
  return { file, patch: unifiedPatch(before, after, `a/${name}`, `b/${name}`) }
}
