import { diffWordsWithSpace, formatPatch, structuredPatch } from 'diff'
import { toOrdinarySpaces } from '../../core/text/sanitize.ts'

/** A part of a line; `changed` if the other side differs there. */
interface Segment {
  readonly text: string
  readonly changed: boolean
}

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  /** 1-based, in the old text for removed lines and in the new text otherwise. */
  readonly number: number
  readonly segments: readonly Segment[]
  /** What a line that looks like one of the other side differs in. Default: it looks different. */
  readonly differsIn?: keyof typeof LOOKALIKES
}

/** What is said of a line that looks like one of the other side. */
export const LOOKALIKES = {
  spaces: 'only white space differs',
  letters: 'only the Unicode form of letters differs',
} as const

/** Unchanged lines around each change. */
const CONTEXT = 3

/**
 * With more edits of lines the whole text counts as replaced, and with more edits of words none is marked: that
 * would be unreadable, and the time grows with the square, 0.2 s for so many words and 6 s for five times as many.
 */
const MAX_EDITS = 1000

/**
 * The differences of two texts, in hunks of lines with the changed words marked.
 *
 * Only this file imports `diff`. Import it lazily.
 */
export function diffTexts(before: string, after: string): DiffLine[][] {
  return patchOf(...wholeLines(before, after)).hunks.map((hunk) => highlight(readLines(hunk)))
}

/** The differences as {@link diffTexts} shows them, in a patch that can't be applied to the texts. */
export function readablePatch(before: string, after: string, name: string): string {
  return unifiedPatch(...wholeLines(before, after), name, name)
}

/**
 * The texts with a line end after each line, so that what is appended does not change the line before it. If
 * only one of them ends with a line end, that is an empty line.
 */
function wholeLines(before: string, after: string): [before: string, after: string] {
  const areWhole = [before, after].every((text) => text === '' || text.endsWith('\n'))
  const end = (text: string): string => (areWhole || text === '' ? text : `${text}\n`)
  return [end(before), end(after)]
}

/** A unified patch of two texts, which it calls `old` and `now`; empty if they are the same. */
export function unifiedPatch(before: string, after: string, old: string, now: string): string {
  return before === after ? '' : formatPatch(patchOf(before, after, old, now), HEADERS)
}

const HEADERS = { includeIndex: false, includeUnderline: false, includeFileHeaders: true }

type Patch = ReturnType<typeof structuredPatch>

function patchOf(before: string, after: string, old = '', now = ''): Patch {
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS }
  const patch = structuredPatch(old, now, before, after, undefined, undefined, options)
  return patch ?? fullReplacement(before, after, old, now)
}

function fullReplacement(before: string, after: string, old: string, now: string): Patch {
  const removed = structuredPatch(old, now, before, '').hunks[0]
  const added = structuredPatch(old, now, '', after).hunks[0]
  const lines = [...(removed?.lines ?? []), ...(added?.lines ?? [])]
  const [oldLines, newLines] = [removed?.oldLines ?? 0, added?.newLines ?? 0]
  const hunk = { oldStart: 1, oldLines, newStart: 1, newLines, lines }
  return { oldFileName: old, newFileName: now, oldHeader: '', newHeader: '', hunks: [hunk] }
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '-': 'removed', '+': 'added' }

function readLines({ lines, oldStart, newStart }: Patch['hunks'][number]): DiffLine[] {
  let [old, now] = [oldStart, newStart]
  return lines.map((line) => {
    const kind = KINDS[line.charAt(0)] ?? 'same'
    const number = kind === 'removed' ? old : now
    if (kind !== 'added') old++
    if (kind !== 'removed') now++
    return { kind, number, segments: [{ text: line.slice(1), changed: false }] }
  })
}

/** Marks the changed words if removed lines are followed by added ones. */
function highlight(lines: readonly DiffLine[]): DiffLine[] {
  const runs: DiffLine[][] = []
  for (let start = 0; start < lines.length;) {
    const removed = runOf('removed', lines, start)
    const added = runOf('added', lines, start + removed.length)
    const same = runOf('same', lines, start + removed.length + added.length)
    runs.push(compareRuns(removed, added), same)
    start += removed.length + added.length + same.length
  }
  return runs.flat()
}

function runOf(kind: DiffLine['kind'], lines: readonly DiffLine[], start: number): DiffLine[] {
  let end = start
  while (lines[end]?.kind === kind) end++
  return lines.slice(start, end)
}

/** With less common text, marked words would be noise. */
const MIN_SIMILARITY = 0.3

function compareRuns(removed: readonly DiffLine[], added: readonly DiffLine[]): DiffLine[] {
  const [old, now] = [textOf(removed), textOf(added)]
  const words = old === '' || now === '' ? undefined : compareWords(old, now)
  const side = (lines: readonly DiffLine[], kind: 'removed' | 'added'): DiffLine[] => {
    const differsIn = lookalikes(kind === 'removed' ? added : removed)
    const segments = words && segmentLines(words, kind)
    return lines.map((line, index) => {
      return { ...line, ...differsIn(line), segments: segments?.[index] ?? line.segments }
    })
  }
  return [...side(removed, 'removed'), ...side(added, 'added')]
}

/** Finds what a line differs in from one of these lines that looks like it. */
function lookalikes(others: readonly DiffLine[]): (line: DiffLine) => Pick<DiffLine, 'differsIn'> {
  const [spaces, letters] = [withoutSpaces, withOrdinaryLetters].map((simplify) => {
    const looks = new Set(others.map((line) => simplify(lineText(line))))
    return (line: DiffLine): boolean => looks.has(simplify(lineText(line)))
  })
  const texts = new Set(others.map(lineText))
  return (line) => {
    if (texts.has(lineText(line))) return {}
    if (spaces?.(line)) return { differsIn: 'spaces' }
    return letters?.(line) ? { differsIn: 'letters' } : {}
  }
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '')
}

function withOrdinaryLetters(text: string): string {
  return toOrdinarySpaces(text.normalize())
}

type Words = ReturnType<typeof diffWordsWithSpace>

function compareWords(old: string, now: string): Words | undefined {
  const words = diffWordsWithSpace(old, now, { maxEditLength: MAX_EDITS })
  const common = words?.filter((word) => !word.added && !word.removed) ?? []
  const length = common.reduce((sum, { value }) => sum + value.trim().length, 0)
  return length >= MIN_SIMILARITY * Math.min(old.trim().length, now.trim().length)
    ? words
    : undefined
}

function textOf(lines: readonly DiffLine[]): string {
  return lines.map(lineText).join('\n')
}

export function lineText({ segments }: DiffLine): string {
  return segments.map(({ text }) => text).join('')
}

/** The words of one side, as segments of its lines. */
function segmentLines(words: Words, side: 'removed' | 'added'): Segment[][] {
  const lines: Segment[][] = [[]]
  for (const word of words) {
    const changed = word[side]
    if (!changed && (word.added || word.removed)) continue
    for (const [index, text] of word.value.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (text !== '') lines.at(-1)?.push({ text, changed })
    }
  }
  return lines.map(joinBlanks)
}

/** Also marks spaces between two changed words, so a changed phrase is one segment. */
function joinBlanks(segments: readonly Segment[]): Segment[] {
  return segments.map((segment, index) => {
    const between = segments[index - 1]?.changed === true && segments[index + 1]?.changed === true
    return between && segment.text.trim() === '' ? { ...segment, changed: true } : segment
  })
}
