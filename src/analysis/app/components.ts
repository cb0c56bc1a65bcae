import { ts } from './compiler.ts'

/** Files of frameworks that hold code among other things. */
export const COMPONENTS: readonly string[] = ['.vue', '.svelte', '.astro']

/** The same as the reader of tsconfigs wants it: such files can be included too. */
export const COMPONENT_EXTENSIONS: readonly ts.FileExtensionInfo[] = COMPONENTS.map(
  (extension) => ({ extension, isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }),
)

const COMPONENT = /\.(?:vue|svelte|astro)$/
const COMPILED = /(\.(?:vue|svelte|astro))\.tsx?$/

/** The name under which a file is compiled: that of a component gets an ending that TypeScript knows. */
export function toCompiledName(path: string): string {
  if (!COMPONENT.test(path)) return path
  return /\blang=["'][jt]sx["']/.test(ts.sys.readFile(path) ?? '') ? `${path}.tsx` : `${path}.ts`
}

/** The file behind a name under which it is compiled. */
export function toSourceName(path: string): string {
  return path.replace(COMPILED, '$1')
}

/** Whether a name is the one under which a component is compiled. */
export function isComponent(path: string): boolean {
  const source = toSourceName(path)
  return source !== path && ts.sys.fileExists(source) && toCompiledName(source) === path
}

/** Whether the app's own tools check the types in a component: they do where it asks for them. */
export function isTypedComponent(path: string): boolean {
  return path.endsWith('.astro') || /\blang=["']tsx?["']/.test(ts.sys.readFile(path) ?? '')
}

/** The code of a file, by the name under which it is compiled; every place is where it was. */
export function readCode(path: string): string | undefined {
  const source = toSourceName(path)
  const text = ts.sys.readFile(path) ?? (source === path ? undefined : ts.sys.readFile(source))
  return text === undefined || source === path ? text : blankMarkup(text, source)
}

const SCRIPTS = /(<script\b[^>]*>)([^]*?)<\/script>/gi
const FRONTMATTER = /^(\s*---)([^]*?)^---/gm

/** Everything but the scripts becomes spaces; lines stay lines. */
function blankMarkup(text: string, path: string): string {
  let code = ''
  for (const found of text.matchAll(path.endsWith('.astro') ? FRONTMATTER : SCRIPTS)) {
    const [, opening = '', script = ''] = found
    const start = found.index + opening.length
    code += blank(text.slice(code.length, start)) + script
    if (path.endsWith('.astro')) break
  }
  return code
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ')
}
