import { printJsonString } from '../core/text/json-string.ts'

/**
 * Prints a text as a double-quoted literal of JavaScript and TypeScript. Remote text enters generated code
 * only through this function. `<` is escaped too, so a module that is inlined into a page contains no
 * `</script>` or `<!--`.
 */
export function literal(text: string): string {
  return printJsonString(text).replaceAll('<', '\\u003c')
}
