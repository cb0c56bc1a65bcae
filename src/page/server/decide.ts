/**
 * What forms ask for, by the lock and the changes that are on the screen. A decision becomes a draft and is
 * committed as on the command line; what breaks the app is left, as with `--skip-breaking`. What came of it is
 * a value with a plan: the way back, or the fix that it shows, which is committed from its address as long as the
 * lock is the same.
 */
import { redact } from '../../core/secrets.ts'
import { applyChanges, leaveChanges } from '../../core/compare.ts'
import { printLock } from '../../core/lock/print-lock.ts'
import { describePart, indexParts, type Lock, type PartId, viewOf } from '../../core/prompt.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { guessRenames, printRename, type Rename } from '../../features/fix/renames.ts'
import { editPart, holdParts, restorePart, unholdParts } from '../../features/hold/hold.ts'
import type { FileEdit } from '../../features/project/commit.ts'
import type { Project, ShownLock } from '../../features/project/project.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { SkipPlan } from '../../features/pull/skip-breaking.ts'
import { sha256 } from '../../fs/files.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { relativePath } from '../../fs/paths.ts'
import { type Act, isRead, type Outcome, type PageRow } from '../shown.ts'
import { type Form, typedText } from './form.ts'
import type { Store } from './store.ts'

/** A draft with the files that are edited with it, and what it leaves as it is pinned. */
export interface Plan extends Pick<SkipPlan, 'skipped'> {
  readonly act: Act
  readonly draft: Draft
  readonly edits: readonly FileEdit[]
}

/** What came of an act, and what its address can commit. */
export interface Result extends Outcome {
  readonly plan?: Plan
}

/**
 * Does what a form asks for, if that is still what was on its screen: nothing is written and no read spent for
 * another lock.
 *
 * @param plan - of the result that the address of the form shows
 */
export async function act(store: Store, form: Form, plan?: Plan): Promise<Result | undefined> {
  const { project, run } = store.source
  if (form.act === 'list') return void (await store.checkNow())
  const seen = await project.show()
  if (form.lock !== seen.base) throw lockChanged(project)
  if (form.act === 'preview') return undefined
  const names = form.rows.map(({ name }) => name)
  if (form.act === 'read') return void (await store.read(seen.lock, names))
  if (form.act === 'plan') return planFix(store, seen, form)
  const lockAfter = DECISIONS[form.act]
  if (lockAfter === undefined) {
    if (plan === undefined || plan.draft.base !== seen.base) throw lockChanged(project)
    return commit(project, plan)
  }
  const lock = await lockAfter(seen.lock, form, store)
  if (typeof lock === 'string') return { texts: [`Nothing was written. ${lock}`] }
  const whole = await project.draftEdit(seen, lock)
  const { before, changes } = whole
  const { skipped } = await run('skipBreaking', [{ before, changes }, await project.locate()])
  const left = skipped.map(({ change }) => change)
  const draft = await project.draftEdit(seen, leaveChanges(before, whole.lock, left))
  return commit(project, { act: form.act, draft, edits: [], skipped })
}

function lockChanged({ lock, options }: Project): PromptsError {
  return new PromptsError('LOCK_CHANGED', { path: relativePath(options.root, lock.path) })
}

/** The edits of the app for a change, which are written only after they were shown. */
async function planFix(store: Store, seen: ShownLock, form: Form): Promise<Result> {
  const { project, run } = store.source
  const { slug } = form.part
  const waiting = (await store.rows(seen.lock)).filter(isRead)
  const moved = describeMoved(waiting, form)
  if (moved !== undefined) return { texts: [moved] }
  const changes = waiting.map(({ change }) => change)
  const renames = guessRenames({ changes }, []).filter((rename) => slugsOf(rename).includes(slug))
  const slugs = new Set([slug, ...renames.flatMap(slugsOf)])
  const chosen = changes.filter((change) => slugs.has(change.slug))
  const { files, skipped } = await run('planFix', [
    { before: seen.lock, changes: chosen },
    await project.locate(),
    { renames, isAsked: true },
  ])
  const [left] = skipped
  if (left) return { texts: [`No safe edit: ${left.reason}`] }
  const draft = await project.draftEdit(seen, applyChanges(seen.lock, chosen))
  const names = renames.map((rename) => `\`${printRename(rename)}\``).join(', ')
  const patches = files.map(({ file, patch }) => ({ file, patch }))
  const plan: Plan = { act: 'fix', draft, edits: files, skipped }
  return { texts: [`Renamed in the service: ${names}`], patches, plan }
}

