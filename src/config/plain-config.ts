import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { parse, type Program } from 'acorn'
import { PACKAGE_NAME } from '../core/workspace-name.ts'

/** Names that only a compiled module has, and imports that depend on the path of the module. */
const NEEDS_COMPILER = /\b(?:require|module|exports|__filename|__dirname)\b|\bimport\s*[.(]/

/** What `defineConfig` of this package does, without the package. */
const DEFINE_CONFIG = 'data:text/javascript,export const defineConfig = (options) => options'

/**
 * Imports a configuration that needs no compiler: JavaScript, whatever its extension, that imports
 * nothing but `defineConfig` and Node's own modules. Most are. acorn takes 10 ms of processor time for
 * it, jiti with Babel 280 ms.
 *
 * @param filename - for stack traces
 * @returns `undefined` if it needs a compiler
 */
export async function importPlainConfig(code: string, filename: string): Promise<unknown> {
  const statements = NEEDS_COMPILER.test(code) ? [] : parseModule(code)
  const hasDefault = statements.some(({ type }) => type === 'ExportDefaultDeclaration')
  if (!hasDefault || !statements.every((statement) => isPlain(statement, code))) return undefined
  const script = `${withoutPackage(code, statements)}\n//# sourceURL=${pathToFileURL(filename)}`
  // Node imports the same address only once.
  return import(`data:text/javascript,${encodeURIComponent(script)}#${randomUUID()}`)
}

type Statement = Program['body'][number]

function parseModule(code: string): readonly Statement[] {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module' }).body
  } catch {
    return []
  }
}

function isPlain(statement: Statement, code: string): boolean {
  if (!('source' in statement) || !statement.source) return true
  const { source, start } = statement
  return source.value === PACKAGE_NAME
    ? /^import\s*\{\s*defineConfig\s*\}/.test(code.slice(start))
    : String(source.value).startsWith('node:')
}

function withoutPackage(code: string, statements: readonly Statement[]): string {
  return statements.reduceRight((text, statement) => {
    if (!('source' in statement) || statement.source?.value !== PACKAGE_NAME) return text
    const { start, end } = statement.source
    return text.slice(0, start) + JSON.stringify(DEFINE_CONFIG) + text.slice(end)
  }, code)
}
