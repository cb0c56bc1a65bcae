import { resolve } from 'node:path'
import type { Project } from '../../../features/project/project.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import { writeExact } from '../../../fs/files.ts'
import type { CommandContext } from '../../args/command.ts'
import { displayPath } from '../../command-project.ts'
import type { FixedFile } from '../../../features/fix/fix-plan.ts'
import type { PullReview } from './pull-impact.ts'

/**
 * Writes what a pull is about to do as Markdown, if a path is given. It is written before the lock,
 * so that a report that can't be written leaves the lock as it is.
 *
 * @throws PromptsError FILE_UNWRITABLE
 */
export async function writePullReport(
  { lock: { workspace } }: Project,
  { cwd, terminal }: Pick<CommandContext, 'cwd' | 'terminal'>,
  given: {
    readonly draft: PullDraft
    readonly review: PullReview
    readonly path: string | undefined
    readonly edits: readonly FixedFile[]
  },
): Promise<void> {
  const { draft, review, path: name } = given
  if (name === undefined) return
  const path = resolve(cwd, name)
  const { markdownReport } = await import('../../output/print-change-report.ts')
  const { changes, skipped, held } = draft
  const impact = review.findings ?? undefined
  const { patchOf } = await import('./fix-view.ts')
  const edits = given.edits.map((edited) => ({ file: edited.file, patch: patchOf(edited) }))
  await writeExact(path, markdownReport({ workspace, changes, skipped, held, edits, impact }), cwd)
  terminal.messages.line(`Wrote ${displayPath(path, { cwd })}.`)
}
