/** A block of Markdown, as far as prompts use it. Everything else is a paragraph. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'quote'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

/** One item of a list, with the sign it was written with. */
export interface ListItem {
  /** Levels of indentation. */
  readonly depth: number
  /** `•` or `3.`. */
  readonly sign: string
  readonly text: string
}

const HEADING = /^(#{1,6})[ \t]+(.*)$/
const FENCE = /^[ \t]*(`{3,}|~{3,})/
const RULE = /^[ \t]*(?:-[ \t]*){3,}$|^[ \t]*(?:\*[ \t]*){3,}$/
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const QUOTE = /^>[ \t]?(.*)$/
const ROW = /^\s*\|.*\|\s*$/
const DIVIDER = /^[\s|:-]+$/

/** What kind of block a line begins or goes on with. */
type LineKind = 'blank' | 'heading' | 'fence' | 'rule' | 'item' | 'quote' | 'row' | 'plain'

function kindOf(line: string): LineKind {
  if (line.trim() === '') return 'blank'
  if (HEADING.test(line)) return 'heading'
  if (FENCE.test(line)) return 'fence'
  if (RULE.test(line)) return 'rule'
  if (ITEM.test(line)) return 'item'
  if (QUOTE.test(line)) return 'quote'
  return ROW.test(line) ? 'row' : 'plain'
}

/** Cuts a text into blocks, in one pass. Nothing is lost but the signs of Markdown. */
export function parseMarkdown(text: string): Block[] {
  const lines = text.split(/\r?\n/)
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const kind = kindOf(lines[at] ?? '')
    const end = kind === 'fence' ? fenceEnd(lines, at) : runEnd(lines, at, kind)
    const run = lines.slice(at, end)
    const block = BLOCKS[kind](run)
    if (block !== undefined) blocks.push(block)
    at = end
  }
  return blocks
}

/** Where the lines that belong to one block end. */
function runEnd(lines: readonly string[], start: number, kind: LineKind): number {
  if (kind === 'heading' || kind === 'rule') return start + 1
  let end = start + 1
  for (; end < lines.length; end++) {
    const next = kindOf(lines[end] ?? '')
    const goesOn = next === kind || (next === 'plain' && (kind === 'item' || kind === 'quote'))
    if (!goesOn) break
  }
  return end
}

function fenceEnd(lines: readonly string[], start: number): number {
  const sign = FENCE.exec(lines[start] ?? '')?.[1] ?? '```'
  const close = lines.findIndex((line, index) => index > start && line.trim().startsWith(sign))
  return close === -1 ? lines.length : close + 1
}

const BLOCKS: Readonly<Record<LineKind, (run: readonly string[]) => Block | undefined>> = {
  blank: () => undefined,
  rule: () => ({ kind: 'rule' }),
  heading: ([line = '']) => {
    const [, signs = '', text = ''] = HEADING.exec(line) ?? []
    return { kind: 'heading', level: signs.length, text }
  },
  fence: ([, ...rest]) => {
    const closed = FENCE.test(rest.at(-1) ?? '')
    return { kind: 'code', text: (closed ? rest.slice(0, -1) : rest).join('\n') }
  },
  quote: (run) => ({
    kind: 'quote',
    text: unwrap(run.map((line) => line.replace(QUOTE, '$1'))),
  }),
  row: (run) => ({ kind: 'table', rows: run.filter((line) => !DIVIDER.test(line)).map(cellsOf) }),
  plain: (run) => ({ kind: 'paragraph', text: unwrap(run) }),
  item: (run) => ({ kind: 'list', items: itemsOf(run) }),
}

/** A line this long was probably broken by an editor, and a shorter one by its author. */
const WRAPPED = 60

function unwrap(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line
      return line.length >= WRAPPED ? `${line.trimEnd()} ` : `${line}\n`
    })
    .join('')
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function itemsOf(run: readonly string[]): ListItem[] {
  const items: { depth: number; sign: string; text: string }[] = []
  for (const line of run) {
    const [, indent = '', sign = '', text = ''] = ITEM.exec(line) ?? []
    const last = items.at(-1)
    if (sign === '' && last !== undefined) last.text = unwrap([last.text, line.trim()])
    else {
      const depth = Math.min(6, Math.floor(indent.replaceAll('\t', '    ').length / 2))
      items.push({ depth, sign: /\d/.test(sign) ? sign : '•', text })
    }
  }
  return items
}

/** A stretch of a line. */
export interface Span {
  readonly kind: 'text' | 'strong' | 'emphasis' | 'code'
  readonly text: string
}

/** None of these can overlap another, and each looks at a character once: linear. */
const SPAN = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*/g

/** Cuts a line at what is emphasized; the signs go. */
export function parseSpans(text: string): Span[] {
  const spans: Span[] = []
  let done = 0
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, strong, emphasis] = match
    if (match.index > done) spans.push({ kind: 'text', text: text.slice(done, match.index) })
    const kind = code !== undefined ? 'code' : strong !== undefined ? 'strong' : 'emphasis'
    spans.push({ kind, text: code ?? strong ?? emphasis ?? '' })
    done = match.index + whole.length
  }
  if (done < text.length) spans.push({ kind: 'text', text: text.slice(done) })
  return spans
}
