/**
 * What a person decides on the page, of the lock and the changes that are on the screen. It becomes a draft
 * and is committed as on the command line; what breaks the app is left, as with `--skip-breaking`. The last
 * commit can be undone as long as the lock is as written.
 */
import { applyChanges, revertChanges } from '../../core/compare.ts'
import { printLock } from '../../core/lock/print-lock.ts'
import { describePart, indexParts, type Lock, type PartId } from '../../core/prompt.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { guessRenames, printRename, type Rename } from '../../features/fix/renames.ts'
import { editPart, holdParts, releaseParts, restorePart } from '../../features/hold/hold.ts'
import type { FileEdit } from '../../features/project/commit.ts'
import type { Project, ShownLock } from '../../features/project/project.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { SkipPlan } from '../../features/pull/skip-breaking.ts'
import { sha256 } from '../../fs/files.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { relativePath } from '../../fs/paths.ts'
import type { Act, ErrorView, FixView, Outcome } from '../shown.ts'
import type { Form } from './form.ts'
import type { Store } from './store.ts'

/** A draft with the files that are edited with it, and what it leaves as it is pinned. */
interface Plan extends Pick<SkipPlan, 'skipped'> {
  readonly act: Act
  readonly draft: Draft
  readonly edits: readonly FileEdit[]
}

/** The decisions about one project. */
export class Decisions {
  readonly #store: Store
  /** The fixes that were shown and wait for a person, by the name of their row. */
  readonly #fixes = new Map<string, Plan>()
  /** What came of the last commit, and the way back from it. */
  #last: { readonly outcome: Outcome; readonly wayBack: Plan } | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Whether an outcome is the last one, and the lock is as it was written. */
  async canUndo(outcome: Outcome): Promise<boolean> {
    const { project } = this.#store.source
    const { outcome: last, wayBack: plan } = this.#last ?? {}
    return last === outcome && plan?.draft.base === (await project.lock.readHash())
  }

  /** The edits of the app for a change, which are written only after they were shown. */
  async planFix(form: Form): Promise<FixView> {
    const { project, run } = this.#store.source
    const shown = await this.onScreen(form)
    const { slug, name: row } = partOf(form)
    const changes = (await this.#store.service.rows(shown.lock)).flatMap(
      ({ change }) => change ?? [],
    )
    const renames = guessRenames({ changes }, []).filter((rename) => slugsOf(rename).includes(slug))
    const slugs = new Set([slug, ...renames.flatMap(slugsOf)])
    const chosen = changes.filter((change) => slugs.has(change.slug))
    const { files, skipped } = await run('planFix', [
      { before: shown.lock, changes: chosen },
      await project.locate(),
      { renames, isAsked: true },
    ])
    const draft = project.draftEdit(shown, applyChanges(shown.lock, chosen))
    if (skipped.length === 0) this.#fixes.set(row, { act: 'fix', draft, edits: files, skipped })
    return {
      row,
      renames: renames.map(printRename),
      patches: files.map(({ file, patch }) => ({ file, patch })),
      reason: skipped[0]?.reason ?? null,
    }
  }

  /** Writes what a form asks for, if that is still what was on its screen. */
  async write(form: Form): Promise<Outcome> {
    const shown = await this.onScreen(form)
    const { act } = form
    if (act === 'take') {
      const rows = await this.#store.service.rows(shown.lock)
      const taken = rows.filter(({ name }) => form.rows.some((row) => row.name === name))
      const moved = form.rows.filter(({ name }) => !taken.some((row) => row.name === name))
      if (moved.length > 0) {
        const names = listOf(moved.map((row) => labelled(row, row.version)))
        return done([`Nothing was written. The service has another version now of ${names}.`])
      }
      const changes = taken.flatMap(({ change }) => change ?? [])
      return this.#decide(act, shown, applyChanges(shown.lock, changes))
    }
    const lockAfter = DECISIONS[act]
    if (lockAfter) {
      const { project } = this.#store.source
      return this.#decide(act, shown, await lockAfter(shown.lock, partOf(form), form, project))
    }
    const plan = act === 'undo' ? this.#last?.wayBack : this.#fixes.get(partOf(form).name)
    if (plan === undefined || plan.draft.base !== shown.base) throw this.#lockChanged()
    return this.#commit(plan)
  }

  /** The lock, if it is the one that a window shows: nothing is written and no read spent for another. */
  async onScreen(form: Form): Promise<ShownLock> {
    const { shown, base, lock } = await this.#store.lock()
    if (form.lock !== shown.hash) throw this.#lockChanged()
    return { base, lock }
  }

