import type { EditableTexts, PartId } from '../../core/prompt.ts'
import { type Act, READS, type Typed, WRITES } from '../shown.ts'

/** What a form has sent. */
export interface Form {
  readonly act: Act
  /** The hash of the lock that was on the screen. */
  readonly lock: string
  /** Names of rows that are taken, read or planned. */
  readonly rows: readonly string[]
  /** The part that is decided on. */
  readonly part: PartId
  /** The git revision that is restored. */
  readonly commit: string
  readonly typed: Typed
}

/** The prefix of the fields with the values of variables. */
const VALUE = 'value '

/** Reads a form; `undefined` if it is none of this page. */
export function readForm(fields: URLSearchParams): Form | undefined {
  const act = [...READS, ...WRITES].find((name) => name === fields.get('act'))
  const [environment, slug] = parseName(fields.get('part') ?? '["live",""]')
  const rows = fields.getAll('row')
  const isPart = (environment === 'live' || environment === 'test') && typeof slug === 'string'
  if (!act || !isPart || rows.some((name) => parseName(name).length !== 5)) return undefined
  const [lock = '', commit = ''] = ['lock', 'commit'].map((name) => fields.get(name) ?? '')
  return { act, lock, rows, part: { environment, slug }, commit, typed: readTyped(fields) }
}

function parseName(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function readTyped(fields: URLSearchParams): Typed {
  // Browsers send every line break as CRLF.
  const text = (name: string): string => (fields.get(name) ?? '').replaceAll('\r\n', '\n')
  const names = [...fields.keys()].filter((name) => name.startsWith(VALUE))
  const values = names.map((name) => [name.slice(VALUE.length), text(name)] as const)
  return {
    system: text('system'),
    user: text('user'),
    reason: fields.has('reason') ? text('reason') : undefined,
    // An empty field is no value: the token is shown.
    values: new Map(values.filter(([, value]) => value !== '')),
  }
}

/**
 * The texts that a person wants: a field that comes back as shown is the stored text, byte for byte.
 *
 * @param shown - the texts as they were drawn
 * @returns the fields that were changed, although a browser can't keep all characters of their text, too
 */
export function typedTexts(
  stored: EditableTexts,
  shown: EditableTexts,
  typed: EditableTexts,
): { readonly texts: EditableTexts; readonly lossy: readonly (keyof EditableTexts)[] } {
  const isSame = (field: keyof EditableTexts): boolean => typed[field] === inField(shown[field])
  const textOf = (field: keyof EditableTexts): string =>
    isSame(field) ? stored[field] : typed[field]
  const lossy = (['system', 'user'] as const).filter(
    (field) => !isSame(field) && inField(shown[field]) !== stored[field],
  )
  return { texts: { system: textOf('system'), user: textOf('user') }, lossy }
}

/** A text as a browser has it in a field. */
function inField(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd')
}
