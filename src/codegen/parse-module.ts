import { parse } from 'acorn'

/**
 * Parses a module into a tree of the ESTree form, as its program; throws where the text is none of
 * the parser's language.
 */
export type ParseModule = (code: string) => object

/** Parses JavaScript, where no bundler lends the parser that it has loaded anyway. */
export const parseModule: ParseModule = (code) =>
  parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
