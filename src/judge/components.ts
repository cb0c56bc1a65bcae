import { isComponentFile } from '../fs/paths.ts'
import { ts } from './compiler.ts'

/** Component files of frameworks, which contain code. */
const COMPONENTS = ['.vue', '.svelte', '.astro']

/** The same for reading tsconfigs, so that they can include these files. */
export const COMPONENT_EXTENSIONS: readonly ts.FileExtensionInfo[] = COMPONENTS.map(
  (extension) => ({ extension, isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }),
)

/** How the script of a component is parsed; `undefined` for any other file. */
export function scriptKindOf(path: string): ts.ScriptKind | undefined {
  if (!isComponentFile(path)) return undefined
  const isJsx = path.endsWith('.mdx') || /\blang=["'][jt]sx["']/.test(ts.sys.readFile(path) ?? '')
  return isJsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS
}

/** Resolves an import as TypeScript does, which looks for the component `App.vue` under the name `App.vue.ts`. */
export function resolveModule(
  ...[name, importer, options, host, ...rest]: Parameters<typeof ts.resolveModuleName>
): ReturnType<typeof ts.resolveModuleName> {
  const componentAt = (path: string): string | undefined => {
    const component = path.replace(/\.ts$/, '')
    const isFile = component !== path && isComponentFile(component) && host.fileExists(component)
    return isFile && !host.fileExists(path) ? component : undefined
  }
  const fileExists = (path: string): boolean =>
    host.fileExists(path) || componentAt(path) !== undefined
  const result = ts.resolveModuleName(name, importer, options, { ...host, fileExists }, ...rest)
  const { resolvedModule } = result
  const component = resolvedModule && componentAt(resolvedModule.resolvedFileName)
  return resolvedModule === undefined || component === undefined
    ? result
    : { ...result, resolvedModule: { ...resolvedModule, resolvedFileName: component } }
}

/** Reads a file as the compiler does: of a component the scripts. Positions are unchanged. */
export function readCode(path: string): string | undefined {
  const text = ts.sys.readFile(path)
  return text === undefined || !isComponentFile(path) ? text : blankMarkup(text, path)
}

/** Reads the markup of a component, which {@link readCode} leaves out, without comments and code that is only shown. */
export function readMarkup(path: string): string {
  // Nothing in it can read what a script imports.
  if (path.endsWith('.html')) return ''
  const text = ts.sys.readFile(path) ?? ''
  const code = blankMarkup(text, path)
  const markup = text.replaceAll(/[^]/g, (unit, at) => (code.charAt(at).trim() === '' ? unit : ' '))
  return blank(path.endsWith('.mdx') ? blank(markup, FENCED) : markup, SHOWN)
}

/**
 * Declares the variables of a Svelte component that only `$:` assigns, as Svelte does: `$: reply = prompts[key]`.
 * Positions are unchanged.
 */
export function declareReactive(file: ts.SourceFile): ts.SourceFile {
  if (!file.fileName.endsWith('.svelte')) return file
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
