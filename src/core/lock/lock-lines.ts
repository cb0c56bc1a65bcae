import type { PartId } from '../prompt.ts'
import { parseJsonString } from '../text/json-string.ts'
import { PART_NAMES } from './print-lock.ts'

/** A key at the beginning of a line. Lines of text begin with a value. */
const FIELD = /^"(\w+)" *: *(.*)/

/** Returns the line of a field of a part, or of the slug, counted from 1. */
export type LocateInLock = (part: PartId, field?: string) => number | undefined

/**
 * Finds the lines of prompts in the text of a lock, for messages and editors. If another tool printed the
 * lock on one line, nothing is found.
 */
export function locateParts(text: string): LocateInLock {
  const lines = new Map<string, number>()
  let [slug, part] = ['', '']
  for (const [index, line] of text.split('\n').entries()) {
    const field = FIELD.exec(line.trim())
    if (field === null) continue
    const [, name, value = ''] = field
    if (name === 'slug') [slug, part] = [parseJsonString(value.replace(/,$/, '')) ?? '', '']
    if (name === PART_NAMES.live || name === PART_NAMES.test) part = name
    lines.set(`${slug}\n${part}\n${name}`, index + 1)
  }
  return ({ slug: wanted, environment }, field) =>
    lines.get(`${wanted}\n${PART_NAMES[environment]}\n${field}`) ?? lines.get(`${wanted}\n\nslug`)
}
