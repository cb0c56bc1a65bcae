import { sanitizeMessage } from '../core/text/sanitize.ts'
import { PACKAGE_NAME } from '../core/workspace-name.ts'

/** What is logged: analyses of code, options and sources, causes of errors, locks, requests. */
type DebugArea = 'analysis' | 'config' | 'error' | 'lock' | 'service'

/**
 * Prints a debug message on stderr if the variable `DEBUG` selects its namespace, such as
 * `DEBUG=unplugin-prompts:*`.
 *
 * @param area - the namespace after `unplugin-prompts:`, such as `analysis`
 * @param message - called only if the namespace is selected
 * @param print - default: stderr
 */
export function debug(
  area: DebugArea,
  message: () => string,
  print: (text: string) => void = console.error,
): void {
  const names = process.env['DEBUG']
  // Nearly always. Patterns for each of a pull's messages took 32 ms of one with 1,000 prompts.
  if (!names) return
  const namespace = `${PACKAGE_NAME}:${area}`
  if (isSelected(namespace, names)) print(sanitizeMessage(`${namespace} ${message()}`))
}

/** `*` matches any text, and `-` before a name excludes it, as in the package `debug`. */
function isSelected(namespace: string, names: string): boolean {
  const matching = names.split(/[\s,]+/).filter((name) => {
    const pattern = name
      .replace(/^-/, '')
      .replaceAll(/[^\w*]/g, '\\$&')
      .replaceAll('*', '.*')
    return new RegExp(`^${pattern}$`).test(namespace)
  })
  return matching.length > 0 && !matching.some((name) => name.startsWith('-'))
}
