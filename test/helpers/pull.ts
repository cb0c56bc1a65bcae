import type { CommitOptions, CommitResult } from '../../src/features/project/commit.ts'
import type { Project } from '../../src/features/project/project.ts'
import type { PullDraft } from '../../src/features/pull/draft.ts'
import type { PullRequest } from '../../src/features/pull/pull.ts'

/** Prepares a pull and commits it, without a decision in between. */
export async function pull(
  project: Project,
  { edits, ...request }: PullRequest & CommitOptions = {},
): Promise<PullDraft & CommitResult> {
  const draft = await project.prepare(request)
  return { ...draft, ...(await project.commit(draft, { edits, ...request })) }
}
