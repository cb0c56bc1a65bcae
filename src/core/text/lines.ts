/**
 * Splits a text into lines without their line feeds. Each line is followed by another element, and the empty
 * text has none: so git's diff of a lock has exactly the lines that changed, the last one included.
 */
export function splitLines(text: string): string[] {
  return text === '' ? [] : `${text}\n`.split('\n')
}

export function joinLines(lines: readonly string[]): string {
  return lines.slice(0, -1).join('\n')
}
