import type { PinnedPrompt } from '../../core/prompt.ts'
import { relativePath } from '../../fs/paths.ts'
import type { Project } from '../../features/project/project.ts'
import type { ComparisonClass, LockView, PageState } from '../protocol.ts'
import type { LockReading, PinnedPrompts } from './pinned-prompts.ts'

/** The result of the last comparison of a prompt; `undefined` if there was none. */
export type KnownChange = (prompt: PinnedPrompt) => ComparisonClass | undefined

/** The part of the page's state that comes from the lock and its project. */
export function stateOf(
  { options, lock }: Pick<Project, 'options' | 'lock'>,
  reading: LockReading,
  known: KnownChange,
): Pick<PageState, 'workspace' | 'environment' | 'lockPath' | 'lockFile' | 'lock'> {
  const { name: workspace, environment, root } = options
  return {
    workspace,
    environment,
    lockPath: relativePath(root, lock.path),
    lockFile: lock.path,
    lock: reading.kind === 'error' ? reading : lockView(reading.pinned, known),
  }
}

function lockView({ lock, listed, revision }: PinnedPrompts, known: KnownChange): LockView {
  const changes = new Map(lock.prompts.map((prompt) => [prompt.slug, known(prompt)]))
  const prompts = listed.map((prompt) => {
    const change = changes.get(prompt.slug)
    return change === undefined ? prompt : { ...prompt, change }
  })
  return { kind: 'read', revision, prompts }
}
