/** The line that brings the plugin in. */
export function importLine(binding: string, specifier: string, commonJs: boolean): string {
  return commonJs
    ? `const ${binding} = require('${specifier}').default`
    : `import ${binding} from '${specifier}'`
}
