/** Above this number, matches are neither counted nor highlighted. */
export const MOST_MATCHES = 2000

/** The ranges of a text, in any case, in the text nodes of elements; {@link MOST_MATCHES} at most. */
export function findRanges(elements: Iterable<Element>, text: string): Range[] {
  const ranges: Range[] = []
  if (text === '') return ranges
  const wanted = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu')
  for (const element of elements) {
    const nodes = textNodesIn(element)
    const whole = nodes.map(({ data }) => data).join('')
    for (const { 0: found, index } of whole.matchAll(wanted)) {
      if (ranges.length === MOST_MATCHES) return ranges
      ranges.push(rangeOf(nodes, index, index + found.length))
    }
  }
  return ranges
}

function textNodesIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode() !== null) nodes.push(walker.currentNode as Text)
  return nodes
}

/** A match may begin in one node and end in another: each token is a separate element. */
function rangeOf(nodes: readonly Text[], start: number, end: number): Range {
  const range = document.createRange()
  let offset = 0
  let hasStart = false
  for (const node of nodes) {
    const next = offset + node.length
    if (!hasStart && start < next) {
      range.setStart(node, start - offset)
      hasStart = true
    }
    if (hasStart && end <= next) {
      range.setEnd(node, end - offset)
      return range
    }
    offset = next
  }
  return range
}
