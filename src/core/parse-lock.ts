import { PromptsError } from '../errors.ts'
import { type Digest, HashedPrompt, integrityOf } from './integrity.ts'
import { LOCK_VERSION } from './lock.ts'
import { sortBySlug } from './order.ts'
import type { Lock, PinnedPrompt } from './prompt.ts'

/** Where the text of a lock comes from, for errors. */
export interface LockSource {
  readonly path: string
  /** Name of the workspace. */
  readonly workspace: string
}

/** A lock, or why the text is none. */
export type ParsedLock =
  | { readonly kind: 'lock'; readonly lock: Lock }
  | { readonly kind: 'fault'; readonly error: PromptsError }

/**
 * Reads the text of a lock strictly: unknown keys, wrong types, doubled slugs and entries that do
 * not fit their integrity are faults, all of one kind reported together.
 *
 * @param text - the file's content; its line ends do not matter
 * @returns the lock with its prompts sorted, or the error LOCK_CONFLICTED, LOCK_SYNTAX,
 *   LOCK_TOO_NEW, LOCK_INVALID or LOCK_EDITED
 */
export function parseLock(text: string, source: LockSource, digest: Digest): ParsedLock {
  const { path } = source
  const json = parseJson(text, source)
  if (json.kind === 'fault') return json
  const version = isRecord(json.value) ? json.value['lockVersion'] : undefined
  if (typeof version === 'number' && version > LOCK_VERSION) {
    return fault(
      new PromptsError('LOCK_TOO_NEW', { path, found: `${version}`, known: LOCK_VERSION }),
    )
  }
  const problems: string[] = []
  const shape = readShape(json.value, problems)
  if (shape === undefined || problems.length > 0) {
    return fault(new PromptsError('LOCK_INVALID', { ...source, problems }))
  }
  const edited = shape.entries.filter(
    (entry) => integrityOf(entry.prompt, digest) !== entry.integrity,
  )
  if (edited.length > 0) {
    const slugs = edited.map(({ prompt }) => prompt.slug)
    return fault(new PromptsError('LOCK_EDITED', { ...source, slugs }))
  }
  const prompts = sortBySlug(shape.entries.map(({ prompt }) => prompt))
  return { kind: 'lock', lock: { environment: shape.environment, prompts } }
}

function fault(error: PromptsError): ParsedLock & { kind: 'fault' } {
  return { kind: 'fault', error }
}

/** What git writes around the two sides of a conflict. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/m

function parseJson(
  text: string,
  source: LockSource,
): { kind: 'json'; value: unknown } | { kind: 'fault'; error: PromptsError } {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (cause) {
    const conflict = CONFLICT.exec(text)
    if (conflict) {
      const line = text.slice(0, conflict.index).split('\n').length
      return fault(new PromptsError('LOCK_CONFLICTED', { ...source, line }, { cause }))
    }
    return fault(new PromptsError('LOCK_SYNTAX', source, { cause }))
  }
}

interface LockEntry {
  readonly prompt: PinnedPrompt
  readonly integrity: string
}

interface LockShape {
  readonly environment: Lock['environment']
  readonly entries: readonly LockEntry[]
}

type Fields = Readonly<Record<string, unknown>>

function readShape(value: unknown, problems: string[]): LockShape | undefined {
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

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
