/**
 * What forms ask for, by the lock and the changes that are on the screen. A decision becomes a plan, which is judged
 * and committed as on the command line. What came of it has the plans that can follow, as long as the lock is the same.
 */
import { applyChanges } from '../../core/compare.ts'
import { lockBefore, wholeLock } from '../../core/lock/former-lock.ts'
import { printLock } from '../../core/lock/print-lock.ts'
import { partCommand } from '../../core/part-command.ts'
import {
  describePart,
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  viewOf,
} from '../../core/prompt.ts'
import { describeImpact } from '../../core/describe-change.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { judge, leaveBreaking, rename } from '../../plan/thread/judge.ts'
import { guessRenames, printRename, type Rename } from '../../plan/fix/renames.ts'
import { editPart, holdParts, holdReason, restorePart, unholdParts } from '../../plan/hold.ts'
import type { Project } from '../../features/project/project.ts'
import type { Plan } from '../../plan/plan.ts'
import { type Breaks, isSafe, reportOf } from '../../judge/impact.ts'
import { sha256 } from '../../fs/files.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { relativePath } from '../../fs/paths.ts'
import { type Follow, isRead, type Notice, type PageRow, type WRITES } from '../shown.ts'
import { type Form, typedText } from './form.ts'
import type { Store } from './store.ts'

/** What came of an act. */
export interface Acted extends Notice {
  readonly follow?: Follow
  /** What a fix writes, as shown. */
  readonly fix?: Plan
  /** The way back from what was written. */
  readonly undo?: Plan
}

/**
 * Does what a form asks for, if that is still what was on its screen: nothing is written and no read spent for
 * another lock.
 *
 * @param ready - the plan of a fix, or the way back
 */
export async function act(
  store: Store,
  form: Form,
  ready: Plan | undefined,
): Promise<Acted | undefined> {
  const { project } = store.source
  const { act: name, lock: drawn, rows } = form
  if (name === 'list') return void (await store.checkNow())
  const seen = await project.show()
  if (drawn !== seen.base) throw lockChanged(project)
  if (name === 'preview' || name === 'rebase') return undefined
  if (name === 'read')
    return void (await store.read(
      seen.after,
      rows.map((row) => row.name),
    ))
  if (name === 'plan') return planFix(store, seen, form)
  if (name === 'fix' || name === 'undo') {
    if (ready?.base !== drawn) throw lockChanged(project)
    const moved = name === 'fix' && describeMoved(await readRows(store, seen.after), form)
    return moved ? { texts: [`Nothing was written. ${moved}`] } : commit(project, name, ready)
  }
  const lock = await DECISIONS[name](seen.after, form, store)
  if (typeof lock === 'string') return { texts: [`Nothing was written. ${lock}`] }
  const plan = await project.edit(seen, lock)
  if (name === 'anyway') return commit(project, name, plan)
  if (name === 'take') return commit(project, name, await leaveBreaking(plan, store.code))
  const judged = await judge(plan, store.code)
  const { breaks } = judged
  if (isSafe(breaks)) return commit(project, name, judged)
  const { findings } = reportOf(breaks)
  return {
    texts: [`Nothing was written. ${describeBreaks(breaks)}`],
    follow: { of: form.part, base: drawn, findings },
  }
}

/** Says what a text breaks, or why that is not known. */
function describeBreaks(breaks: Breaks): string {
  if (breaks.kind === 'unchecked') return `The app was not checked: ${breaks.reason}`
  const lines = describeImpact(reportOf(breaks))
  return `${lines.charAt(0).toUpperCase()}${lines.slice(1)}.`
}

function lockChanged({ lock, options }: Project): PromptsError {
  return new PromptsError('FILE_CHANGED', { path: relativePath(options.root, lock.path) })
}

/** The edits of the app for a change, which are written only after they were shown. */
async function planFix(store: Store, seen: Plan, form: Form): Promise<Acted> {
  const { project } = store.source
  const { slug, environment } = form.part
  const waiting = await readRows(store, seen.after)
  const moved = describeMoved(waiting, form)
  if (moved !== undefined) return { texts: [moved] }
  const rows = waiting.filter((row) => row.environment === environment)
  const changes = rows.map(({ change }) => change)
  const renames = guessRenames(changes, []).filter((guess) => slugsOf(guess).includes(slug))
  const slugs = new Set([slug, ...renames.flatMap(slugsOf)])
  const chosen = changes.filter((change) => slugs.has(change.slug))
  const whole = await project.edit(seen, applyChanges(seen.after, chosen))
  const plan = await rename(whole, { renames, isAsked: true }, store.code)
  const [left] = plan.left
  if (left) return { texts: [`No safe edit: ${left.reason}`] }
  const names = renames.map((guess) => `\`${printRename(guess)}\``).join(', ')
  const edits = plan.edits.map(({ path, before, after }) => {
    return { file: relativePath(project.options.root, path), before, after }
  })
  const follow = { of: form.part, base: seen.base, edits }
  return { texts: [`Renamed in the service: ${names}`], follow, fix: plan }
}

