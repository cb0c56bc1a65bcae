import { isComponentFile } from '../../fs/paths.ts'
import { ts } from './compiler.ts'

/** Component files of frameworks, which contain code. */
const COMPONENTS = ['.vue', '.svelte', '.astro']

/** The same for reading tsconfigs, so that they can include these files. */
export const COMPONENT_EXTENSIONS: readonly ts.FileExtensionInfo[] = COMPONENTS.map(
  (extension) => ({ extension, isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }),
)

/** Returns the name that the compiler uses for a file: a component gets a known extension. */
export function toCompiledName(path: string): string {
  if (!isComponentFile(path)) return path
  const isJsx = /\blang=["'][jt]sx["']/.test(ts.sys.readFile(path) ?? '')
  return isJsx || path.endsWith('.mdx') || ts.sys.fileExists(`${path}.ts`)
    ? `${path}.tsx`
    : `${path}.ts`
}

/** Returns the file for the name that the compiler uses. Modules of Svelte have such names: `a.svelte.ts`. */
export function toSourceName(path: string): string {
  const source = path.replace(/\.tsx?$/, '')
  const isCompiled = source !== path && isComponentFile(source) && !ts.sys.fileExists(path)
  return isCompiled ? source : path
}

/** Whether a component is compiled with this name. */
export function isComponent(path: string): boolean {
  const source = toSourceName(path)
  return source !== path && ts.sys.fileExists(source) && toCompiledName(source) === path
}

/** Reads the code of a file by the name that the compiler uses for it. Positions are unchanged. */
export function readCode(path: string): string | undefined {
  const source = toSourceName(path)
  const text = ts.sys.readFile(source)
  return text === undefined || source === path ? text : blankMarkup(text, source)
}

/** Parses the expressions in a component's markup, each with its position in the file. */
export function markupExpressions(
  path: string,
): { readonly code: ts.SourceFile; readonly start: number }[] {
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

/** Reads what {@link readCode} leaves out, without comments and code that is only shown. */
function readMarkup(path: string): string {
  const source = toSourceName(path)
  const text = ts.sys.readFile(source) ?? ''
  const code = blankMarkup(text, source)
  const markup = text.replaceAll(/[^]/g, (unit, at) => (code.charAt(at).trim() === '' ? unit : ' '))
  return blank(source.endsWith('.mdx') ? blank(markup, FENCED) : markup, SHOWN)
}

const SCRIPTS = /(<script\b[^>]*>)([^]*?)<\/script>/gi
const CODE: Readonly<Record<string, RegExp>> = {
  astro: /((?<![^])(?:\s|<!--[^]*?-->)*---|<script\b[^>]*>)([^]*?)(?:^---|<\/script>)/gim,
  mdx: /()^((?:import|export)\b[^]*?)(?=\r?\n[^\S\n]*\r?\n|(?![^]))/gm,
  html: /(<script\b[^>]*\btype=["']?module\b[^>]*>)([^]*?)<\/script>/gi,
}
const SHOWN = /<!--[^]*?-->|<style\b[^>]*>[^]*?<\/style>/gi
const FENCED = /^[^\S\n]*(```+|~~~+)[^]*?^[^\S\n]*\1|(`+)[^`\n]+\2/gm

function blank(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (shown) => shown.replaceAll(/[^\r\n]/g, ' '))
}

/** Replaces everything except scripts and line ends by spaces. */
function blankMarkup(text: string, path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1)
  const source = extension === 'mdx' ? blank(text, FENCED) : text
  let code = ''
  for (const match of source.matchAll(CODE[extension] ?? SCRIPTS)) {
    const [, opening = '', script = ''] = match
    const start = match.index + opening.length
    code += text.slice(code.length, start).replaceAll(/[^\r\n]/g, ' ') + script
  }
  return code + text.slice(code.length).replaceAll(/[^\r\n]/g, ' ')
}
