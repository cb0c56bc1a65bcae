import { sanitizeMessage } from '../../core/text/sanitize.ts'

/** Logs a message for the person who builds or starts the app. */
export type Notify = (level: 'info' | 'warn', message: string) => void

/**
 * Creates a function that prints messages with a label, sanitized for terminals and CI logs.
 *
 * @param print - prints a line. Default: on the console
 */
export function createNotify(
  label: string,
  print: Notify = (level, text) => console[level](text),
): Notify {
  return (level, message) => print(level, `[${label}] ${sanitizeMessage(message)}`)
}
