import { ts } from './compiler.ts'

/** Component files of frameworks, which contain code. */
export const COMPONENTS: readonly string[] = ['.vue', '.svelte', '.astro']

/** The same for reading tsconfigs, so that they can include these files. */
export const COMPONENT_EXTENSIONS: readonly ts.FileExtensionInfo[] = COMPONENTS.map(
  (extension) => ({ extension, isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }),
)

const COMPONENT = /\.(?:vue|svelte|astro)$/
const COMPILED = /(\.(?:vue|svelte|astro))\.tsx?$/

/** Returns the name that the compiler uses for a file: a component gets a known extension. */
export function toCompiledName(path: string): string {
  if (!COMPONENT.test(path)) return path
  const isJsx = /\blang=["'][jt]sx["']/.test(ts.sys.readFile(path) ?? '')
  return isJsx || ts.sys.fileExists(`${path}.ts`) ? `${path}.tsx` : `${path}.ts`
}

/** Returns the file for the name that the compiler uses. Modules of Svelte have such names: `a.svelte.ts`. */
export function toSourceName(path: string): string {
  return COMPILED.test(path) && !ts.sys.fileExists(path) ? path.replace(COMPILED, '$1') : path
}

/** Whether a component is compiled with this name. */
export function isComponent(path: string): boolean {
  const source = toSourceName(path)
  return source !== path && ts.sys.fileExists(source) && toCompiledName(source) === path
}

/** Whether the app's own tools type-check a component, which requires `lang="ts"` except in Astro. */
export function isTypedComponent(path: string): boolean {
  return path.endsWith('.astro') || /\blang=["']tsx?["']/.test(ts.sys.readFile(path) ?? '')
}

/** Reads the code of a file by the name that the compiler uses for it. Positions are unchanged. */
export function readCode(path: string): string | undefined {
  const source = toSourceName(path)
  const text = ts.sys.readFile(source)
  return text === undefined || source === path ? text : blankMarkup(text, source)
}

const SCRIPTS = /(<script\b[^>]*>)([^]*?)<\/script>/gi
const FRONTMATTER = /^(\s*---)([^]*?)^---/gm

/** Replaces everything except scripts and line ends by spaces. */
function blankMarkup(text: string, path: string): string {
  let code = ''
  for (const match of text.matchAll(path.endsWith('.astro') ? FRONTMATTER : SCRIPTS)) {
    const [, opening = '', script = ''] = match
    const start = match.index + opening.length
    code += text.slice(code.length, start).replaceAll(/[^\r\n]/g, ' ') + script
    if (path.endsWith('.astro')) break
  }
  return code
}
