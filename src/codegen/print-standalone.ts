import { APP_EXPORTS, type ModulePlan } from './plan-module.ts'
import { type PrintTarget, printDefinitions, printEntry } from './print-module.ts'

/** Only names in the text that is guarded: none of these modules is ever imported. */
const TARGET: PrintTarget = { all: './all', definitions: './definitions', runtime: './runtime' }

/**
 * All of `virtual:prompts` as one file that imports nothing: for tools without plugins.
 *
 * The prompts are printed as the modules that bundlers get, and guarded as those are; then the
 * imports between them are dropped, since here they stand in one scope. That goes by whole lines:
 * a literal never holds a line end, so no text of a prompt can begin a line.
 *
 * @param runtime - the bundled runtime, which ends with its list of exports
 * @throws PromptsError MODULE_REFUSED when the printed code is anything but data
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

/** esbuild ends a bundle with one `export { … };` that names everything. */
function withoutExports(code: string): string {
  const start = code.lastIndexOf('\nexport {')
  if (start === -1) throw new RangeError('The runtime names no exports at its end.')
  return code.slice(0, start + 1)
}
