import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { registry } from '../../src/cli/commands/registry.ts'

/** Where the schema of `--json` is kept. */
export const SCHEMA: string = join(import.meta.dirname, '../../src/docs/json.schema.json')

// Most outputs are checked a few times only: without optimisation, compiling them takes a third.
const ajv = new Ajv2020({ allErrors: true, inlineRefs: false, code: { optimize: false } })
ajv.addSchema(JSON.parse(readFileSync(SCHEMA, 'utf8')), 'json')

const REMEDY = 'If the types have changed, `npm run update-docs` writes the schema.'

/**
 * Checks what a call with `--json` printed against the schema.
 *
 * @returns the name of the output in the schema
 * @throws Error with every difference
 */
export function assertJsonOutput(args: readonly string[], stdout: string): string {
  const value = JSON.parse(stdout) as object
  const name = outputName(args, value)
  const validate = ajv.getSchema(`json#/$defs/${name}`)
  if (validate === undefined) {
    throw new Error(`json.schema.json has no ${name}. ${REMEDY}`)
  }
  if (validate(value) !== true) {
    const problems = ajv.errorsText(validate.errors, { dataVar: name, separator: '\n' })
    const subject = `prompts ${args.join(' ')} does not match json.schema.json`
    throw new Error(`${subject}:\n${problems}\n${REMEDY}`)
  }
  return name
}

function outputName(args: readonly string[], value: object): string {
  const has = (...options: readonly string[]): boolean => args.some((arg) => options.includes(arg))
  if (Object.keys(value).join() === 'error') return 'error'
  if (has('--version', '-v')) return 'version'
  const command = args
    .map((arg) => registry.find(({ name }) => arg === name))
    .find((found) => found !== undefined)
  if (command === undefined) return 'overview'
  return has('--help', '-h', 'help') ? 'help' : command.name
}
