import { parseAst as parseInRolldown } from 'rolldown/parseAst'
import { parseAst as parseInRollup } from 'rollup/parseAst'
import { type ParseModule, parseModule } from '../../src/codegen/assert-only-data.ts'

/** Every parser of JavaScript that reads what is printed and what imports it; Vite has Rolldown's. */
export const PARSERS: readonly { parser: string; parse: ParseModule }[] = [
  { parser: 'acorn', parse: parseModule },
  { parser: 'Rolldown', parse: (code) => parseInRolldown(code) },
  { parser: 'Rollup', parse: (code) => parseInRollup(code) },
]
