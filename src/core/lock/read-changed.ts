import { type ParsedEntries, parseEntries } from './parse-entries.ts'
import { printFields } from './print-prompt.ts'
import type { LockEntry } from './read-entries.ts'

// Strings contain no raw line ends, so none of these is in one.
const FIRST = '[\n    {\n'
const BETWEEN = '\n    },\n    {\n'
const LAST = '\n    }\n  ]\n}\n'

/**
 * Reads a lock of which an earlier text was read: only entries with another text are parsed.
 *
 * @param known - the entries of the earlier text
 * @returns `undefined` if the text is not exactly as `printLock` prints it, or no entry is new
 */
export function readChanged(text: string, known: readonly LockEntry[]): ParsedEntries | undefined {
  if (!text.endsWith(LAST)) return undefined
  const start = text.indexOf(FIRST) + FIRST.length
  const texts = text.slice(start, -LAST.length).split(BETWEEN)
  const byLastLine = new Map(known.map((entry) => [printLastLine(entry), entry]))
  const find = (entryText: string): LockEntry | undefined => {
    const line = entryText.slice(entryText.lastIndexOf('\n') + 1)
    const entry = byLastLine.get(line)
    return entryText === `${entry?.bytes},\n${line}` ? entry : undefined
  }
  const changed = texts.filter((each) => find(each) === undefined)
  const read = parseEntries(text.slice(0, start) + changed.join(BETWEEN) + LAST)
  if (read.kind === 'fault') return undefined
  for (const entry of read.entries) byLastLine.set(printLastLine(entry), entry)
  const entries = texts.flatMap((each) => find(each) ?? [])
  return entries.length === texts.length ? { ...read, entries } : undefined
}

/** Prints the last line of an entry: its hash, which identifies it. */
function printLastLine({ integrity }: LockEntry): string {
  return printFields({ integrity })
}
