import { createRequire } from 'node:module'

/**
 * Parses a module into an ESTree program. Throws if the text is not valid in the parser's language.
 */
export type ParseModule = (code: string) => object

const require = createRequire(import.meta.url)

/**
 * Parses JavaScript, if the bundler provides no parser. acorn is loaded at the first call, because
 * most bundlers do provide one.
 */
export const parseModule: ParseModule = (code) => {
  const { parse } = require('acorn') as typeof import('acorn')
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
}
