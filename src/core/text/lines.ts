/**
 * Cuts a text behind every line feed. Lines keep their ends, so that joining them gives the text
 * back to the letter; the empty text has no lines.
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
