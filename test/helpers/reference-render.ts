/**
 * A second, naive implementation of rendering: goes through the text by character and replaces
 * each token by its value.
 */
export function referenceRender(text: string, value: (name: string) => string): string {
  let rendered = ''
  for (let index = 0; index < text.length;) {
    const token = tokenAt(text, index)
    rendered += token === undefined ? (text[index] ?? '') : value(token.name)
    index = token?.end ?? index + 1
  }
  return rendered
}

function tokenAt(text: string, start: number): { name: string; end: number } | undefined {
  if (text.slice(start, start + 2) !== '{{') return undefined
  const nameStart = skipBlanks(text, start + 2)
  const characters = Array.from(text.slice(nameStart))
  const length = characters.findIndex((character) => !/[\p{L}\p{Nd}_.-]/u.test(character))
  const name = characters.slice(0, Math.max(length, 0)).join('')
  const end = skipBlanks(text, nameStart + name.length)
  const closed = /^[\p{L}_]/u.test(name) && text.slice(end, end + 2) === '}}'
  return closed ? { name, end: end + 2 } : undefined
}

function skipBlanks(text: string, start: number): number {
  let index = start
  while (text[index] === ' ' || text[index] === '\t') index++
  return index
}