  #lockChanged(): PromptsError<'LOCK_CHANGED'> {
    const { lock, options } = this.#store.source.project
    return new PromptsError('LOCK_CHANGED', { path: relativePath(options.root, lock.path) })
  }

  /** Writes a lock without what would break the app. */
  async #decide(act: Act, shown: ShownLock, lock: Lock): Promise<Outcome> {
    const { project, run } = this.#store.source
    const { before, changes } = project.draftEdit(shown, lock)
    const { skipped } = await run('skipBreaking', [{ before, changes }, await project.locate()])
    const left = skipped.map(({ change }) => change)
    const draft = project.draftEdit(shown, revertChanges(lock, left))
    return this.#commit({ act, draft, edits: [], skipped })
  }

  async #commit(plan: Plan): Promise<Outcome> {
    const { project } = this.#store.source
    const { outcome } = await project.commit(plan.draft, plan)
    const isWritten = outcome === 'written'
    const files = plan.edits.map(({ path }) => relativePath(project.options.root, path))
    const written = done(describeWrite(plan, isWritten, files))
    if (isWritten)
      this.#last = plan.act === 'undo' ? undefined : { outcome: written, wayBack: wayBack(plan) }
    return written
  }
}

const DONE: Readonly<Partial<Record<Act, string>>> = {
  take: 'Took',
  fix: 'Took',
  hold: 'Held',
  release: 'Released',
  edit: 'Pinned and held',
  restore: 'Restored and held',
  undo: 'Undone. Pinned again:',
}

/** What was written and what was left because of the app's code. */
function describeWrite(
  { act, draft, skipped }: Plan,
  isWritten: boolean,
  files: readonly string[],
): string[] {
  const left = skipped.map((row) => `\`${describePart(row)}\` stays as it is pinned: ${row.reason}`)
  const edited =
    files.length > 0 ? `, edited ${pluralize(files.length, 'file')}: ${listOf(files)}` : ''
  if (isWritten) return [`${DONE[act]} ${listOf(changedParts(draft))}${edited}`, ...left]
  return left.length > 0 ? ['Nothing was written.', ...left] : [NOTHING_NEW]
}

const NOTHING_NEW = 'Nothing was written: the lock has this already.'

/** More names are only counted. */
const NAMED = 5

function listOf(names: readonly string[]): string {
  const named = names.map((name) => `\`${name}\``)
  return truncateList(named, NAMED).join(', ')
}

/** The outcome of an act, which is the last one once it is written. */
export function done(texts: readonly string[], error: ErrorView | null = null): Outcome {
  return { texts, error, canUndo: false }
}

/** What a draft changes: parts with the labels that they get. */
function changedParts({ before, lock }: Draft): string[] {
  const [old, now] = [indexParts(before.parts), indexParts(lock.parts)]
  return [...new Map([...old, ...now])].flatMap(([key, part]) => {
    const next = now.get(key)
    if (JSON.stringify(old.get(key)) === JSON.stringify(next)) return []
    return labelled(part, next?.version ?? null)
  })
}

function labelled(part: PartId, version: string | null): string {
  return `${describePart(part)}${version === null ? '' : ` ${version}`}`
}

/** The prompts that a rename is about. */
function slugsOf({ slug, from, to }: Rename): string[] {
  return slug ? [slug] : [from, to]
}

/** The lock after a decision about a part. */
type Decide = (lock: Lock, part: PartId, form: Form, project: Project) => Lock | Promise<Lock>

/** What a form is about; without a name, the prompt that no lock has. */
export function partOf({ rows: [part] }: Form): Form['rows'][number] {
  return part ?? { name: '', environment: 'live', slug: '', version: null }
}

const DECISIONS: Readonly<Partial<Record<Act, Decide>>> = {
  hold: (lock, { slug, environment }, { typed }) =>
    holdParts(lock, [slug], environment, typed.reason),
  release: (lock, { slug, environment }) => releaseParts(lock, [slug], environment),
  edit: (lock, { slug, environment }, { typed }) =>
    editPart(lock, slug, environment, typed, typed.reason),
  async restore(lock, { slug, environment }, { commit }, project) {
    const reason = `restored from ${commit.slice(0, 7)}`
    const former = await readLockAt(project.lock, commit)
    return restorePart(lock, former, { slug, environment, revision: commit, reason })
  },
}

/** What brings the old lock and the old files back. */
function wayBack({ draft: { before, lock, changes }, edits, skipped }: Plan): Plan {
  return {
    act: 'undo',
    draft: { base: sha256(printLock(lock, sha256)), before: lock, lock: before, changes },
    edits: edits.map(({ path, ...edit }) => ({ path, before: edit.after, after: edit.before })),
    skipped,
  }
}
