import { isJoin, findJoin } from '../prompt.ts'
import { LOCK_VERSION } from './print-lock.ts'
import type { LockValue } from './read-entries.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reports a problem of the value that is being checked. */
type Report = (problem: string) => void

/** The JSON value of a lock, or its problems, one line each. */
export type CheckedShape =
  | { readonly kind: 'shape'; readonly value: LockValue }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** Checks keys, their order, types and the lines of texts, but not the formatting. */
export function checkShape(value: unknown): CheckedShape {
  const problems: string[] = []
  checkLock(value, (problem) => problems.push(problem))
  return problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'shape', value: value as LockValue }
}

function checkLock(value: unknown, report: Report): void {
  if (!isRecord(value)) return report('expected a JSON object')
  const { lockVersion, environment, prompts } = value as Fields & Record<'prompts', unknown>
  checkKeys(value, ['lockVersion', 'environment', 'prompts'], report)
  if (lockVersion !== LOCK_VERSION) report(`lockVersion: expected ${LOCK_VERSION}`)
  if (environment !== 'live' && environment !== 'test')
    report('environment: expected "live" or "test"')
  if (!Array.isArray(prompts)) return report('prompts: expected an array')
  for (const [index, entry] of prompts.entries()) checkEntry(entry, index, report)
}

function checkEntry(entry: unknown, index: number, reportAll: Report): void {
  const slug = isRecord(entry) && typeof entry['slug'] === 'string' ? ` (${entry['slug']})` : ''
  const report: Report = (problem) => reportAll(`prompts[${index}]${slug}: ${problem}`)
  if (!isRecord(entry)) return report('expected an object')
  const last = 'join' in entry ? 'join' : 'source'
  const held = 'held' in entry ? ['held'] : []
  checkKeys(entry, [...ENTRY_KEYS, last, ...held, 'integrity'], report)
  for (const key of ['slug', 'folder', 'model', 'version', 'integrity']) {
    if (typeof entry[key] !== 'string') report(`${key}: expected a string`)
  }
  if (!Number.isFinite(entry['temperature'])) report('temperature: expected a finite number')
  if ('held' in entry) checkHeld(entry['held'], report)
  checkTexts(entry, report)
}

const ENTRY_KEYS = ['slug', 'folder', 'model', 'temperature', 'version', 'system', 'user']

function checkHeld(held: unknown, report: Report): void {
  if (!isRecord(held) || typeof held['reason'] !== 'string')
    return report('held: expected a reason')
  checkKeys(held, ['reason'], (problem) => report(`held: ${problem}`))
}

function checkTexts(entry: Fields, report: Report): void {
  const { join } = entry
  const [system, user, source] = ['system', 'user', 'source'].map((key) =>
    key === 'source' && 'join' in entry ? undefined : joinLines(entry[key], key, report),
  )
  if ('join' in entry) {
    if (typeof join !== 'string' || !isJoin(join)) report('join: expected white space')
  } else if (system !== undefined && user !== undefined && source !== undefined) {
    if (findJoin({ system, user, source }) !== undefined) report('source: expected join instead')
  }
}

/** Joins the lines of a text. Each line but the last must end with its only line feed. */
function joinLines(value: unknown, key: string, report: Report): string | undefined {
  if (!Array.isArray(value) || !value.every((line) => typeof line === 'string')) {
    report(`${key}: expected an array of lines`)
    return undefined
  }
  const wrong = value.findIndex((line, index) => {
    const end = line.indexOf('\n')
    return end === -1 ? line === '' || index < value.length - 1 : end < line.length - 1
  })
  if (wrong !== -1) report(`${key}[${wrong}]: expected one line with its line end`)
  return value.join('')
}

function checkKeys(value: Fields, expected: readonly string[], report: Report): void {
  const keys = Object.keys(value)
  if (keys.length === expected.length && keys.every((key, index) => key === expected[index])) return
  const unknown = keys.filter((key) => !expected.includes(key))
  const missing = expected.filter((key) => !keys.includes(key))
  for (const key of unknown) report(`unknown key ${JSON.stringify(key)}`)
  for (const key of missing) report(`${key} is missing`)
  if (unknown.length + missing.length === 0)
    report(`expected the keys in the order ${expected.join(', ')}`)
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
