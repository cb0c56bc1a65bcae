import { Script } from 'node:vm'
import { type ImportDeclaration, parse, type Program } from 'acorn'
import { PACKAGE_NAME } from '../core/workspace-name.ts'

/** Names that only a compiled module has, and imports that depend on the path of the module. */
const NEEDS_COMPILER = /\b(?:require|module|exports|__filename|__dirname)\b|\bimport\s*[.(]/
/** With a block, because a configuration may declare its own `defineConfig`. */
const START = "'use strict'; (async (defineConfig) => {{"

/**
 * Prepares a configuration that needs no compiler: JavaScript, whatever its extension, that imports
 * nothing but `defineConfig` and ends with its only export, the default one. Most do. acorn takes 10 ms
 * of processor time for it, jiti with Babel 280 ms.
 *
 * It is not imported as a `data:` URL, because such a URL, with all that the file contains, would be in
 * the stack of its errors.
 *
 * @param filename - for stack traces
 * @returns a function that evaluates it and returns its default export; `undefined` if it needs a compiler
 */
export function preparePlainConfig(
  code: string,
  filename: string,
): (() => Promise<unknown>) | undefined {
  const body = NEEDS_COMPILER.test(code) ? undefined : functionBody(code)
  if (body === undefined) return undefined
  const script = new Script(`${START}${body}\n}})`, { filename, columnOffset: -START.length })
  const evaluate = script.runInThisContext() as (define: <T>(options: T) => T) => Promise<unknown>
  return () => evaluate((options) => options)
}

const EXPORT = 'export default'
/** As long as {@link EXPORT}. A line end may follow, which would end a plain `return`. */
const RETURN = 'return 0,     '

/** Returns the code without imports, where the default export is returned. */
function functionBody(code: string): string | undefined {
  const statements = parseModule(code)
  const last = statements.pop()
  if (last?.type !== 'ExportDefaultDeclaration' || !code.startsWith(EXPORT, last.start))
    return undefined
  // A function can be called before its declaration.
  if (last.declaration.type === 'FunctionDeclaration') return undefined
  let body = `${code.slice(0, last.start)}${RETURN}${code.slice(last.start + EXPORT.length)}`
  for (const statement of statements.toReversed()) {
    if (statement.type.startsWith('Export')) return undefined
    if (statement.type !== 'ImportDeclaration') continue
    if (!isImportOfDefineConfig(statement)) return undefined
    const { start, end } = statement
    const lines = code.slice(start + 1, end).replaceAll(/[^\n]/g, ' ')
    body = `${body.slice(0, start)};${lines}${body.slice(end)}`
  }
  return body
}

function isImportOfDefineConfig({ source, specifiers, attributes }: ImportDeclaration): boolean {
  const [specifier] = specifiers
  if (source.value !== PACKAGE_NAME || specifiers.length !== 1 || attributes.length > 0)
    return false
  if (specifier?.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier')
    return false
  return specifier.imported.name === 'defineConfig' && specifier.local.name === 'defineConfig'
}

function parseModule(code: string): Program['body'] {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: false }).body
  } catch {
    return []
  }
}
