/** The function that wraps the configuration of Next. */
export const WRAPPER = 'withPrompts'

export function importLine(binding: string, specifier: string, commonJs: boolean): string {
  return commonJs
    ? `const ${binding} = require('${specifier}').default`
    : `import ${binding} from '${specifier}'`
}

/** Code with the quotes and semicolons of a file. */
export function inStyleOf(like: string, code: string): string {
  const quoted = quotedAs(like, code)
  return /;\s*$/m.test(like) ? quoted.replaceAll(/(?<=[^\s,{])$/gm, ';') : quoted
}

/** Code with the quotes that a file has more often. */
export function quotedAs(like: string, code: string): string {
  const isDouble = like.split('"').length > like.split("'").length
  return isDouble ? code.replaceAll("'", '"') : code
}
