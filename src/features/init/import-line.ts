/** The function that wraps the configuration of Next. */
export const WRAPPER = 'withPrompts'

export function importLine(binding: string, specifier: string, commonJs: boolean): string {
  return commonJs
    ? `const ${binding} = require('${specifier}').default`
    : `import ${binding} from '${specifier}'`
}