async function readRows(store: Store, lock: Lock): Promise<PageRow[]> {
  return (await store.rows(lock)).filter(isRead)
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

type Decision = Exclude<(typeof WRITES)[number], 'fix' | 'undo'>

/** The lock after a decision, or why there is none. */
type Decide = (lock: Lock, form: Form, store: Store) => Promise<Lock | string>

const DECISIONS: Readonly<Record<Decision, Decide>> = {
  async take(lock, form, store) {
    const waiting = await readRows(store, lock)
    const moved = describeMoved(waiting, form)
    if (moved !== undefined) return moved
    const taken = waiting.filter(({ name }) => form.rows.some((row) => row.name === name))
    const changes = taken.map(({ change }) => change)
    return applyChanges(lock, changes)
  },
  async hold(lock, form, { source: { project } }) {
    const { slug, environment } = form.part
    return holdParts(lock, [slug], environment, typedReason(lock, form, project))
  },
  unhold: async (lock, { part: { slug, environment } }) => unholdParts(lock, [slug], environment),
  edit: editTexts,
  anyway: (lock, form, store) => DECISIONS[form.commit ? 'restore' : 'edit'](lock, form, store),
  async restore(lock, { part, commit: revision }, { source: { project } }) {
    const former = await readLockAt(project.lock, revision)
    const reason = await holdReason(project.lock, revision, revision.slice(0, 7))
    return restorePart(lock, former, { ...part, revision, reason })
  },
}

/** A lock with the texts that were typed. */
async function editTexts(
  lock: Lock,
  form: Form,
  { source: { project } }: Store,
): Promise<Lock | string> {
  const { slug, environment } = form.part
  const stored = findKnownPrompt(slug, viewOf(lock, environment).prompts, 'prompt in the lock')
  const fields = (['system', 'user'] as const).map((field) => {
    return { field, ...typedText(stored[field], form.typed.get(field), project.options.secrets) }
  })
  const [system = '', user = ''] = fields.map(({ text }) => text)
  if (system === '' && user === '') return 'Both texts are empty.'
  const lossy = fields.filter(({ isLossy }) => isLossy).map(({ field }) => field)
  if (lossy.length === 0)
    return editPart(lock, slug, environment, { system, user }, typedReason(lock, form, project))
  const why = 'text has carriage returns or other characters that browsers change'
  const edit = partCommand(project.lock.workspace, 'edit', [form.part])
  return `The ${lossy.join(' and ')} ${why}. Edit it with \`${edit}\`.`
}

function typedReason(lock: Lock, { part, typed }: Form, { options }: Project): string | undefined {
  const { held } = indexParts(lock.parts).get(partKey(part)) ?? {}
  return typedText(held?.reason ?? '', typed.get('reason'), options.secrets).text
}

async function commit(project: Project, done: (typeof WRITES)[number], plan: Plan): Promise<Acted> {
  const written = await project.commit(plan)
  const left = plan.left.map(
    (row) => `\`${describePart(row)}\` stays as it is pinned: ${row.reason}`,
  )
  if (!written.includes(project.lock.path))
    return { texts: [left.length > 0 ? 'The lock is unchanged.' : NOTHING_NEW, ...left] }
  const files = plan.edits.map(({ path }) => relativePath(project.options.root, path))
  const { pinned, removed } = changedParts(plan)
  const texts = [
    ...sentence(DONE[done], pinned),
    ...sentence('Removed', removed),
    ...sentence(`Edited ${pluralize(files.length, 'file')}:`, files),
    ...left,
  ]
  return done === 'undo' ? { texts } : { texts, undo: wayBack(plan) }
}

const NOTHING_NEW = 'Nothing was changed, so nothing was written.'

const DONE: Readonly<Record<(typeof WRITES)[number], string>> = {
  take: 'Updated',
  fix: 'Updated',
  hold: 'Held',
  unhold: 'No longer held:',
  edit: 'Pinned and held',
  anyway: 'Pinned',
  restore: 'Restored',
  undo: 'Undone. Pinned again:',
}

function sentence(verb: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`${verb} ${listOf(names)}`] : []
}

/** More names are only counted. */
const NAMED = 5

function listOf(names: readonly string[]): string {
  const named = names.map((name) => `\`${name}\``)
  return truncateList(named, NAMED).join(', ')
}

/** What a plan changes: the parts that it pins, with their labels, and those that go. */
function changedParts({ before, after }: Plan) {
  const [old, now] = [indexParts(lockBefore(before).parts), indexParts(after.parts)]
  const isNew = (part: PinnedPrompt): boolean =>
    JSON.stringify(old.get(partKey(part))) !== JSON.stringify(part)
  const gone = [...old.values()].filter((part) => !now.has(partKey(part)))
  return {
    pinned: after.parts.filter(isNew).map((part) => labelled(part, part.version)),
    removed: gone.map((part) => describePart(part)),
  }
}

function labelled(part: PartId, version: string | null): string {
  return `${describePart(part)}${version === null ? '' : ` ${version}`}`
}

/** The plan that brings the old lock and the old files back. */
function wayBack({ before, after, edits }: Plan): Plan {
  return {
    base: sha256(printLock(after, sha256)),
    before: wholeLock(after),
    after: lockBefore(before),
    edits: edits.map((edit) => ({ ...edit, before: edit.after, after: edit.before })),
    left: [],
  }
}