/** Says of which versions on the screen the service has another one now; `undefined` for none. */
function describeMoved(waiting: readonly PageRow[], { rows }: Form): string | undefined {
  const moved = rows.filter(({ name }) => !waiting.some((row) => row.name === name))
  const names = listOf(moved.map((row) => labelled(row, row.version)))
  return moved.length > 0 ? `The service has another version now of ${names}.` : undefined
}

/** The prompts that a rename is about. */
function slugsOf({ slug, from, to }: Rename): string[] {
  return slug ? [slug] : [from, to]
}

/** The lock after a decision, or why there is none. */
type Decide = (lock: Lock, form: Form, store: Store) => Promise<Lock | string>

const DECISIONS: Readonly<Partial<Record<Act, Decide>>> = {
  async take(lock, form, store) {
    const waiting = (await store.rows(lock)).filter(isRead)
    const moved = describeMoved(waiting, form)
    if (moved !== undefined) return moved
    const taken = waiting.filter(({ name }) => form.rows.some((row) => row.name === name))
    const changes = taken.map(({ change }) => change)
    return applyChanges(lock, changes)
  },
  hold: async (lock, { part: { slug, environment }, typed }) =>
    holdParts(lock, [slug], environment, typed.get('reason')),
  unhold: async (lock, { part: { slug, environment } }) => unholdParts(lock, [slug], environment),
  async edit(lock, { part: { slug, environment }, typed }, { source: { project } }) {
    const stored = findKnownPrompt(slug, viewOf(lock, environment).prompts, 'The lock')
    const textOf = (field: 'system' | 'user'): string | undefined =>
      typedText(stored[field], redact(stored[field], project.options.secrets), typed.get(field))
    const [system, user] = [textOf('system'), textOf('user')]
    if (system === '' && user === '') return 'Both texts are empty.'
    if (system !== undefined && user !== undefined)
      return editPart(lock, slug, environment, { system, user }, typed.get('reason'))
    const lossy = [system === undefined && 'system', user === undefined && 'user'].filter(Boolean)
    const why = 'text has carriage returns or other characters that browsers change'
    return `The ${lossy.join(' and ')} ${why}. Edit it with \`prompts edit ${slug}\`.`
  },
  async restore(lock, { part, commit: revision }, { source: { project } }) {
    const reason = `restored from ${revision.slice(0, 7)}`
    const former = await readLockAt(project.lock, revision)
    return restorePart(lock, former, { ...part, revision, reason })
  },
}

async function commit(project: Project, plan: Plan): Promise<Result> {
  const { outcome } = await project.commit(plan.draft, plan)
  const left = plan.skipped.map(
    (row) => `\`${describePart(row)}\` stays as it is pinned: ${row.reason}`,
  )
  if (outcome !== 'written')
    return { texts: [left.length > 0 ? 'Nothing was written.' : NOTHING_NEW, ...left] }
  const files = plan.edits.map(({ path }) => relativePath(project.options.root, path))
  const edited = files.length > 0 && `, edited ${pluralize(files.length, 'file')}: ${listOf(files)}`
  const written = `${DONE[plan.act]} ${listOf(changedParts(plan.draft))}${edited || ''}`
  return { texts: [written, ...left], ...(plan.act !== 'undo' && { plan: wayBack(plan) }) }
}

const NOTHING_NEW = 'Nothing was written: the lock has this already.'

const DONE: Readonly<Partial<Record<Act, string>>> = {
  take: 'Took',
  fix: 'Took',
  hold: 'Held',
  unhold: 'No longer held:',
  edit: 'Pinned and held',
  restore: 'Restored and held',
  undo: 'Undone. Pinned again:',
}

/** More names are only counted. */
const NAMED = 5

function listOf(names: readonly string[]): string {
  const named = names.map((name) => `\`${name}\``)
  return truncateList(named, NAMED).join(', ')
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

/** What brings the old lock and the old files back. */
function wayBack({ draft: { before, lock, changes }, edits, skipped }: Plan): Plan {
  return {
    act: 'undo',
    draft: { base: sha256(printLock(lock, sha256)), before: lock, lock: before, changes },
    edits: edits.map(({ path, ...edit }) => ({ path, before: edit.after, after: edit.before })),
    skipped,
  }
}
