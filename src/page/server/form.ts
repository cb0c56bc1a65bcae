import type { EditableTexts, Environment } from '../../core/prompt.ts'
import type { Act, Typed } from '../shown.ts'
import type { Form } from './decide.ts'

/** What a form has sent, with what a person typed. */
export interface SentForm extends Form {
  readonly typed: Typed
}

/** What each act needs the option `page` for. */
const WRITES: Readonly<Record<Act, boolean>> = {
  list: false,
  read: false,
  plan: false,
  preview: false,
  take: true,
  fix: true,
  hold: true,
  release: true,
  edit: true,
  restore: true,
  undo: true,
}

export function isWriting(act: Act): boolean {
  return WRITES[act]
}

/** The prefix of the fields with the values of variables. */
const VALUE = 'value '

/** Reads a form; `undefined` if it is none of this page. */
export function readForm(fields: URLSearchParams): SentForm | undefined {
  const act = fields.get('act') ?? ''
  const [environment, slug] = parseName(fields.get('part') ?? '["live",""]')
  const rows = fields.getAll('row')
  const isKnown = Object.hasOwn(WRITES, act) && (environment === 'live' || environment === 'test')
  if (!isKnown || typeof slug !== 'string' || rows.some((name) => parseName(name).length !== 5))
    return undefined
  const typed = readTyped(fields)
  return {
    act: act as Act,
    lock: fields.get('lock') ?? '',
    rows,
    part: { environment: environment satisfies Environment, slug },
    texts: typed,
    reason: fields.has('reason') ? typed.reason : undefined,
    commit: fields.get('commit') ?? '',
    typed,
  }
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
    reason: text('reason'),
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
