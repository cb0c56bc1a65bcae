/**
 * Splits a text after every line feed. Lines keep their line feed, so joining them returns the text.
 * An empty text has no lines.
 */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}
