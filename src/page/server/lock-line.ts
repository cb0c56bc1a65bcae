import { readFile } from 'node:fs/promises'
import { printJsonString } from '../../core/text/json-string.ts'

/**
 * Finds the line of a prompt's slug in a lock. Only one prompt is looked for, in the bytes of the file:
 * a lock may have half a million lines.
 *
 * @returns counted from 1; `null` if it is not found, for example because another tool printed the lock
 */
export async function lockLine(path: string, slug: string): Promise<number | null> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0))
  // In a text, both quotes would be escaped.
  const end = bytes.indexOf(`"slug": ${printJsonString(slug)}`)
  if (end === -1) return null
  let line = 1
  for (let at = bytes.indexOf(10); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) line++
  return line
}
