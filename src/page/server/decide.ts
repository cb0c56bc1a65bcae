/**
 * What a person decides on the page, of the lock and the changes that are on the screen. It becomes a draft and is
 * committed as on the command line; what breaks the app is left, as with `--skip-breaking`. The last commit can be
 * undone as long as the lock is as written.
 */
import { withoutTexts } from '../../core/change-row.ts'
import { applyChanges, type PromptChange, revertChanges } from '../../core/compare.ts'
import { printLock } from '../../core/lock/print-lock.ts'
import { type Environment, type Lock, partKey } from '../../core/prompt.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { runInThread } from '../../features/background/in-thread.ts'
import type { SkipPlan } from '../../features/pull/skip-breaking.ts'
import { guessRenames, printRename } from '../../features/fix/renames.ts'
import { editPart, holdParts, releaseParts, restorePart } from '../../features/hold/hold.ts'
import type { Project, ShownLock } from '../../features/project/project.ts'
import type { Draft } from '../../features/pull/draft.ts'
import { sha256 } from '../../fs/files.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import type { FileEdit } from '../../fs/write-together.ts'
import type { Act, FixView, PageQuery, WriteView } from '../protocol.ts'

/** What is on the screen. */
export interface Screen {
  readonly shown: ShownLock
  /** The changes of which the texts are read. This may ask the service for its list. */
  readonly changes: () => Promise<readonly PromptChange[]>
}

/** A draft with the files that are edited with it, and what it leaves as it is pinned. */
interface Plan extends Pick<SkipPlan, 'skipped'> {
  readonly draft: Draft
  readonly edits: readonly FileEdit[]
}

/** The decisions about one project. */
export interface Decisions {
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
    const reverted = revertChanges(
      lock,
      skipped.map(({ change }) => change),
    )
    return { draft: project.draftEdit(shown, reverted), edits: [], skipped }
  }
  return {
    canUndo: (base) => waiting.get('undo')?.draft.base === base,
    async planFix({ shown, ...screen }, { part = '' }) {
      const slug = slugOf(part)
      const changes = await screen.changes()
      const renames = guessRenames({ changes }, [])
        .map((rename) => ({
          rename,
          slugs: rename.slug ? [rename.slug] : [rename.from, rename.to],
        }))
        .filter(({ slugs }) => slugs.includes(slug))
      const slugs = new Set([slug, ...renames.flatMap((rename) => rename.slugs)])
      const chosen = changes.filter((change) => slugs.has(change.slug))
      const { files, skipped } = await run('planFix', [
        { before: shown.lock, changes: chosen },
        await project.locate(),
        { renames: renames.map(({ rename }) => rename), isAsked: true },
      ])
      const draft = project.draftEdit(shown, applyChanges(shown.lock, chosen))
      if (skipped.length === 0) waiting.set(part, { draft, edits: files, skipped })
      return {
        kind: 'planned',
        renames: renames.map(({ rename }) => printRename(rename)),
        patches: files.map(({ file, patch }) => ({ file, patch })),
        reason: skipped[0]?.reason ?? null,
      }
    },
    async write(screen, query) {
      const { act, part = '' } = query
      const { shown } = screen
      const edit = EDITS[act as keyof typeof EDITS]
      const plan = edit
        ? await planOf(shown, await edit(screen, query, project))
        : waiting.get(act === 'undo' ? act : part)
      if (plan === undefined || plan.draft.base !== shown.base)
        throw new PromptsError('LOCK_CHANGED', { path: project.lock.path })
      const { outcome } = await project.commit(plan.draft, plan)
      waiting.delete('undo')
      if (outcome === 'written' && act !== 'undo') waiting.set('undo', wayBack(plan))
      return { kind: 'written', left: plan.skipped.map(withoutTexts) }
    },
  }
}

/** The locks of decisions that need no plan. */
const EDITS: Readonly<
  Record<
    Exclude<Act, 'fix' | 'undo'>,
    (screen: Screen, query: PageQuery, project: Project) => Lock | Promise<Lock>
  >
> = {
  async take({ shown: { lock }, changes }, { part, parts = '[]' }) {
    const keys = new Set([part, ...(JSON.parse(parts) as string[])])
    const taken = (await changes()).filter((change) => keys.has(partKey(change)))
    return applyChanges(lock, taken)
  },
  hold: ({ shown: { lock } }, { part = '', reason }) =>
    holdParts(lock, [slugOf(part)], environmentOf(part), reason),
  release: ({ shown: { lock } }, { part = '' }) =>
    releaseParts(lock, [slugOf(part)], environmentOf(part)),
  edit: ({ shown: { lock } }, { part = '', system = '', user = '', reason }) =>
    editPart(lock, slugOf(part), environmentOf(part), { system, user }, reason),
  async restore({ shown: { lock } }, { part = '', base = '' }, { lock: store }) {
    const id = { slug: slugOf(part), environment: environmentOf(part) }
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

/** Of a part's key: see {@link partKey}. */
function slugOf(part: string): string {
  return part.slice(part.indexOf(' ') + 1)
}

function environmentOf(part: string): Environment {
  return part.startsWith('test ') ? 'test' : 'live'
}
