import { relativePath } from '../../fs/paths.ts'
import type { PageState } from '../protocol.ts'
import type { ComparisonSources } from './comparison.ts'
import type { Comparisons } from './comparisons.ts'
import { errorView } from './error-view.ts'
import { otherKeyVariable } from './other-project.ts'
import type { PinnedPrompts } from './pinned-prompts.ts'
import type { ServiceCheck } from './service-check.ts'
import type { Uses } from './uses.ts'

/** The part of the state that depends on the lock. */
type Known = Pick<PageState, 'lock' | 'changes' | 'uses' | 'service'>

/** What is known of a lock without a request or an analysis. */
export function knownOf(
  pinned: PinnedPrompts,
  parts: {
    readonly service: Pick<ServiceCheck, 'view'>
    readonly uses: Pick<Uses, 'view'>
    readonly comparisons: Pick<Comparisons, 'known'>
  },
): Known {
  return {
    lock: { kind: 'read', revision: pinned.revision },
    changes: parts.comparisons.known(pinned),
    uses: parts.uses.view(pinned.lock),
    service: parts.service.view(pinned.lock),
  }
}

/** The same of a lock that can't be read. */
export function nothingKnown(error: unknown): Known {
  return {
    lock: { kind: 'error', error: errorView(error) },
    changes: {},
    uses: { kind: 'pending' },
    service: { kind: 'unasked' },
  }
}

/** The part of the state that comes from the project. */
export async function settingsOf(
  { editor }: { readonly editor?: string },
  { project: { options, lock }, other }: ComparisonSources,
): Promise<Omit<PageState, keyof Known>> {
  const { name: workspace, environment, root } = options
  const { findPackageManager } = await import('../../features/init/package-manager.ts')
  return {
    workspace,
    environment,
    lockPath: relativePath(root, lock.path),
    lockFile: lock.path,
    editor: editor ?? null,
    missingKey: other === undefined ? otherKeyVariable(options) : null,
    run: (await findPackageManager(root)).run,
  }
}
