import { pluralize } from '../../core/text/pluralize.ts'
import { usedBy } from '../../core/used-by.ts'
import type { ImpactFinding } from '../../features/usage/impact.ts'
import type { ChangeRow, ImpactView, UsesView } from '../protocol.ts'
import { naturally } from './entries.ts'

/** What a change does to the app, as far as it is proven. */
export type Effect =
  | {
      readonly kind: 'breaks'
      readonly isUsed: true
      readonly findings: readonly ImpactFinding[]
    }
  /** Checked, or no code uses the prompt. */
  | { readonly kind: 'safe'; readonly isUsed: boolean }
  | { readonly kind: 'unchecked'; readonly isUsed: boolean }

/** A change and its effect. */
export interface Change extends ChangeRow {
  readonly effect: Effect
}

/** The changes: those that break lines first, then those of prompts that code uses, then the rest. */
export function changesOf(
  rows: readonly ChangeRow[],
  uses: UsesView,
  impact: ImpactView | undefined,
): Change[] {
  const mayUse = uses.kind === 'analysed' ? usedBy(uses) : () => true
  const findings = impact?.kind === 'checked' ? impact.findings : undefined
  const effectOf = ({ slug, kind, isRead }: ChangeRow): Effect => {
    const own = findings?.filter((finding) => finding.slug === slug) ?? []
    if (own.length > 0) return { kind: 'breaks', isUsed: true, findings: own }
    const isUsed = mayUse(slug)
    const isSafe = kind === 'added' || !isUsed || (isRead && findings !== undefined)
    return { kind: isSafe ? 'safe' : 'unchecked', isUsed }
  }
  return rows
    .map((row): Change => ({ ...row, effect: effectOf(row) }))
    .toSorted((a, b) => rank(a) - rank(b) || naturally(a.slug, b.slug))
}

function rank({ effect, kind }: Change): number {
  if (effect.kind === 'breaks') return -effect.findings.length
  if (kind === 'added') return 3
  return effect.isUsed ? 1 : 2
}

/** `4 updated, 1 new, 1 removed`. */
export function countKinds(rows: readonly ChangeRow[]): string {
  const names = { updated: 'updated', added: 'new', removed: 'removed' } as const
  return Object.entries(names)
    .map(([kind, name]) => [rows.filter((row) => row.kind === kind).length, name] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ')
}

/** What a change is, in a few words: `+ language · text · model`. */
export function summaryOf({ kind, change, fields, isRead }: ChangeRow): string {
  if (kind === 'added') return 'new'
  if (kind === 'removed') return 'removed'
  if (change === null) {
    const listed = fields.filter((field) => field !== 'version')
    return isRead ? 'same text' : listed.join(' · ')
  }
  const words = change.effects.map((effect) => {
    if (effect.kind === 'variable-added') return `+ ${effect.name}`
    if (effect.kind === 'variable-removed') return `− ${effect.name}`
    if (effect.kind === 'variable-renamed') return `${effect.from} → ${effect.to}`
    if (effect.kind === 'setting') return effect.field
    return effect.kind
  })
  const others = words.filter((word) => word !== 'version')
  return (others.length > 0 ? others : words).join(' · ')
}

/** The sentence above the changes, and whether it is bad news. */
export function verdictOf(changes: readonly Change[]): { text: string; isBad: boolean } {
  const findings = changes.flatMap(({ effect }) =>
    effect.kind === 'breaks' ? effect.findings : [],
  )
  const lines = new Set(findings.map(({ file, line }) => `${file}:${line}`)).size
  if (lines > 0)
    return {
      text: `${pluralize(lines, 'line')} of your app would break if you pulled now`,
      isBad: true,
    }
  const waiting = `${pluralize(changes.length, 'change')} ${changes.length === 1 ? 'waits' : 'wait'}`
  const isProven = changes.every(({ effect }) => effect.kind === 'safe')
  const none = changes.length === 1 ? 'and does not break your app' : 'none breaks your app'
  return { text: isProven ? `${waiting}, ${none}` : waiting, isBad: false }
}
