import { isComponentFile } from '../fs/paths.ts'
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

/** Reads the markup of a component, which {@link readCode} leaves out, without comments and code that is only shown. */
export function readMarkup(path: string): string {
  const source = toSourceName(path)
  // Nothing in it can read what a script imports.
  if (source.endsWith('.html')) return ''
  const text = ts.sys.readFile(source) ?? ''
  const code = blankMarkup(text, source)
  const markup = text.replaceAll(/[^]/g, (unit, at) => (code.charAt(at).trim() === '' ? unit : ' '))
  return blank(source.endsWith('.mdx') ? blank(markup, FENCED) : markup, SHOWN)
}

/**
 * Declares the variables of a Svelte component that only `$:` assigns, as Svelte does: `$: reply = prompts[key]`.
 * Positions are unchanged.
 */
export function declareReactive(file: ts.SourceFile): ts.SourceFile {
  if (!toSourceName(file.fileName).endsWith('.svelte')) return file
  const declared = new Set(file.statements.flatMap(declaredNames))
  const statements = file.statements.map((statement) => {
    const declaration = reactiveDeclaration(statement, file)
    const isNew = declaration && declaredNames(declaration).some((name) => !declared.has(name))
    return isNew ? declaration : statement
  })
  Object.assign(file.statements, statements)
  return file
}

/** The names that a node adds to the scope around it. */
function declaredNames(node: ts.Node): string[] {
  const { name } = node as { readonly name?: ts.Node }
  const names = name && ts.isIdentifier(name) ? [name.text] : []
  const isScope = ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isBlock(node)
  if (isScope || ts.isExpression(node) || ts.isIterationStatement(node, false)) return names
  ts.forEachChild(node, (child) => void names.push(...declaredNames(child)))
  return names
}

/** Parses what `$:` assigns as a declaration at the same positions. */
function reactiveDeclaration(
  statement: ts.Statement,
  file: ts.SourceFile,
): ts.Statement | undefined {
  const isReactive = ts.isLabeledStatement(statement) && statement.label.text === '$'
  if (!isReactive || !ts.isExpressionStatement(statement.statement)) return undefined
  let { expression } = statement.statement
  while (ts.isParenthesizedExpression(expression)) ({ expression } = expression)
  if (!ts.isBinaryExpression(expression)) return undefined
  if (expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined
  const { fileName, languageVersion, text } = file
  const start = expression.getStart(file)
  const code = `${' '.repeat(start - 4)}var ${text.slice(start, expression.end)}`
  const [declared] = ts.createSourceFile(fileName, code, languageVersion).statements
  if (!declared || !ts.isVariableStatement(declared)) return undefined
  const [declaration] = declared.declarationList.declarations
  for (const node of [declared, declared.declarationList]) ts.setTextRange(node, statement)
  for (const node of [declaration, declaration?.name])
    if (node) ts.setTextRange(node, { pos: start, end: node.end })
  return declared
}

const SCRIPTS = /(<script\b[^>]*>)([^]*?)<\/script>/gi
const CODE: Readonly<Record<string, RegExp>> = {
  astro: /((?<![^])(?:\s|<!--[^]*?-->)*---|<script\b[^>]*>)([^]*?)(?:^---|<\/script>)/gim,
  mdx: /()^((?:import|export)\b[^]*?)(?=\r?\n[^\S\n]*\r?\n|(?![^]))/gm,
  html: /(<script\b[^>]*\btype=["']?module\b[^>]*>)([^]*?)<\/script>/gi,
}
const SHOWN = /<!--[^]*?-->|\{\s*\/\*[^]*?\*\/\s*\}|<style\b[^>]*>[^]*?<\/style>/gi
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
