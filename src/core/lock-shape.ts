import { HashedPrompt } from './integrity.ts'
import { LOCK_VERSION } from './lock.ts'
import type { Lock, PinnedPrompt } from './prompt.ts'

/** An entry of a lock and the integrity that is written there. */
export interface LockEntry {
  readonly prompt: PinnedPrompt
  readonly integrity: string
}

/** What a lock says, not yet held against its integrity. */
export interface LockShape {
  readonly environment: Lock['environment']
  readonly entries: readonly LockEntry[]
}

type Fields = Readonly<Record<string, unknown>>

/** What a lock says, or all that is wrong with it, one line each. */
export type ReadShape =
  | { readonly kind: 'shape'; readonly shape: LockShape }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** Reads the value of a lock's JSON strictly. */
export function readShape(value: unknown): ReadShape {
  const problems: string[] = []
  const shape = shapeOf(value, problems)
  return shape === undefined || problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'shape', shape }
}

/** @param problems - what is wrong is added; what is returned is then of no use */
function shapeOf(value: unknown, problems: string[]): LockShape | undefined {
  if (!isRecord(value)) {
    problems.push('it is not a JSON object')
    return undefined
  }
  reportUnknown(value, ['lockVersion', 'environment', 'prompts'], '', problems)
  const { lockVersion, environment, prompts } = value as Fields & Record<'prompts', unknown>
  if (lockVersion !== LOCK_VERSION) problems.push(`lockVersion: expected ${LOCK_VERSION}`)
  if (environment !== 'live' && environment !== 'test') {
    problems.push('environment: expected "live" or "test"')
    return undefined
  }
  if (!Array.isArray(prompts)) {
    problems.push('prompts: expected an array')
    return undefined
  }
  const entries = prompts.flatMap((entry: unknown, index) =>
    readEntry(entry, `prompts[${index}]`, problems),
  )
  reportDoubles(prompts, problems)
  return { environment, entries }
}

const ENTRY_KEYS = [
  'slug',
  'folder',
  'model',
  'temperature',
  'version',
  'system',
  'user',
  'join',
  'source',
  'integrity',
]

function readEntry(entry: unknown, at: string, problems: string[]): LockEntry[] {
  if (!isRecord(entry)) {
    problems.push(`${at}: expected an object`)
    return []
  }
  reportUnknown(entry, ENTRY_KEYS, `${at}.`, problems)
  const read = fieldReader(entry, at, problems)
  const system = read.text('system')
  const user = read.text('user')
  const joined = 'join' in entry
  if (joined === 'source' in entry) problems.push(`${at}: expected either join or source`)
  const prompt = new HashedPrompt({
    slug: read.string('slug'),
    folder: read.string('folder'),
    model: read.string('model'),
    temperature: read.number('temperature'),
    version: read.string('version'),
    system,
    user,
    source: joined ? system + read.string('join') + user : read.text('source'),
  })
  return [{ prompt, integrity: read.string('integrity') }]
}

/** Reads fields by type; what is wrong becomes a problem and an empty value in its place. */
function fieldReader(
  entry: Fields,
  at: string,
  problems: string[],
): Readonly<{
  string: (key: string) => string
  number: (key: string) => number
  text: (key: string) => string
}> {
  const report = (key: string, expected: string): void => {
    problems.push(`${at}.${key}: expected ${expected}`)
  }
  return {
    string(key) {
      const value = entry[key]
      if (typeof value === 'string') return value
      report(key, 'a string')
      return ''
    },
    number(key) {
      const value = entry[key]
      if (typeof value === 'number' && Number.isFinite(value)) return value
      report(key, 'a finite number')
      return 0
    },
    text(key) {
      const value = entry[key]
      if (Array.isArray(value) && value.every((line) => typeof line === 'string'))
        return value.join('')
      report(key, 'an array of lines')
      return ''
    },
  }
}

function reportUnknown(
  value: Fields,
  known: readonly string[],
  at: string,
  problems: string[],
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) problems.push(`${at}${key}: unknown key`)
  }
}

function reportDoubles(entries: readonly unknown[], problems: string[]): void {
  const seen = new Set<unknown>()
  for (const entry of entries) {
    const slug = isRecord(entry) ? entry['slug'] : undefined
    if (typeof slug === 'string' && seen.has(slug)) {
      problems.push(`prompts: “${slug}” stands there twice`)
    }
    seen.add(slug)
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
