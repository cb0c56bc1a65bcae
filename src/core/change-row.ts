/**
 * One row for each change: what every command, report and view prints, and what `--json` and the page
 * have. {@link changeRows} makes them; the words for their effects are in `describe-change.ts`.
 */
import { type ChangeEffect, isOfContract, listEffects } from './classify-change.ts'
import { changedFields, type PromptChange } from './compare.ts'
import type { Certainty, ImpactFinding, Place } from './impact.ts'
import { toIdentifier } from './names.ts'
import { type Environment, findJoin, type PartId, partKey, type PromptText } from './prompt.ts'
import type { Remarks } from './service.ts'
import { compareCodePoints } from './text/order.ts'

/**
 * What a change means to the app. `breaking`: a line of the app stops compiling, as a type check has
 * shown. `contract`: variables, roles or the model differ, or the prompt was removed. `text`: a text
 * differs. `settings`: only temperature, folder or version label differ, or the staging part ends. `unread`:
 * what the service's list shows differs, and the text was not read. `added`: a new prompt.
 */
export type ChangeClass = 'breaking' | 'contract' | 'text' | 'settings' | 'unread' | 'added'

/**
 * The change of one part of a prompt. Names, labels and reasons are as served: escape them before
 * showing.
 */
export interface ChangeRow extends Remarks {
  readonly slug: string
  /** The view that it changes; `test` for staging. */
  readonly environment: Environment
  readonly kind: PromptChange['kind']
  readonly class: ChangeClass
  /** Labels; `null` if that side has no such prompt. */
  readonly version: { readonly before: string | null; readonly after: string | null }
  /** Worst first; none if only the label differs. */
  readonly effects: readonly ChangeEffect[]
  /** The lines that the change breaks or that were not checked, or the code that needs the pinned prompt. */
  readonly places: readonly ChangePlace[]
  /** Why a pull leaves the prompt as it is pinned; `null` if it takes the change. */
  readonly reason: string | null
  /** The files that name the prompt; `null` if nobody has looked for them. */
  readonly files: readonly string[] | null
}

/** Code that a change affects. */
export interface ChangePlace extends Place {
  readonly kind: Certainty
  /** One line. */
  readonly reason: string
}

/** A row with both sides, for what shows texts. */
export interface ComparedRow extends ChangeRow {
  readonly change: PromptChange
}

/** What is known of changes besides their texts. */
interface ChangeContext extends RowContext {
  readonly findings?: readonly ImpactFinding[] | null | undefined
  readonly unread?: readonly PartId[] | undefined
}

/** What is known of the part and the prompt of a row. */
interface RowContext {
  readonly remarks?: ReadonlyMap<string, Remarks> | undefined
  /** The prompts that code uses, or may use. */
  readonly used?: readonly UsedPrompt[] | undefined
}

/** A prompt that code uses, or may use. */
export interface UsedPrompt {
  readonly slug: string
  /** Those that name it. */
  readonly files: readonly string[]
}

export function usedPrompt(slug: string, uses: readonly { readonly file: string }[]): UsedPrompt {
  return { slug, files: [...new Set(uses.map(({ file }) => file))] }
}

/** Returns a row for each change, sorted by {@link sortRows}. */
export function changeRows(
  changes: readonly PromptChange[],
  { findings, unread, ...context }: ChangeContext = {},
): ComparedRow[] {
  const causes = causesOf(findings ?? [], changes)
  const changed = new Set(changes.map(partKey))
  const isUnread = new Set(unread?.map(partKey).filter((key) => changed.has(key)))
  const rows = changes.map((change) => {
    const row = rowOf(change, change.after !== undefined && isUnread.has(partKey(change.after)))
    return withFindings(row, causes.get(change) ?? [])
  })
  const isUsed = new Set(context.used?.map(({ slug }) => slug))
  return sortRows(withContext(rows, context), ({ slug }) => isUsed.has(slug))
}

export function withContext<Row extends ChangeRow>(
  rows: readonly Row[],
  { remarks, used }: RowContext,
): Row[] {
  const filesOf = used && new Map(used.map(({ slug, files }) => [slug, files]))
  return rows.map((row) => {
    const files = filesOf?.get(row.slug) ?? row.files
    return { ...row, ...remarks?.get(partKey(row)), files }
  })
}

/**
 * The row of a change that a pull does not take: the prompt stays as it is pinned.
 *
 * @param reason - one line; may hold remote text
 * @param obstacles - what in the app needs the pinned prompt. Default: that is not known
 */
export function skippedRow(
  change: PromptChange,
  reason: string,
  obstacles: readonly ChangePlace[] = [],
): ComparedRow {
  return { ...withFindings(rowOf(change, false), obstacles), reason }
}

function rowOf(listed: PromptChange, isUnread: boolean): ComparedRow {
  const change = isUnread ? withOldTexts(listed) : listed
  const { slug, environment, kind, before, after } = change
  const unread = isUnread ? [{ kind: 'unread' as const }] : []
  const effects = [...listEffects(change), ...unread]
  return {
    slug,
    environment,
    kind,
    class: classOf(effects),
    version: { before: before?.version ?? null, after: after?.version ?? null },
    effects,
    places: [],
    reason: null,
    files: null,
    note: null,
    warnings: [],
    change,
  }
}

