import { ts } from './compiler.ts'
import { readMarkup } from './components.ts'

/** An expression in markup, and its position in the file. */
export interface MarkupExpression {
  readonly code: ts.SourceFile
  readonly start: number
}

/** Parses the expressions in a component's markup. */
export function markupExpressions(path: string): MarkupExpression[] {
  const markup = readMarkup(path)
  return expressionRanges(markup, path.includes('.vue.')).map(([start, end]) => {
    // Blocks and tags of Svelte begin with words, such as `#if` and `@html`.
    const text = markup.slice(start, end).replace(/^[#:@/]\w+/, (word) => ' '.repeat(word.length))
    return { code: ts.createSourceFile('a.tsx', text, ts.ScriptTarget.ESNext, true), start }
  })
}

type Range = readonly [start: number, end: number]

const VUE_ATTRIBUTES = /[\s(,](?:v-|[:@#])[^\s=>"']*=(["']?)([^]*?)\1(?=[\s>/),])/g

/** The text in outermost braces; in Vue also that of attributes with expressions. */
function expressionRanges(markup: string, isVue: boolean): Range[] {
  const ranges: Range[] = []
  let [depth, start] = [0, 0]
  for (const { 0: brace, index } of markup.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) start = index + 1
    if (brace === '}' && depth > 0 && --depth === 0) ranges.push([start, index])
  }
  if (depth > 0) ranges.push([start, markup.length])
  for (const match of isVue ? markup.matchAll(VUE_ATTRIBUTES) : []) {
    const [attribute, quote = '', code = ''] = match
    const end = match.index + attribute.length - quote.length
    ranges.push([end - code.length, end])
  }
  return ranges
}
