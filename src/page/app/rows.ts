import type { Entry } from './entries.ts'

/** One line of the list. */
export type Row =
  | {
      readonly kind: 'folder'
      readonly folder: string
      readonly count: number
      readonly open: boolean
    }
  | { readonly kind: 'prompt'; readonly entry: Entry }

/** In pixels: the list has to know them before it draws a row. */
export const ROW_HEIGHTS: Readonly<Record<Row['kind'], number>> = { folder: 36, prompt: 56 }

/** One row for each entry, without folders: for results in the order of how well they match. */
export function flatRows(entries: readonly Entry[]): Row[] {
  return entries.map((entry) => ({ kind: 'prompt', entry }))
}

/** Groups entries by folder. */
export function rowsOf(entries: readonly Entry[], closed: ReadonlySet<string>): Row[] {
  const folders = new Map<string, Entry[]>()
  for (const entry of entries) {
    const members = folders.get(entry.prompt.folder)
    if (members === undefined) folders.set(entry.prompt.folder, [entry])
    else members.push(entry)
  }
  return [...folders].flatMap(([folder, members]): Row[] => {
    const open = !closed.has(folder)
    return [
      { kind: 'folder', folder, count: members.length, open },
      ...flatRows(open ? members : []),
    ]
  })
}

/** The top of each row in pixels and, last, the total height. */
export function rowOffsets(rows: readonly Row[]): number[] {
  const tops = [0]
  for (const { kind } of rows) tops.push((tops.at(-1) ?? 0) + ROW_HEIGHTS[kind])
  return tops
}

/** Extra rows above and below the visible ones, so that scrolling shows no gaps. */
const SPARE = 8

/** The visible part of the list, in pixels. */
export interface SeenWindow {
  readonly top: number
  readonly height: number
}

/** The rows to render for the visible window. `tops` comes from {@link rowOffsets}. */
export function visibleRange(
  tops: readonly number[],
  { top, height }: SeenWindow,
): { readonly start: number; readonly end: number } {
  const first = tops.findLastIndex((each) => each <= top)
  const last = tops.findLastIndex((each) => each <= top + height)
  return { start: Math.max(0, first - SPARE), end: Math.min(tops.length - 1, last + 1 + SPARE) }
}
