/** Git's conflict markers. Lines of text in a lock begin with a space. */
const MARKER = /^([<|=>])\1{6}(?: |(?:\r?\n)?$)/

/** A line with its end. */
const LINE = /[^\n]+\n?|\n/g

/** Searches a printed lock, which may be megabytes. Its first and its last line are braces. */
export function hasConflictMarker(text: string): boolean {
  return /\n([<|=>])\1{6}[ \n]/.test(text)
}

/** Returns the line of the first conflict marker, counted from 1. */
export function findConflictMarker(text: string): number | undefined {
  const index = text.split(/\r?\n/).findIndex((line) => MARKER.test(line))
  return index === -1 ? undefined : index + 1
}

export interface ConflictSides {
  readonly ours: string
  readonly theirs: string
  /** The common ancestor. Only git's conflict styles diff3 and zdiff3 have it between the markers. */
  readonly base: string | undefined
}

type Side = keyof ConflictSides

/** The side after a marker, by the side before it and the marker's character. */
const NEXT: Readonly<Record<string, Side | 'all'>> = {
  'all<': 'ours',
  'ours|': 'base',
  'ours=': 'theirs',
  'base=': 'theirs',
  'theirs>': 'all',
}

/** Returns the text without the lines of markers. */
export function removeMarkers(text: string): string {
  return text.replaceAll(LINE, (line) => (MARKER.test(line) ? '' : line))
}

/**
 * Splits a text with conflict markers into its sides.
 *
 * @returns `undefined` without markers, or if some are missing or in the wrong order
 */
export function splitConflictSides(text: string): ConflictSides | undefined {
  const sides: Record<Side, string> = { ours: '', theirs: '', base: '' }
  let side: Side | 'all' | undefined = 'all'
  let isMarked = false
  for (const line of text.match(LINE) ?? []) {
    const sign = MARKER.exec(line)?.[1]
    if (sign === undefined) {
      const among = side === 'all' ? (['ours', 'theirs', 'base'] as const) : [side]
      for (const name of among) sides[name] += line
      continue
    }
    side = NEXT[side + sign]
    if (side === undefined) return undefined
    isMarked = true
  }
  return isMarked && side === 'all' ? sides : undefined
}
