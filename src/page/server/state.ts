import { relative } from 'node:path'
import { promptVariables } from '../../core/compare.ts'
import { lintPrompt } from '../../core/lint.ts'
import { integrityOf } from '../../core/lock/integrity.ts'
import { planNames } from '../../core/names.ts'
import { findJoin, type Lock, type PinnedPrompt } from '../../core/prompt.ts'
import { sha256 } from '../../fs/digest.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { Project } from '../../features/project/project.ts'
import type { ComparisonClass, ErrorView, PageState, PromptView } from '../protocol.ts'
import { errorView } from './error-view.ts'

/** The result of the last comparison of a prompt; `null` if there was none. */
export type KnownChange = (prompt: PinnedPrompt) => ComparisonClass | null

/** The lock, or the error of reading it. */
export type LockReading =
  | { readonly kind: 'read'; readonly lock: Lock }
  | { readonly kind: 'error'; readonly error: ErrorView }

/** Reads the lock of a project. */
export async function readLock(project: Project): Promise<LockReading> {
  try {
    return { kind: 'read', lock: await project.readLock() }
  } catch (error) {
    return { kind: 'error', error: errorView(error) }
  }
}

/** The part of the page's state that comes from the lock and its project. */
export function stateOf(
  { options, lock }: Project,
  reading: LockReading,
  known: KnownChange,
): Pick<PageState, 'workspace' | 'environment' | 'lockPath' | 'lock'> {
  const { name: workspace, environment, root } = options
  return {
    workspace,
    environment,
    lockPath: toForwardSlashes(relative(root, lock.path)),
    lock:
      reading.kind === 'error'
        ? reading
        : { kind: 'read', prompts: promptViews(reading.lock, known) },
  }
}

function promptViews({ prompts }: Lock, known: KnownChange): PromptView[] {
  const { identifiers } = planNames(prompts.map(({ slug }) => slug))
  return prompts.map((prompt) => ({
    ...prompt,
    ...lintsOf(prompt),
    identifier: identifiers.get(prompt.slug) ?? null,
    join: findJoin(prompt) ?? null,
    integrity: integrityOf(prompt, sha256),
    variables: promptVariables(prompt),
    characters: charactersIn(prompt.system) + charactersIn(prompt.user),
    change: known(prompt),
  }))
}

/** The maximum number of lints per prompt. More would be slow and not more helpful. */
const LINTS_LISTED = 100

function lintsOf(prompt: PinnedPrompt): Pick<PromptView, 'lints' | 'lintCount'> {
  const { first, count } = lintPrompt(prompt, LINTS_LISTED)
  return { lints: first, lintCount: count }
}

/** Counts Unicode characters, not UTF-16 code units as `length` does. */
function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
