import { causesOf, type ChangeRow, withFindings } from '../../core/change-row.ts'
import { describeEffects, describeVersion } from '../../core/describe-change.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { type ErrorView, mayUse, type PageRow, rowsOf, type Shown } from '../shown.ts'
import { inOrder } from './entries.ts'

/** Whether an error says that no service is configured, so that nothing can be asked. */
export function isOff({ code }: ErrorView): boolean {
  return code === 'KEY_MISSING' || code === 'BASE_URL_MISSING'
}

/** A change with what is known of the code. */
export interface Change extends PageRow {
  readonly isUsed: boolean
  /** Whether it is known what it breaks: it is checked, or no code uses the prompt. */
  readonly isChecked: boolean
}

/** The changes that wait, by folder and slug. */
export function changesOf({ changes, uses, impact, prompts }: Shown): Change[] {
  const rows = rowsOf(changes)
  const mayBeUsed = mayUse(uses)
  const findings = impact?.kind === 'known' ? impact.findings : undefined
  const causes = causesOf(findings ?? [], rows)
  const folders = new Map(prompts.map(({ slug, folder }) => [slug, folder]))
  const known = rows.map((row): Change => {
    const isUsed = mayBeUsed(row)
    const isRead = row.change !== null && findings !== undefined
    const isChecked = row.kind === 'added' || !isUsed || isRead
    return { ...withFindings(row, causes.get(row) ?? []), isUsed, isChecked }
  })
  return inOrder(known, ({ slug }) => ({ slug, folder: folders.get(slug) ?? '' }))
}

/** Whether a change can be taken: its text was read, and the app was checked with it and compiles. */
export function canTake({ change, isChecked, places }: Change, { isAnalysing }: Shown): boolean {
  return change !== null && isChecked && places.length === 0 && !isAnalysing
}

/** What a change is, in a few words: `contract: +language, user text`. What breaks is said beside it. */
export function summaryOf(row: ChangeRow): string {
  const effects = describeEffects(row, String)
  return ['unread', 'breaking'].includes(row.class) ? effects : `${row.class}: ${effects}`
}

/** The version labels of a change. */
export function versionOf(row: ChangeRow): string {
  return describeVersion(row, String)
}

/** The sentence above the changes, and whether it is bad news. */
export function verdictOf(changes: readonly Change[]): { text: string; isBad: boolean } {
  const broken = countLines(changes.filter((change) => change.class === 'breaking'))
  const unproven = countLines(changes)
  const isProven = changes.every((change) => change.isChecked)
  if (broken > 0) {
    const lines = `${isProven ? '' : 'At least '}${pluralize(broken, 'line')} of your app`
    return { text: `${lines} would break if you pulled now`, isBad: true }
  }
  if (unproven > 0)
    return { text: `${pluralize(unproven, 'unproven use')} in your app`, isBad: false }
  const waiting = `${pluralize(changes.length, 'change')} ${changes.length === 1 ? 'waits' : 'wait'}`
  const none = changes.length === 1 ? 'and does not break your app' : 'none breaks your app'
  return { text: isProven ? `${waiting}, ${none}` : waiting, isBad: false }
}

function countLines(changes: readonly Change[]): number {
  const places = changes.flatMap((change) => change.places)
  return new Set(places.map(({ file, line }) => `${file}:${line}`)).size
}
