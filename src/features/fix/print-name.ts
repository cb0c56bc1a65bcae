import { ts } from '../../analysis/app/compiler.ts'
import { literal } from '../../codegen/escape.ts'
import { isIdentifier } from '../../core/names.ts'
import type { RewriteContext } from './rewrite-context.ts'

type FileContext = Pick<RewriteContext, 'file'>

/**
 * Prints a name as a key of an object literal or pattern: without quotes if it needs none.
 *
 * @param former - the key that it replaces, whose quotes it takes over
 */
export function printKey(context: FileContext, name: string, former?: ts.Node): string {
  const isQuoted = former !== undefined && ts.isStringLiteralLike(former)
  return !isQuoted && isPlainName(name) ? name : printString(context, name, former)
}

/** Prints a text as a string with the quotes of a former one, or those of the file. */
export function printString({ file }: FileContext, text: string, former?: ts.Node): string {
  const given = former === undefined ? '' : file.text.charAt(former.getStart(file))
  const quote = ['"', "'", '`'].includes(given) ? given : fileQuote(file)
  const printed = literal(text)
  if (quote === '"') return printed
  const inner = printed.slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)
  return `${quote}${quote === '`' ? inner.replaceAll('${', '\\${') : inner}${quote}`
}

/** Prints an access to a property: `.name`, or `['order.id']`. */
export function printAccess(context: FileContext, name: string): string {
  return isPlainName(name) ? `.${name}` : `[${printString(context, name)}]`
}

/** Whether a name needs no quotes as a key or after a dot. Reserved words need none there. */
export function isPlainName(name: string): boolean {
  return isIdentifier(name) || /^[a-z]+$/.test(name)
}

/** The quotes of the first import of a file. */
function fileQuote(file: ts.SourceFile): '"' | "'" {
  const specifier = file.statements.find(ts.isImportDeclaration)?.moduleSpecifier
  return specifier !== undefined && file.text.charAt(specifier.getStart(file)) === '"' ? '"' : "'"
}
