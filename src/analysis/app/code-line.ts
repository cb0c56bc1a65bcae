import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../core/impact.ts'

/** Longer lines are cut around the expression. */
const MAX_LENGTH = 160

/** What is marked: a name with its members, an object, a string, or a character. */
const EXPRESSION =
  /^(?:[\p{ID_Continue}$]+(?:\??\.[\p{ID_Continue}$]+)*|\{[^{}]*\}|(["'`]).*?\1|.)/u

/**
 * Adds the line of code to places in the app, as it is on disk. A place in a file that can't be read stays
 * without.
 *
 * @param root - what the files are relative to, absolute
 */
export function withCode<At extends Place>(places: readonly At[], root: string): At[] {
  const files = new Map<string, string[]>()
  return places.map((place) => {
    const lines = files.get(place.file) ?? readLines(join(root, place.file))
    files.set(place.file, lines)
    const line = lines[place.line - 1]
    return line === undefined ? place : { ...place, code: cutLine(line, place.column - 1) }
  })
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split(/\r\n|[\n\r\u2028\u2029]/)
  } catch {
    return []
  }
}

function cutLine(line: string, column: number): Place['code'] {
  const indent = line.length - line.trimStart().length
  const from = Math.max(Math.min(indent, column), column - MAX_LENGTH / 2)
  const text = line.slice(from, from + MAX_LENGTH).trimEnd()
  const start = column - from
  const length = EXPRESSION.exec(text.slice(start))?.[0].length ?? 1
  return { text, start, length }
}
