import { APP_EXPORTS, type ModulePlan } from './plan-module.ts'
import { type PrintTarget, printDefinitions, printEntry } from './print-module.ts'

/** Placeholders: none of these modules is ever imported. */
const TARGET: PrintTarget = { all: './all', definitions: './definitions', runtime: './runtime' }

/**
 * Prints `virtual:prompts` as one file without imports, for tools without plugins.
 *
 * The modules for bundlers are printed and checked; then the imports between them are removed, because all
 * is in one scope. They are found at the beginning of lines: a literal contains no line end, so text of a
 * prompt can't begin a line.
 *
 * @param runtime - the bundled runtime, which ends with `export { … }`
 * @throws PromptsError MODULE_REFUSED if the printed code is anything but data
 */
export function printStandalone(plan: ModulePlan, runtime: string): string {
  const definitions = withoutImports(printDefinitions(plan, TARGET))
  const entry = withoutImports(printEntry(plan, TARGET, 'object'))
  const prompts = definitions.replaceAll(/^export (?=const p\d+ = )/gm, '') + entry
  return `${withoutExports(runtime)}\n${prompts}export { ${APP_EXPORTS.join(', ')} }\n`
}

function withoutImports(code: string): string {
  return code.replaceAll(/^(?:import|export) \{.*\} from .*\n/gm, '')
}

/** esbuild ends a bundle with one `export { … };`. */
function withoutExports(code: string): string {
  const start = code.lastIndexOf('\nexport {')
  if (start === -1) throw new RangeError('The runtime names no exports at its end.')
  return code.slice(0, start + 1)
}
