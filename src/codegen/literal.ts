import { printJsonString } from '../core/text/json-string.ts'

/**
 * The one way for remote text into generated code: a double-quoted literal of JavaScript and
 * TypeScript that holds the text as data. `<` is escaped too, so that no `</script>` or `<!--`
 * stands in a module that is inlined into a page.
 */
export function literal(text: string): string {
  return printJsonString(text).replaceAll('<', '\\u003c')
}
