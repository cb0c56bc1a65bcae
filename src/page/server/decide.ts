/**
 * What a person decides on the page, of the lock and the changes that are on the screen. It becomes a draft
 * and is committed as on the command line; what breaks the app is left, as with `--skip-breaking`. The last
 * commit can be undone as long as the lock is as written.
 */
import { withoutTexts } from '../../core/change-row.ts'
import { applyChanges, type PromptChange, revertChanges } from '../../core/compare.ts'
import { printLock } from '../../core/lock/print-lock.ts'
import { type Lock, type PartId, partKey } from '../../core/prompt.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { runInThread } from '../../features/background/in-thread.ts'
import type { SkipPlan } from '../../features/pull/skip-breaking.ts'
import { guessRenames, printRename, type Rename } from '../../features/fix/renames.ts'
import { editPart, holdParts, releaseParts, restorePart } from '../../features/hold/hold.ts'
import type { Project, ShownLock } from '../../features/project/project.ts'
import type { Draft } from '../../features/pull/draft.ts'
import { sha256 } from '../../fs/files.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import type { FileEdit } from '../../features/project/commit.ts'
import type { Act, FixView, PageQuery, WriteView } from '../protocol.ts'

/** What is on the screen. */
export interface Screen extends ShownLock {
  /** The changes of which the texts are read. This may ask the service for its list. */
  readonly changes: () => Promise<readonly PromptChange[]>
}

/** A draft with the files that are edited with it, and what it leaves as it is pinned. */
interface Plan extends Pick<SkipPlan, 'skipped'> {
  readonly draft: Draft
  readonly edits: readonly FileEdit[]
}

/** The decisions about one project. */
interface Decisions {
  /** The edits of the app for a change, which are written only after they were shown. */
  planFix(screen: Screen, query: PageQuery): Promise<FixView>
  write(screen: Screen, query: PageQuery): Promise<WriteView>
  /** Whether the lock with this hash is the last one that was written here. */
  canUndo(base: string | undefined): boolean
}

/** Creates the decisions, without any. */
export function createDecisions(project: Project, run: typeof runInThread): Decisions {
  /** The plans that wait for a person: of the fix that was shown, by its part, and of the way back. */
  const waiting = new Map<string, Plan>()
  const planOf = async (shown: ShownLock, lock: Lock): Promise<Plan> => {
    const { before, changes } = project.draftEdit(shown, lock)
    const { skipped } = await run('skipBreaking', [{ before, changes }, await project.locate()])
    const left = skipped.map(({ change }) => change)
    return { draft: project.draftEdit(shown, revertChanges(lock, left)), edits: [], skipped }
  }
  return {
    canUndo: (base) => waiting.get('undo')?.draft.base === base,
    async planFix(screen, { part = '' }) {
      const { slug } = partOf(part)
      const changes = await screen.changes()
      const renames = guessRenames({ changes }, []).filter((rename) =>
        slugsOf(rename).includes(slug),
      )
      const slugs = new Set([slug, ...renames.flatMap(slugsOf)])
      const chosen = changes.filter((change) => slugs.has(change.slug))
      const { files, skipped } = await run('planFix', [
        { before: screen.lock, changes: chosen },
        await project.locate(),
        { renames, isAsked: true },
      ])
      const draft = project.draftEdit(screen, applyChanges(screen.lock, chosen))
      if (skipped.length === 0) waiting.set(part, { draft, edits: files, skipped })
      return {
        kind: 'planned',
        renames: renames.map(printRename),
        patches: files.map(({ file, patch }) => ({ file, patch })),
        reason: skipped[0]?.reason ?? null,
      }
    },
    async write(screen, query) {
      const { act, part = '' } = query
      const edit = EDITS[act as keyof typeof EDITS]
      const plan = edit
        ? await planOf(screen, await edit(screen, partOf(part), query, project))
        : waiting.get(act === 'undo' ? act : part)
      if (plan === undefined || plan.draft.base !== screen.base)
        throw new PromptsError('LOCK_CHANGED', { path: project.lock.path })
      const { outcome } = await project.commit(plan.draft, plan)
      waiting.delete('undo')
      if (outcome === 'written' && act !== 'undo') waiting.set('undo', wayBack(plan))
      return { kind: 'written', left: plan.skipped.map(withoutTexts) }
    },
  }
}

/** The prompts that a rename is about. */
function slugsOf({ slug, from, to }: Rename): string[] {
  return slug ? [slug] : [from, to]
}

/** The part with a key: see {@link partKey}. */
function partOf(key: string): PartId {
  const environment = key.startsWith('test ') ? 'test' : 'live'
  return { slug: key.slice(key.indexOf(' ') + 1), environment }
}

/** The lock after a decision that needs no plan. */
type Edit = (screen: Screen, id: PartId, query: PageQuery, project: Project) => Lock | Promise<Lock>

const EDITS: Readonly<Record<Exclude<Act, 'fix' | 'undo'>, Edit>> = {
  async take({ lock, changes }, id, { parts = '[]' }) {
    const keys = new Set([partKey(id), ...(JSON.parse(parts) as string[])])
    return applyChanges(
      lock,
      (await changes()).filter((change) => keys.has(partKey(change))),
    )
  },
  hold: ({ lock }, { slug, environment }, { reason }) =>
    holdParts(lock, [slug], environment, reason),
  release: ({ lock }, { slug, environment }) => releaseParts(lock, [slug], environment),
  edit: ({ lock }, { slug, environment }, { system = '', user = '', reason }) =>
    editPart(lock, slug, environment, { system, user }, reason),
  async restore({ lock }, id, { base = '' }, { lock: store }) {
    const reason = `restored from ${base.slice(0, 7)}`
    return restorePart(lock, await readLockAt(store, base), { ...id, revision: base, reason })
  },
}

/** What brings the old lock and the old files back. */
function wayBack({ draft: { before, lock, changes }, edits, skipped }: Plan): Plan {
  return {
    draft: { base: sha256(printLock(lock, sha256)), before: lock, lock: before, changes },
    edits: edits.map(({ path, ...edit }) => ({ path, before: edit.after, after: edit.before })),
    skipped,
  }
}
