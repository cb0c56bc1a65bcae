import type { EditableTexts, PartId } from '../../core/prompt.ts'
import { type Act, READS, type Typed, WRITES } from '../shown.ts'

/** What a form has sent. */
export interface Form {
  readonly act: Act
  /** The hash of the lock that was on the screen. */
  readonly lock: string
  /** What is decided on: rows that are taken, read or fixed, or one part. */
  readonly rows: readonly Named[]
  /** The git revision that is restored, as the address of its document has it. */
  readonly commit: string
  readonly typed: Typed
}

/** A part or a row, as its name tells it: also of one that is not there any more. */
interface Named extends PartId {
  readonly name: string
  /** The label that was on the screen for the next version of a row; `null` for none. */
  readonly version: string | null
}

/** The prefix of the fields with the values of variables. */
const VALUE = 'value '

/** Reads a form; `undefined` if it is none of this page. */
export function readForm(fields: URLSearchParams, query: URLSearchParams): Form | undefined {
  const act = [...READS, ...WRITES].find((name) => name === fields.get('act'))
  const names = fields.getAll('row')
  const rows = names.flatMap((name) => readName(name) ?? [])
  if (act === undefined || rows.length < names.length) return undefined
  const commit = query.get('at') ?? ''
  return { act, lock: fields.get('lock') ?? '', rows, commit, typed: readTyped(fields) }
}

function readName(name: string): Named | undefined {
  try {
    const [environment, slug, , version = null] = JSON.parse(name) as unknown[]
    const isPart = (environment === 'live' || environment === 'test') && typeof slug === 'string'
    if (isPart && (version === null || typeof version === 'string'))
      return { name, environment, slug, version }
  } catch {
    // No form of the page sends this.
  }
  return undefined
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