/** Texts that were not read are not compared. */
function withOldTexts(change: PromptChange): PromptChange {
  if (change.kind !== 'updated') return change
  const { system, user, source } = change.before
  return { ...change, after: { ...change.after, system, user, source } }
}

function classOf(effects: readonly ChangeEffect[]): ChangeClass {
  const has = (kind: ChangeEffect['kind']): boolean =>
    effects.some((effect) => effect.kind === kind)
  if (has('prompt-added')) return 'added'
  if (effects.some(isOfContract)) return 'contract'
  if (has('unread')) return 'unread'
  return has('text') ? 'text' : 'settings'
}

/** A row as JSON has it: the texts of a whole workspace may be megabytes. */
export function withoutTexts(row: ComparedRow): ChangeRow {
  const { change: _, ...rest } = row
  return rest
}

export function withFindings<Row extends ChangeRow>(
  row: Row,
  findings: readonly ChangePlace[],
): Row {
  const isProven = findings.some(({ kind }) => kind === 'compile')
  const places = findings.map(({ file, line, column, code, kind, reason }) => {
    return { file, line, column, ...(code && { code }), kind, reason }
  })
  return { ...row, class: isProven ? 'breaking' : row.class, places }
}

/** Whether code that was not checked may need the prompt as it is pinned. */
export function isNotChecked(row: ChangeRow): boolean {
  return row.class !== 'breaking' && row.places.length > 0
}

/** Whether a live update brings a change with it, so that there is no choice. */
export function isPublished({ effects }: ChangeRow): boolean {
  return effects.some((effect) => effect.kind === 'staging-ended' && effect.isPublished)
}

/**
 * The findings about each change: those of its prompt, unless additions took the identifier of that
 * prompt, which then cause it.
 */
export function causesOf<Change extends Pick<PromptChange, 'slug' | 'environment' | 'kind'>>(
  findings: readonly ImpactFinding[],
  changes: readonly Change[],
): Map<Change, ImpactFinding[]> {
  const causes = new Map<Change, ImpactFinding[]>()
  const added = changes
    .filter(({ kind }) => kind === 'added')
    .map((change) => ({ change, identifier: toIdentifier(change.slug) }))
  for (const finding of findings) {
    const { slug, environment } = finding
    const identifier = slug === null ? undefined : toIdentifier(slug)
    const own = changes.filter((change) => change.slug === slug)
    const takers = added
      .filter((taker) => identifier !== undefined && taker.identifier === identifier)
      .flatMap(({ change }) => (change.slug === slug ? [] : change))
    const ofPart = own.filter((change) => change.environment === environment)
    const causing = [takers, ofPart].find(({ length }) => length > 0) ?? own
    for (const change of causing) causes.set(change, [...(causes.get(change) ?? []), finding])
  }
  return causes
}

/** Sorts live before staging, then by the number of broken lines, by use, and by code point of the slug. */
export function sortRows<Row extends ChangeRow>(
  rows: readonly Row[],
  isUsed: (row: Row) => boolean = () => false,
): Row[] {
  const rank = (row: Row): number => {
    if (row.class === 'breaking') return -row.places.filter(({ kind }) => kind === 'compile').length
    return row.places.length > 0 || isUsed(row) ? 1 : 2
  }
  const view = ({ environment }: Row): number => (environment === 'live' ? 0 : 1)
  return rows.toSorted(
    (a, b) => view(a) - view(b) || rank(a) - rank(b) || compareCodePoints(a.slug, b.slug),
  )
}

/** More rows are not all shown. */
const MAX_ROWS = 20

/**
 * The rows to show, and how many of which class are only counted: beyond 20, those that only touch texts,
 * and the further ones that are added or were not read.
 */
export function shortenRows<Row extends ChangeRow>(
  rows: readonly Row[],
): { readonly visible: readonly Row[]; readonly hidden: readonly Row[] } {
  if (rows.length <= MAX_ROWS) return { visible: rows, hidden: [] }
  const counts = { added: 0, unread: 0 }
  const isVisible = rows.map(({ class: name, effects }) => {
    if (name === 'added' || name === 'unread') return ++counts[name] <= MAX_ROWS
    return name !== 'text' || effects.some(({ kind }) => kind !== 'text')
  })
  return {
    visible: rows.filter((_, index) => isVisible[index]),
    hidden: rows.filter((_, index) => !isVisible[index]),
  }
}

/** One text of a prompt on both sides; `null` if a side has no such prompt. */
export interface ChangedText {
  readonly environment: Environment
  readonly field: PromptText['field']
  readonly before: string | null
  readonly after: string | null
}

/**
 * The texts that a change affects. `source` is included only if it isn't a join of system and user,
 * or if only the separator changed.
 */
export function changedTexts(change: PromptChange): ChangedText[] {
  const { environment, before, after } = change
  const fields = changedFields(change)
  const hasOwnSource = [before, after].some((prompt) => prompt && findJoin(prompt) === undefined)
  return fields
    .filter((field) => field !== 'source' || hasOwnSource || fields.length === 1)
    .map((field) => {
      const texts = { before: before?.[field] ?? null, after: after?.[field] ?? null }
      return { environment, field, ...texts }
    })
}
