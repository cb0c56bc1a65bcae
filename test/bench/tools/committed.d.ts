/** A row of a committed table, by the heads of its columns. */
type CommittedRow = Readonly<Record<string, string>>

interface Row {
  readonly what: string
  readonly median: string
  readonly ratio: string
  readonly must: string
  readonly state: 'ok' | 'short' | ''
}

export function readCommitted(name: string, file?: string): Promise<CommittedRow[]>
export function withCommitted(
  rows: readonly Row[],
  committed: readonly CommittedRow[],
): (Row & { readonly before: string })[]
export function findWorse(rows: readonly Row[], committed: readonly CommittedRow[]): Row[]
