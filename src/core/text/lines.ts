/**
 * Splits a text after every line feed. Lines keep their line feed, so joining them returns the text.
 * An empty text has no lines.
 */
export function splitLines(text: string): string[] {
  const lines: string[] = []
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1))
    start = end + 1
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}
